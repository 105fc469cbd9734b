package child

import (
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// wait runs the command in a job, which ends with everything in it.
func wait(cmd *exec.Cmd) (time.Duration, error) {
	j, err := NewJob()
	if err != nil {
		return 0, err
	}
	defer windows.CloseHandle(j)
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP}
	cmd.Cancel = func() error { return windows.TerminateJobObject(j, 1) }
	if err := StartIn(j, cmd); err != nil {
		return 0, err
	}
	Ended(cmd)
	_ = windows.TerminateJobObject(j, 1)
	return computedIn(j), cmd.Wait()
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, times in 100 ns.
type accounting struct {
	user, kernel, periodUser, periodKernel int64
	faults, total, active, terminated      uint32
}

// computedIn is for all processes that were in a job. wine says 0.
func computedIn(j windows.Handle) time.Duration {
	var a accounting
	err := windows.QueryInformationJobObject(j, windows.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	if err != nil {
		return 0
	}
	return time.Duration(a.user+a.kernel) * 100 * time.Nanosecond
}
