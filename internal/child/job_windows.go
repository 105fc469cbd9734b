package child

import (
	"fmt"
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// NewJob makes a job that ends its processes when this program ends, however it ends. What is started from now on is in
// the outer job besides.
func NewJob() (windows.Handle, error) {
	outer()
	return newJob()
}

// outer puts this program into a job of its own, once. Its children are born into it, so none is left when cupel is
// killed between the start of a suspended child and the child's own job. The handle stays open until cupel ends; then
// whatever a command left running ends too, as it does at the end of each command. Where this program may not be in a
// second job it goes on without: that gap is all that is lost.
var outer = sync.OnceFunc(func() {
	j, err := newJob()
	if err == nil && windows.AssignProcessToJobObject(j, windows.CurrentProcess()) != nil {
		_ = windows.CloseHandle(j)
	}
})

func newJob() (windows.Handle, error) {
	j, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("make a job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	// A program that asks to leave the job may: refused, its start would fail below cupel and nowhere else.
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK
	_, err = windows.SetInformationJobObject(j, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(j)
		return 0, fmt.Errorf("limit a job object: %w", err)
	}
	return j, nil
}

// StartIn starts a suspended command, puts it in the job and lets it go: so none of its children is outside.
func StartIn(j windows.Handle, cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	err := assign(j, uint32(cmd.Process.Pid))
	if err == nil {
		err = resume(uint32(cmd.Process.Pid))
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	return err
}

func assign(j windows.Handle, pid uint32) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return fmt.Errorf("open the process: %w", err)
	}
	defer windows.CloseHandle(p)
	if err := windows.AssignProcessToJobObject(j, p); err != nil {
		return fmt.Errorf("put the process into a job: %w", err)
	}
	return nil
}

// resume lets the one thread of a suspended process run.
func resume(pid uint32) error {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("list threads: %w", err)
	}
	defer windows.CloseHandle(snap)
	var e windows.ThreadEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Thread32First(snap, &e); err == nil; err = windows.Thread32Next(snap, &e) {
		if e.OwnerProcessID != pid {
			continue
		}
		t, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, e.ThreadID)
		if err != nil {
			return fmt.Errorf("open the thread: %w", err)
		}
		_, err = windows.ResumeThread(t)
		_ = windows.CloseHandle(t)
		return err
	}
	return fmt.Errorf("list threads: none of process %d", pid)
}

// Ended waits for the process alone, not for its output.
func Ended(cmd *exec.Cmd) {
	p, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(cmd.Process.Pid))
	if err != nil {
		return
	}
	defer windows.CloseHandle(p)
	_, _ = windows.WaitForSingleObject(p, windows.INFINITE)
}
