package depot

import (
	"errors"

	"golang.org/x/sys/windows"
)

func readOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
