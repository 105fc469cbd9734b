//go:build unix

package mirror

import (
	"io/fs"
	"os"
)

// point makes a link.
func point(at, to string) error { return os.Symlink(to, at) }

// leads says that a link is right.
func leads(at, to string) bool {
	got, err := os.Readlink(at)
	return err == nil && got == to
}

// isFolder: a folder, no link to one.
func isFolder(_ string, info fs.FileInfo) bool { return info.IsDir() }
