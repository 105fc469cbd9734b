package cache

import "io/fs"

// linked: what Windows says of a file does not tell; read-only is what the store places as a hard link.
func linked(info fs.FileInfo) bool { return info.Mode().Perm()&0o200 == 0 }
