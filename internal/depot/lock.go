package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cupel/internal/progress"
)

// ErrHeld: another process has the lock. errNoLocks: the file system knows none.
var (
	ErrHeld    = errors.New("another cupel works on it")
	errNoLocks = errors.New("the file system knows no locks")
)

// lockStep is how often is tried.
const lockStep = 50 * time.Millisecond

// take waits for a lock, which is a file that is there while it is held. The kernel gives it back when the process ends,
// however it ends. Where there are no locks, release is nil.
func take(ctx context.Context, dir, name string, report progress.Report) (release func(), err error) {
	for said := false; ; {
		release, err = TryLock(filepath.Join(dir, partLock+name))
		switch {
		case err == nil:
			return release, nil
		case errors.Is(err, errNoLocks):
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
