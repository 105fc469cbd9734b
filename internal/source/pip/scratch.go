package pip

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// scratch is where a client works while it answers a question.
type scratch struct {
	dir string
	env []string // makes the client put its own temporary files there too
}

// scratchPrefix begins the names of such folders, and old is the age at which the run that made one must have been killed.
const (
	scratchPrefix = "cupel-pip-"
	old           = time.Hour
)

// newScratch makes a folder below parent, after those that killed runs left there were taken away. An empty parent is the
// system's own place.
func newScratch(parent string) (scratch, error) {
	if parent != "" {
		if err := os.MkdirAll(parent, 0o700); err != nil {
			return scratch{}, err
		}
		sweep(parent)
	}
	dir, err := os.MkdirTemp(parent, scratchPrefix)
	if err != nil {
		return scratch{}, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return scratch{}, err
	}
	tmp := filepath.Join(dir, "tmp")
	return scratch{dir: dir, env: temporary(tmp)}, os.Mkdir(tmp, 0o700)
}

func (s scratch) remove() { _ = os.RemoveAll(s.dir) }

func sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), scratchPrefix) && time.Since(info.ModTime()) > old {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}

// temporary makes a client put its temporary files into a folder.
func temporary(dir string) []string { return []string{"TMPDIR=" + dir, "TEMP=" + dir, "TMP=" + dir} }

// filesIn are the names in a folder that end so. It is not Glob: the folder's own name may hold a [.
func filesIn(dir, ending string) []string {
	var out []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) {
			out = append(out, e.Name())
		}
	}
	return out
}
