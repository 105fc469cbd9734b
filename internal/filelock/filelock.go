// Package filelock takes locks that are files: one is there while it is held, and the kernel gives it back when the process
// ends, however it ends. It never waits: who wants to tries again. The shim carries it, so it leans on little.
package filelock

import (
	"errors"
	"io/fs"
)

// ErrHeld: another process has the lock. ErrNoLocks: the file system knows none; the file was made and is in nobody's way.
var (
	ErrHeld    = errors.New("another process holds it")
	ErrNoLocks = errors.New("the file system knows no locks")
)

// trouble names the file, as errors of package os do: who shows it may leave that out.
func trouble(path string, err error) error { return &fs.PathError{Op: "lock", Path: path, Err: err} }
