package tree

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// formatError is in the system's own language.
const formatError = ""

// detached: without the console, in a group of its own.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
