package shim

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// rssUnit: Linux tells the peak in KiB (getrusage(2)).
const rssUnit = 1024

// attr: a killed shim takes the tool along, as a kill of the tool itself would have ended it. In the same process group, so
// that the terminal's signals reach it.
func attr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// sigaction is the kernel's struct with SIG_DFL in it: all zero, whatever the order of its fields (at most 4 words on the
// systems that Go has).
type sigaction [4]uint64

// die ends this program by a signal. The runtime's own handlers are in the way, and os/signal does not take all of them off
// (SIGSEGV), so the kernel is asked. The tool may have left a core; a second one of the shim would only hide it.
func die(sig int) {
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	var fresh sigaction
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&fresh)), 0, 8, 0, 0)
	var set unix.Sigset_t
	set.Val[(sig-1)/64] |= 1 << ((sig - 1) % 64)
	_ = unix.PthreadSigmask(unix.SIG_UNBLOCK, &set, nil)
	_ = unix.Tgkill(unix.Getpid(), unix.Gettid(), syscall.Signal(sig))
}
