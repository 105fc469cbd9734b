package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"cupel/internal/host"
	"cupel/internal/lock"
)

// oldLock reads what is there; nil when nothing is.
func oldLock(path string) (*lock.Lock, []byte, error) {
	b, err := lockBytes(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the lock: %w", err)
	}
	l, err := lock.Parse(path, b)
	return l, b, err
}

// lockBytes looks before it opens: a pipe would be waited for, and a device may be read for ever and be replaced. A
// file too large is left to whoever put it there.
func lockBytes(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	case info.Size() > lock.MaxSize:
		return nil, fmt.Errorf("%s is larger than %d MiB, which no lock is", path, lock.MaxSize>>20)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, lock.MaxSize+1))
}

// replaceLock tries again: Windows replaces no file that somebody reads, and every cupel that starts reads the lock for
// a moment.
func replaceLock(path string, text []byte) error {
	return whileHeld(func() error { return writeWhole(path, text, 0o644) })
}

// whileHeld tries for half a second where others have the file open.
func whileHeld(do func() error) (err error) {
	for range 50 {
		if err = do(); !heldOpen(err) {
			return err
		}
		time.Sleep(guardStep)
	}
	return err
}

// behindLink is the file that is meant where the lock is a link: it stays one.
func behindLink(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("follow the link %s: %w", path, err)
	}
	return real, nil
}

// isBroken: a lock that only a newer cupel reads is not.
func isBroken(err error) bool {
	var broken lock.Broken
	return errors.As(err, &broken)
}

// aside is a lock that cannot be read, kept under another name while the rest is gathered: gathering reads the lock
// too. The zero one is none.
type aside struct {
	path, old string
	text      []byte
}

// gatherLock gathers what lock decides from. --force also replaces a lock that cannot be read.
func gatherLock(cmd *cobra.Command, f lockFlags) (j judged, kept aside, err error) {
	// Another cupel may be replacing the lock just now.
	err = whileHeld(func() error { j, err = gatherContract(cmd, f.contractFlags); return err })
	if !f.force || f.out != "" || !isBroken(err) {
		return j, aside{}, err
	}
	w, _ := openWorkspace(host.Here(), f.project, shown) // it was read a moment ago; the error is the lock's
	kept, err = setAside(filepath.Join(w.root, lockFile))
	if err != nil {
		return j, kept, fmt.Errorf("keep the broken lock: %w", err)
	}
	if j, err = gatherContract(cmd, f.contractFlags); err != nil {
		return j, aside{}, errors.Join(err, kept.back())
	}
	return j, kept, nil
}

func setAside(path string) (a aside, err error) {
	if a.path, err = behindLink(path); err != nil {
		return a, err
	}
	if a.text, err = lockBytes(a.path); err != nil {
		return a, err
	}
	if a.old, err = keepOld(a.path); err != nil {
		return a, err
	}
	return a, os.Remove(a.path)
}

// back puts it where it was, for a run that writes nothing.
func (a aside) back() error {
	if a.path == "" {
		return nil
	}
	if err := replaceLock(a.path, a.text); err != nil {
		return fmt.Errorf("put the broken lock back (it is in %s): %w", a.old, err)
	}
	return os.Remove(a.old)
}
