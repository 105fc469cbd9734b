// Package cas is the store on disk: blobs named by their content, notes named by a key, and a tally of what happened. Many
// processes use one store at once, without locks: files are written beside their place and renamed. A blob that does not
// have its name's digest is taken away and was never there. The shim uses it, so it leans on little.
//
// Below Store.Dir: blobs/AB/REST, notes/KIND/AB/REST, tally/, tmp/. The time of a file says when it was last used.
// Nothing is forced to the disk: a file that a power cut tore is found out by its name or its checksum and is a miss.
package cas

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"cupel/internal/digest"
)

// ErrMissing: the store does not have it (or had it torn or changed, and took it away).
var ErrMissing = errors.New("not in the store")

// DefaultLimit is how large a store may get that has no limit of its own.
const DefaultLimit = 10 << 30

// Store is one folder. It need not exist.
type Store struct {
	Dir   string
	Limit int64 // bytes; 0: the default of 10 GB
	Hard  bool  // place hard links, read-only, instead of copies
}

func (s Store) blob(d digest.Digest) string {
	name := d.String()
	return filepath.Join(s.Dir, "blobs", name[:2], name[2:])
}

// missing says that a file of the store cannot be had, and why. Over a network one that was just replaced can vanish while
// it is read (ESTALE); for who asks it is all the same.
func missing(err error) error {
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return ErrMissing
	}
	return fmt.Errorf("%w: %w", ErrMissing, err)
}

// usedEvery is how exactly the last use is known. A hit does not write to the disk more often.
const usedEvery = 24 * time.Hour

// used notes that a file is in use, so that it is not among the first to be trimmed.
func used(path string, last time.Time) {
	if now := time.Now(); now.Sub(last) > usedEvery {
		_ = os.Chtimes(path, now, now)
	}
}
