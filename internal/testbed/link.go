package testbed

import (
	"errors"
	"os"
	"testing"
)

// Link makes a symbolic link; the test is skipped where none can be made. Only the lanes under wine list that skip.
func Link(t testing.TB, to, at string) {
	t.Helper()
	err := os.Symlink(to, at)
	if info, gone := os.Lstat(at); err == nil && (gone != nil || info.Mode()&os.ModeSymlink == 0) {
		err = errors.New("the system says it made one, and it is not there") // so does wine 8
	}
	if err != nil {
		t.Skipf("no links can be made here: %v", err)
	}
}
