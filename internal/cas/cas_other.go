//go:build !linux

package cas

import (
	"errors"
	"io/fs"
	"os"
)

// clone: NTFS cannot, and APFS shares bytes only with a file that is yet to be made. A copy is made instead.
func clone(_, _ *os.File) error { return errors.ErrUnsupported }

// unnamed and nameIt: only Linux has files without a name.
func unnamed(string, fs.FileMode) (*os.File, error) { return nil, errors.ErrUnsupported }

func nameIt(*os.File, string) error { return errors.ErrUnsupported }
