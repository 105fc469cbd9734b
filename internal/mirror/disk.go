package mirror

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"cupel/internal/ospath"
)

// disk is the machine itself.
type disk struct{ style ospath.Style }

func (disk) names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out, err
}

func (d disk) program(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (d.style.Windows() || info.Mode()&0o111 != 0)
}

func (disk) script(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	var head [2]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && string(head[:]) == "#!"
}

func (disk) text(path string) (string, error) {
	b, err := os.ReadFile(path)
	return string(b), err
}

// Real tells the real root behind a mirror below home ($CUPEL_HOME); false: root is no mirror.
func Real(home, root string) (string, bool) {
	root, home = resolved(root), resolved(filepath.Join(home, shims))
	rest, err := filepath.Rel(home, root)
	if err != nil || rest == "." || rest == ".." || strings.HasPrefix(rest, ".."+string(filepath.Separator)) {
		return "", false
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rest), "/")
	b, err := os.ReadFile(filepath.Join(home, first, rootFile))
	if err != nil {
		return "", false
	}
	return strings.TrimSuffix(string(b), "\n"), true
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}
