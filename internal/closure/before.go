package closure

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// mostNames is how large a folder may be to be listed before every compilation.
const mostNames = 10_000

// Before is what was there before a compilation began. A folder changes with every result that is written into it: that a name
// was not there before and is not now, or that a path led to the same folder, tells more than its time. What is not in it was
// not looked at.
type Before struct {
	held map[string]held // by folder
	ways map[string]node // by path
}

// held is what a folder held. Names are in small letters, as some disks take them.
type held struct {
	node  node
	names map[string]bool
}

// node is a file or folder itself, whatever its name is.
type node struct{ device, number uint64 }

// Look lists the folders of a call in which names are looked for: the working folder, the source's, those of options. Of one
// that is not there, the first above it that is. It notes what lies on the way to them, and which are the working folder, in which
// results are written all the time, and those of the tools.
func Look(dir string, r recipe.Recipe, includes []string) Before {
	b := Before{map[string]held{}, map[string]node{}}
	source, _ := split(r.Source)
	b.add(dir, "")
	b.way(dir)
	b.add(dir, source)
	for _, f := range r.Search {
		b.add(dir, f.Path)
	}
	for _, path := range includes {
		b.way(place(dir, path))
	}
	return b
}

func (b Before) add(dir, path string) {
	at := place(dir, path)
	above, _ := split(keyOf(at))
	b.way(above)
	for {
		key := keyOf(at)
		if _, ok := b.held[key]; ok {
			return
		}
		s, err := stamp.Of(at)
		if err != nil {
			return
		}
		if s.Dir {
			if names, ok := namesIn(at, mostNames); ok {
				b.held[key] = held{node{s.Device, s.Number}, names}
			}
			return
		}
		parent, base := split(at)
		if base == "" || parent == "" {
			return
		}
		at = parent
	}
}

// way notes each part of a path, as walk.turnedAt goes through them.
func (b Before) way(at string) {
	dir, base := split(at)
	if _, ok := b.ways[at]; ok || windows || dir == "" || dir == at {
		return
	}
	if base == "" { // at ends in a slash
		b.way(dir)
		return
	}
	e, _ := entryOf(at)
	b.ways[at] = e.node
	b.way(dir)
	if e.kind == link {
		if target, err := leads(at, dir); err == nil {
			b.way(target)
		}
	}
}

// led: the path led to this folder.
func (b Before) led(at string, to node) bool {
	n, ok := b.ways[at]
	return ok && n == to
}

// keyOf is a folder as it is written, but for what ends it: a link on the way is not resolved. Windows has two separators.
func keyOf(at string) string {
	if windows {
		return fold(filepath.Clean(at))
	}
	if short := strings.TrimRight(at, "/"); short != "" {
		return short
	}
	return at
}

func namesIn(dir string, most int) (map[string]bool, bool) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	list, err := f.Readdirnames(most + 1)
	if err != nil && err != io.EOF || len(list) > most {
		return nil, false
	}
	names := make(map[string]bool, len(list))
	for _, name := range list {
		names[strings.ToLower(name)] = true
	}
	return names, true
}

// lacked: the folder was looked into, is the same one now, and did not hold the name.
func (b Before) lacked(at string, now stamp.Stamp, name string) bool {
	h, ok := b.held[keyOf(at)]
	return ok && h.node == node{now.Device, now.Number} && !h.names[strings.ToLower(name)]
}
