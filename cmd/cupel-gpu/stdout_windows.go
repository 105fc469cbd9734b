package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// setStdoutAside keeps a handle of its own to the real stdout for the report and points everybody else's at
// stderr: the standard handle for C runtimes that are loaded later, and those that are in the process already,
// which took theirs when they were loaded.
func setStdoutAside() (*os.File, error) {
	kept, err := duplicate(windows.Handle(os.Stdout.Fd()))
	if err != nil {
		return nil, err
	}
	stderr, err := windows.GetStdHandle(windows.STD_ERROR_HANDLE)
	if err != nil || stderr == 0 {
		return os.Stdout, nil // started without a stderr: there is nowhere else to point
	}
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, stderr); err != nil {
		return nil, err
	}
	for _, runtime := range []string{"msvcrt.dll", "ucrtbase.dll"} {
		redirect(runtime)
	}
	return os.NewFile(uintptr(kept), "stdout"), nil
}

func duplicate(handle windows.Handle) (windows.Handle, error) {
	var copied windows.Handle
	self := windows.CurrentProcess()
	err := windows.DuplicateHandle(self, handle, self, &copied, 0, false, windows.DUPLICATE_SAME_ACCESS)
	return copied, err
}

// redirect makes descriptor 1 of a loaded C runtime a copy of its descriptor 2. A runtime that is not loaded
// needs nothing.
func redirect(runtime string) {
	name, err := windows.UTF16PtrFromString(runtime)
	if err != nil {
		return
	}
	var module windows.Handle
	if windows.GetModuleHandleEx(windows.GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, name, &module) != nil {
		return
	}
	if dup2, err := windows.GetProcAddress(module, "_dup2"); err == nil {
		syscall.SyscallN(dup2, 2, 1)
	}
}
