//go:build unix

package depot

import (
	"errors"

	"golang.org/x/sys/unix"
)

func readOnly(err error) bool { return errors.Is(err, unix.EROFS) }
