//go:build linux && (amd64 || arm64)

package nvml

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data, which the kernel shows to a filter.
const (
	dataNumber = 0
	dataArch   = 4
)

// changeNothing forbids this thread, and every thread and process that it starts, to make, remove or rename
// files and to start programs. Seen with the real NVML 535 as root: without a kernel module it makes
// /dev/nvidiactl and links under /dev/char, and it starts nvidia-modprobe to load the module. A doctor that
// does this has changed what it was to report on. The calls fail as they do for an ordinary user, and NVML
// then answers as it does there.
//
// The goroutine stays on its thread for good. A kernel that refuses the filter leaves things as they were.
func changeNothing() {
	runtime.LockOSThread()
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return
	}
	filter := forbid(forbidden)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, _ = unix.RawSyscall(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
}

// forbid makes the filter: a call of this machine's kind whose number is listed gets EPERM, all else goes on.
func forbid(numbers []uint32) []unix.SockFilter {
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		give  = unix.BPF_RET | unix.BPF_K
	)
	filter := []unix.SockFilter{
		{Code: load, K: dataArch},
		{Code: equal, K: auditArch, Jt: 1},
		{Code: give, K: unix.SECCOMP_RET_ALLOW},
		{Code: load, K: dataNumber},
	}
	for i, number := range numbers {
		// Jump over the numbers that follow and over the "allow" after them.
		filter = append(filter, unix.SockFilter{Code: equal, K: number, Jt: uint8(len(numbers) - i)})
	}
	return append(filter,
		unix.SockFilter{Code: give, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: give, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)})
}
