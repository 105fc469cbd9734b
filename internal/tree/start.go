package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"cupel/internal/call"
)

// notStarted says why there is no command. The answer names the program, not this program's way to start it.
func notStarted(c Command, err error) call.RunEnd {
	var path *fs.PathError
	if errors.As(err, &path) && path.Path == c.Path {
		err = path.Err
	}
	if err == error(syscall.ENOENT) {
		if _, there := os.Stat(c.Path); there == nil {
			err = fmt.Errorf("%w: what it needs to be started is missing (the interpreter of its first line, or its loader)", err)
		}
	}
	return call.RunEnd{Code: -1, Error: fmt.Sprintf("start %s: %v", c.Path, err)}
}

// checkDir: a start reports a folder that is not there as a program that is not there.
func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "chdir", Path: dir, Err: syscall.ENOTDIR}
	}
	return err
}
