package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cupel/internal/filelock"
	"cupel/internal/progress"
)

// ErrHeld: another process has the lock.
var ErrHeld = filelock.ErrHeld

// TryLock takes the lock or says ErrHeld. Other accounts may share a depot, so the file is made as their umask says.
func TryLock(path string) (release func(), err error) { return filelock.Try(path, 0o666) }

// lockStep is how often is tried.
const lockStep = 50 * time.Millisecond

// take waits for a lock. Where there are none, release is nil.
func take(ctx context.Context, dir, name string, report progress.Report) (release func(), err error) {
	for said := false; ; {
		release, err = TryLock(filepath.Join(dir, partLock+name))
		switch {
		case err == nil:
			return release, nil
		case errors.Is(err, filelock.ErrNoLocks):
			report.Say(progress.Wait, fmt.Sprintf("nothing keeps another cupel from working on %s at the same time: %v", name, err))
			return nil, nil
		case !errors.Is(err, ErrHeld):
			return nil, notWritable(dir, err)
		case !said:
			report.Say(progress.Wait, "another cupel works on "+name+": waiting for it")
			said = true
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for another cupel that works on %s: %w", name, context.Cause(ctx))
		case <-time.After(lockStep):
		}
	}
}

// NotWritable is a folder in which nothing can be kept.
type NotWritable struct {
	Dir string
	Err error
}

func (e NotWritable) Error() string { return e.Dir + " cannot be written: " + e.Err.Error() }
func (e NotWritable) Unwrap() error { return e.Err }

// notWritable tells a folder that may not be written from other trouble. One that is in use is none: Windows tells both
// in the same way, and who moves it knows better.
func notWritable(dir string, err error) error {
	var used InUse
	if errors.As(err, &used) || !errors.Is(err, fs.ErrPermission) && !readOnly(err) {
		return err
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return NotWritable{dir, err}
}
