package cache

import (
	"io/fs"
	"os"
)

// linked: what Windows says of a file does not tell; read-only is what the store places as a hard link.
func linked(info fs.FileInfo) bool { return info.Mode().Perm()&0o200 == 0 }

// writable: nothing is there, or it is not read-only.
func writable(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir() || info.Mode().Perm()&0o200 != 0
}

// inherit: there are no groups.
func inherit(string) {}
