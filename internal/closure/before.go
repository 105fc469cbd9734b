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

// Before are the names in folders before a compilation began. A folder changes with every result that is written into it: that
// a name was not there before and is not now tells more than its time. Folders that are not in it were not looked into.
type Before map[string]held

// held is what a folder held. Names are in small letters, as some disks take them.
type held struct {
	device, number uint64
	names          map[string]bool
}

// Look lists the folders of a call in which names are looked for: the working folder, the source's, those of options. Of one
// that is not there, the first above it that is.
func Look(dir string, r recipe.Recipe) Before {
	b := Before{}
	source, _ := split(r.Source)
	b.add(dir, "")
	b.add(dir, source)
	for _, f := range r.Search {
		b.add(dir, f.Path)
	}
	return b
}

func (b Before) add(dir, path string) {
	at := place(dir, path)
	for {
		key := keyOf(at)
		if _, ok := b[key]; ok {
			return
		}
		s, err := stamp.Of(at)
		if err != nil {
			return
		}
		if s.Dir {
			if names, ok := namesIn(at, mostNames); ok {
				b[key] = held{s.Device, s.Number, names}
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
	h, ok := b[keyOf(at)]
	return ok && h.device == now.Device && h.number == now.Number && !h.names[strings.ToLower(name)]
}
