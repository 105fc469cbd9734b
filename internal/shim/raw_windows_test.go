package shim_test

import (
	"strings"
	"syscall"
	"unsafe"
)

// rawArgs is the command line from behind the program's name, which here has no spaces or is in quotes.
func rawArgs() string {
	line := syscall.UTF16ToString(unsafe.Slice(syscall.GetCommandLine(), 32767))
	if rest, ok := strings.CutPrefix(line, `"`); ok {
		_, line, _ = strings.Cut(rest, `"`)
		return line
	}
	_, line, _ = strings.Cut(line, " ")
	return " " + line
}
