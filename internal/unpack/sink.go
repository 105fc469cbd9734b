package unpack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// sink is the one way into the root: every format hands its entries to it. It may be used from several goroutines.
type sink struct {
	ctx     context.Context
	archive string // base name
	root    *os.Root
	home    string // the root's name
	o       Options
	limits  Limits
	meter   *meter
	workers int
	spent   atomic.Int64 // bytes written

	mu    sync.Mutex
	files []File
	taken map[string]string // places, as far as the root tells them apart → spelled out
	dirs  map[string]bool   // folders that are there and real
	kept  map[string]string // name in the archive → place, of files
	links []link
}

func newSink(ctx context.Context, archive string, root *os.Root, o Options) *sink {
	return &sink{
		ctx: ctx, archive: archive, root: root, o: o, limits: o.limits(), meter: newMeter(o), workers: runtime.GOMAXPROCS(0),
		taken: map[string]string{}, dirs: map[string]bool{".": true}, kept: map[string]string{},
	}
}

// admit asks for an entry's place and looks at both names. keep is false for what is left out. A layout is not asked for
// a name that leads elsewhere: it might leave that one out, and the archive would pass for an honest one.
func (s *sink) admit(raw string, place func(string) (string, bool)) (name, to string, keep bool, err error) {
	if why := hostileName(undotted(raw)); why != "" {
		return "", "", false, Refused{Entry: raw, Why: why}
	}
	name, why := clean(raw)
	asked := name
	if why != "" {
		asked = raw // what is not kept may have a long or foreign name
	}
	to, keep = place(asked)
	if !keep {
		return name, "", false, nil
	}
	if why != "" {
		return "", "", false, Refused{Entry: raw, Why: why}
	}
	if why := s.oddPlace(&to); why != "" {
		return "", "", false, Refused{Entry: raw, Why: why}
	}
	return name, to, true, nil
}

// oddPlace looks at where a layout puts something: a layout is data too.
func (s *sink) oddPlace(to *string) string {
	placed, why := clean(*to)
	*to = placed
	if why == "" && s.o.noLinks() {
		why = oddOnWindows(placed)
	}
	return why
}

// key is a place as the root tells places apart.
func (s *sink) key(to string) string {
	if s.o.noLinks() {
		return strings.ToLower(to)
	}
	return to
}

// claim takes a place for a file or link. again is true when an earlier entry has it.
func (s *sink) claim(entry, to string) (again bool, err error) {
	if to == "." {
		return false, Refused{Entry: entry, Why: "would take the place of the folder itself"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, ok := s.taken[s.key(to)]; ok {
		if was != to {
			return true, Refused{Entry: entry, Why: fmt.Sprintf("differs from %q in upper and lower case alone", was)}
		}
		return true, nil
	}
	if len(s.taken) >= s.limits.Files {
		return false, Refused{Why: fmt.Sprintf("it holds more than %d files", s.limits.Files)}
	}
	s.taken[s.key(to)] = to
	return false, nil
}

// spend counts bytes before they are written: what a header promises counts for nothing.
func (s *sink) spend(n int) error {
	if s.spent.Add(int64(n)) > s.limits.Bytes {
		return Refused{Why: fmt.Sprintf("it unpacks to more than %d bytes", s.limits.Bytes)}
	}
	return s.stop()
}

// stop is the reason to end early.
func (s *sink) stop() error {
	if err := context.Cause(s.ctx); err != nil {
		return stopped{err}
	}
	return nil
}

// list notes a file that is in its place.
func (s *sink) list(entry string, f File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = append(s.files, f)
	s.kept[entry] = f.Path
}

// mkdir makes a folder and those above it. All of them must be real folders: a link among them, of this archive or an
// earlier one, would lead the file elsewhere.
func (s *sink) mkdir(entry, dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mkdirLocked(entry, dir)
}

func (s *sink) mkdirLocked(entry, dir string) error {
	if s.dirs[dir] {
		return nil
	}
	if err := s.mkdirLocked(entry, path.Dir(dir)); err != nil {
		return err
	}
	err := s.root.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrExist) {
		err = s.realFolder(entry, dir)
	}
	if err != nil {
		return err
	}
	s.dirs[dir] = true
	return nil
}

func (s *sink) realFolder(entry, dir string) error {
	info, err := s.root.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return Refused{Entry: entry, Why: fmt.Sprintf("would be written through %q, which is no folder", dir)}
	}
	return nil
}
