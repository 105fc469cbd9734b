package build

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"

	"cupel/internal/cache"
	"cupel/internal/closure"
)

// withMap asks the host's linker to write down what it reads (-Map of GNU ld, gold and lld). Only a shared library has
// inputs that are not in its command line: libraries of the system and of the toolkit.
func (m *maker) withMap(t *task, args []string) (with []string, file string, remove func()) {
	if t.call.Kind != "shared" || m.job.Tools.Platform.Windows() {
		return args, "", func() {}
	}
	f, err := os.CreateTemp(filepath.Dir(m.place(t.call.Out)), ".cupel-map-*")
	if err != nil {
		return args, "", func() {}
	}
	_ = f.Close()
	return append([]string{"-Xlinker", "-Map=" + f.Name()}, args...), f.Name(), func() { _ = os.Remove(f.Name()) }
}

// linked is what a link read besides its inputs. known is false where that cannot be told.
func (m *maker) linked(t *task, mapFile string) (c closure.Closure, known bool) {
	switch {
	case t.call.Kind != "shared":
		return c, true
	case mapFile == "":
		return c, false
	}
	f, err := os.Open(mapFile)
	if err != nil {
		return c, false
	}
	defer f.Close()
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		path, ok := strings.CutPrefix(lines.Text(), "LOAD ")
		if !ok || seen[path] {
			continue
		}
		seen[path] = true
		k, err := m.cache.Files.Known(cache.Whole(m.job.Root, path))
		if err != nil {
			return c, false
		}
		if !k.Stamp.Exists() {
			continue // a file on the way, which nvcc has taken away
		}
		c.Files = append(c.Files, closure.File{Path: path, Known: k})
	}
	return c, len(c.Files) > 0 && lines.Err() == nil
}
