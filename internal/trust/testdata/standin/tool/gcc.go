package tool

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Gcc answers what is asked of a host compiler about itself, in gcc's words.
func Gcc(program string, args []string) string {
	root := filepath.Dir(filepath.Dir(program))
	if len(args) == 1 && args[0] == "-print-prog-name=as" {
		return filepath.Join(root, "libexec", "as") + "\n"
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "-dump") {
		return "12.2.0\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "COLLECT_GCC=%s\n", program)
	fmt.Fprintf(&b, " %s -E -quiet -v %s\n", filepath.Join(root, "libexec", "cc1plus"), os.DevNull)
	b.WriteString("#include \"...\" search starts here:\n#include <...> search starts here:\n")
	for _, dir := range filepath.SplitList(os.Getenv("CPATH")) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			fmt.Fprintf(&b, " %s\n", dir)
		}
	}
	fmt.Fprintf(&b, " %s\nEnd of search list.\n", filepath.Join(root, "bin", "..", "include"))
	return b.String()
}
