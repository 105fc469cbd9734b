//go:build !linux

package depot

import "errors"

// exchange is something that only Linux has.
func exchange(_, _ string) error { return errors.ErrUnsupported }
