// Package learned remembers what steps took: time and memory, by a name that stays the same while the work does. It only
// helps to choose an order; losing it costs nothing but that.
package learned

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/filelock"
)

// Row is what one step took when it last ran.
type Row struct {
	Time time.Duration
	Peak int64
}

// Book holds rows by key. Safe for many at once.
type Book struct {
	path string

	mu   sync.Mutex
	rows map[name]entry
	set  map[name]entry // since the last Save
}

// Open reads a book; one that is not there or cannot be read is empty.
func Open(path string) *Book {
	return &Book{path: path, rows: load(path), set: map[name]entry{}}
}

func load(path string) map[name]entry {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return map[name]entry{}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return map[name]entry{}
	}
	return decode(b)
}

// Get is what is known of a step.
func (b *Book) Get(key digest.Digest) (Row, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, ok := b.rows[nameOf(key)]
	return e.row, ok
}

// Set notes what a step took.
func (b *Book) Set(key digest.Digest, r Row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := entry{row: Row{max(r.Time, 0), max(r.Peak, 0)}, at: time.Now().Unix()}
	b.rows[nameOf(key)] = e
	b.set[nameOf(key)] = e
}

// Save adds what was set to the file; rows that others wrote meanwhile stay.
func (b *Book) Save() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.set) == 0 {
		return nil
	}
	if err := b.save(); err != nil {
		return fmt.Errorf("write %s: %w", b.path, err)
	}
	clear(b.set)
	return nil
}

func (b *Book) save() error {
	if err := os.MkdirAll(filepath.Dir(b.path), 0o777); err != nil {
		return err
	}
	defer turn(b.path + ".lock")()
	rows := load(b.path)
	for n, e := range b.set {
		rows[n] = e
	}
	return cas.Replace(b.path, encode(rows), 0o666)
}

// lockWait is how long others are waited for. Saving takes milliseconds; who still cannot have the lock then writes without
// it: at worst somebody's rows are lost.
const lockWait = 2 * time.Second

// turn waits for the lock of a file.
func turn(path string) (release func()) {
	for end := time.Now().Add(lockWait); ; time.Sleep(2 * time.Millisecond) {
		release, err := filelock.Try(path, 0o666)
		if err == nil {
			return release
		}
		if time.Now().After(end) || err != filelock.ErrHeld {
			return func() {}
		}
	}
}
