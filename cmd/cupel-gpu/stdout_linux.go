package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// setStdoutAside keeps the real stdout for the report and points descriptor 1 at stderr for everybody else.
func setStdoutAside() (*os.File, error) {
	kept, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	if err := unix.Dup3(2, 1, 0); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(kept), "stdout"), nil
}
