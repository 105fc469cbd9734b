// Package stamp tells whether a file is the one it was, by what its folder says of it (size, times, number), and remembers
// the digests of files for as long as their stamps stay. The shim uses it, so it leans on little.
package stamp

import (
	"io/fs"
	"time"

	"cupel/internal/digest"
)

// Stamp is what a folder says of a file, links followed. The zero value is that of a file that is not there: one that is
// has a Number.
type Stamp struct {
	Size, Modified, Changed int64 // times in nanoseconds since 1970; Changed is 0 where the system does not tell it
	Device, Number          uint64
	Dir                     bool
}

// Known is a file with its digest, as it is written down.
type Known struct {
	Stamp   Stamp
	Digest  digest.Digest
	Settled bool // the file was old enough, when it was read, that a later change must show in its stamp
}

// Exists: the file was there.
func (s Stamp) Exists() bool { return s != Stamp{} }

// How far apart two changes must lie to give a file two times. Linux takes file times from a clock that is set forward at
// each tick, of 10 ms at most. FAT counts in steps of 2 s, and some file systems in seconds: their times have no fraction.
const (
	grain       = 20 * time.Millisecond
	coarseGrain = 2 * time.Second
)

// Settled: what was read after the given moment is what the stamp stands for, and a later change must give another stamp. A
// time in the future never settles: the clock was set, or is another machine's.
func (s Stamp) Settled(before time.Time) bool {
	newest, least := max(s.Modified, s.Changed), grain
	if newest%int64(time.Second) == 0 {
		least = coarseGrain
	}
	return s.Exists() && before.UnixNano()-newest > int64(least)
}

// Of asks for a file. One that is not there has the zero Stamp and no error.
func Of(path string) (Stamp, error) {
	s, _, err := follow(path)
	if err != nil {
		return Stamp{}, trouble("stat", path, err)
	}
	return s, nil
}

// trouble names the file, as errors of package os do.
func trouble(op, path string, err error) error { return &fs.PathError{Op: op, Path: path, Err: err} }
