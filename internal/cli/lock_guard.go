package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// errGuarded: another process holds the guard.
var errGuarded = errors.New("another cupel is writing there")

// guard makes processes that read a file, change it and put it back do so one after the other. It covers the whole
// folder, because the file itself is replaced, and leaves nothing behind, however the process ends.
type guard struct {
	patience time.Duration // how long another process is waited for
	quiet    time.Duration // how long nothing is said about it
	tell     func(format string, args ...any)
}

// guardStep is how often is tried; the holder needs a few milliseconds.
const guardStep = 10 * time.Millisecond

// take waits for the guard of a file's folder. Where the file system knows no such thing it says so and goes on:
// two writers at once are rare, and a lock that cannot be written at all helps nobody.
func (g guard) take(ctx context.Context, file string) (release func(), err error) {
	dir := filepath.Dir(file)
	began := time.Now()
	for said := false; ; {
		release, err = takeGuard(dir)
		waited := time.Since(began)
		switch {
		case err == nil:
			return release, nil
		case errors.Is(err, fs.ErrNotExist):
			return nil, err
		case !errors.Is(err, errGuarded):
			g.tell("nothing keeps another cupel from writing in %s at the same time: %v", dir, err)
			return func() {}, nil
		case waited > g.patience:
			return nil, fmt.Errorf("%w, in %s, and was not done after %s: try again", errGuarded, dir, g.patience)
		case waited > g.quiet && !said:
			g.tell("waiting for another cupel that writes in %s", dir)
			said = true
		}
		select {
		case <-ctx.Done():
			var late errTimeout
			if errors.As(context.Cause(ctx), &late) {
				return nil, fmt.Errorf("wait for another cupel that writes in %s: %w", dir, late)
			}
			return nil, errInterrupted
		case <-time.After(guardStep):
		}
	}
}
