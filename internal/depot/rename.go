package depot

import (
	"fmt"
	"time"
)

// renameWait is how long a folder that cannot be moved is tried again.
const renameWait = 5 * time.Second

// InUse is a folder that cannot be moved because a program has a file of it open, or runs from it.
type InUse struct {
	Dir string
	Err error
}

func (e InUse) Error() string {
	return fmt.Sprintf("%s is in use (%v): end the programs that run from it or have its files open, and try again", e.Dir, e.Err)
}

func (e InUse) Unwrap() error { return e.Err }

// insist tries again while the folder is held.
func insist(dir string, move func() error, held func(error) bool) error {
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		err := move()
		if err == nil || !held(err) {
			return err
		}
		if time.Since(began) > renameWait {
			return InUse{dir, err}
		}
	}
}
