package trust

import "golang.org/x/sys/unix"

// place is where worlds are made: in memory where programs may be started there. They are thousands of small files.
func place() string {
	const memory = "/dev/shm"
	var s unix.Statfs_t
	if err := unix.Statfs(memory, &s); err != nil || s.Flags&unix.ST_NOEXEC != 0 || s.Bavail*uint64(s.Bsize) < 1<<30 || unix.Access(memory, unix.W_OK) != nil {
		return ""
	}
	return memory
}
