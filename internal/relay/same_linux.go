package relay

import "golang.org/x/sys/unix"

// kcmpFile compares the open files behind two descriptors (kcmp(2), linux/kcmp.h).
const kcmpFile = 0

// same: what is written to both comes out in one place, in one order. A regular file that was opened twice has two
// positions, so there the streams stay apart. So they do where nobody sees an order, and the record tells more: /dev/null.
func same(a, b end) bool {
	var x, y unix.Stat_t
	if unix.Fstat(int(a), &x) != nil || unix.Fstat(int(b), &y) != nil {
		return false
	}
	if x.Dev != y.Dev || x.Ino != y.Ino || x.Rdev != y.Rdev || x.Mode&unix.S_IFMT != y.Mode&unix.S_IFMT {
		return false
	}
	switch x.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return sameOpen(a, b)
	case unix.S_IFCHR:
		return uint64(x.Rdev) != unix.Mkdev(1, 3)
	}
	return true
}

// sameOpen: both descriptors are one open file. Where the kernel does not compare (seccomp), the same way of writing at the
// same position is taken for it.
func sameOpen(a, b end) bool {
	pid := uintptr(unix.Getpid())
	if r, _, errno := unix.Syscall6(unix.SYS_KCMP, pid, pid, kcmpFile, uintptr(a), uintptr(b), 0); errno == 0 {
		return r == 0
	}
	fa, erra := unix.FcntlInt(uintptr(a), unix.F_GETFL, 0)
	fb, errb := unix.FcntlInt(uintptr(b), unix.F_GETFL, 0)
	if erra != nil || errb != nil || fa != fb {
		return false
	}
	if fa&unix.O_APPEND != 0 {
		return true
	}
	pa, erra := unix.Seek(int(a), 0, unix.SEEK_CUR)
	pb, errb := unix.Seek(int(b), 0, unix.SEEK_CUR)
	return erra == nil && errb == nil && pa == pb
}
