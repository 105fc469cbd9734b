package cache

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cupel/internal/closure"
	"cupel/internal/filelock"
	"cupel/internal/recipe"
)

// Work is a call that is being made: nvcc leaves its files on the way in a folder of ours.
type Work struct {
	Args  []string // with which nvcc is to be started
	Dir   string   // the folder
	Began time.Time

	q       *Question
	before  closure.Before
	outs    []string // what nvcc is to write instead of each output; empty: the outputs themselves
	release func()
	other   bool // another process makes the same call, whose folder has a name that gets into the output
}

// Begin makes the folder. A failure means that the call is made without us.
func (q *Question) Begin() (*Work, error) { return q.BeginIn(q.cache.Store.Dir) }

// BeginIn does so elsewhere, where the store cannot be written to.
func (q *Question) BeginIn(dir string) (*Work, error) {
	w := &Work{q: q}
	base := filepath.Join(dir, "work")
	if !recipe.Keepable(base, onWindows) || !spoken(base) {
		return nil, fmt.Errorf("make a folder for nvcc's files: nvcc cannot keep them below %s", base)
	}
	if err := os.MkdirAll(base, 0o777); err != nil {
		return nil, fmt.Errorf("make a folder for nvcc's files: %w", err)
	}
	// The name is the call's own where it gets into the output, so that the same call makes the same bytes.
	name := q.Key.String()[:16]
	if !q.Recipe.NameInside || !w.lock(base, name) {
		w.other = q.Recipe.NameInside
		for tries := 0; !w.lock(base, "call-"+strconv.FormatUint(rand.Uint64(), 36)); tries++ {
			if tries == 3 { // no two have the same name: it is the disk
				return nil, fmt.Errorf("make a folder for nvcc's files: %s cannot be written to", base)
			}
		}
	}
	w.Args = recipe.Kept(w.aside(), w.Dir)
	w.before = closure.Look(q.Call.Dir, q.Recipe, q.Tools.Includes)
	w.Began = time.Now()
	return w, nil
}

// lock takes a folder by name. What a process that was killed left in it goes.
func (w *Work) lock(base, name string) bool {
	dir := filepath.Join(base, name)
	release, err := filelock.Try(dir+".lock", 0o666)
	if err != nil {
		return false
	}
	_ = os.RemoveAll(dir)
	if err := os.Mkdir(dir, 0o755); err != nil {
		release()
		return false
	}
	w.Dir, w.release = dir, release
	return true
}

// End takes the folder away.
func (w *Work) End() {
	if w.release == nil {
		return
	}
	_ = os.RemoveAll(w.Dir)
	w.release()
	w.release = nil
}

// Gone says that the folder was taken away, and what nvcc had written there with it.
func (w *Work) Gone() bool {
	_, err := os.Lstat(w.Dir)
	return errors.Is(err, fs.ErrNotExist)
}

// Full says that a call may have failed for want of room in the folder.
func (w *Work) Full() bool {
	const room = 1 << 20
	path := filepath.Join(w.Dir, "room")
	defer os.Remove(path)
	return os.WriteFile(path, make([]byte, room), 0o644) != nil
}

// Hindered says that a call failed for want of room for the files that nvcc keeps in the folder, going by what was said: others
// that failed beside it may have made room again by now.
func (w *Work) Hindered(said []byte) bool {
	for line := range bytes.Lines(said) {
		if slices.ContainsFunc(noRoom, func(words string) bool { return bytes.Contains(line, []byte(words)) }) {
			return true
		}
		// fatbinary does not see that its file was cut off; the compiler that reads it does.
		if bytes.Contains(line, []byte(w.Dir)) && bytes.Contains(line, []byte(".fatbin.c:")) && bytes.Contains(line, []byte("error")) {
			return true
		}
	}
	return false
}

// noRoom is how the stages of nvcc 13.0 and gcc 12 were seen to end on full disks of all sizes, and what a quota is told with.
var noRoom = []string{"No space left on device", "Disk quota exceeded", "Internal error: writing file", "Could not write file"}

// Closure is what the call read. A refusal says why its result must not be remembered.
func (w *Work) Closure() (closure.Closure, *recipe.Refusal, error) {
	if w.other {
		return closure.Closure{}, &recipe.Refusal{Reason: "same-call-running"}, nil
	}
	if path := w.q.changed(); path != "" {
		return closure.Closure{}, &recipe.Refusal{Reason: "changed-meanwhile", Detail: path}, nil
	}
	return w.q.cache.reader.Read(closure.Question{
		Keep: w.Dir, Dir: w.q.Call.Dir, Recipe: w.q.Recipe, Includes: w.q.Tools.Includes, Began: w.Began, Before: w.before,
		Epoch: w.q.cache.variable("SOURCE_DATE_EPOCH") != "",
	})
}

// Entered are the files that a call read, as far as nvcc's files tell: one that failed may have left none.
func (w *Work) Entered() []string {
	if w == nil {
		return nil
	}
	return closure.Entered(w.Dir)
}

// Sweep takes away the folders of processes that were killed.
func (c *Cache) Sweep() {
	base := filepath.Join(c.Store.Dir, "work")
	entries, _ := os.ReadDir(base)
	for _, e := range entries {
		dir := filepath.Join(base, strings.TrimSuffix(e.Name(), ".lock")) // the lock comes first and goes last
		if release, err := filelock.Try(dir+".lock", 0o666); err == nil {
			_ = os.RemoveAll(dir)
			release()
		}
	}
}

var errSaid = errors.New("it said too much")
