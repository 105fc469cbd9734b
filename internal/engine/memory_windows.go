package engine

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX of sysinfoapi.h.
type memoryStatus struct {
	length, load                        uint32
	totalPhys, availPhys                uint64
	totalPageFile, availPageFile        uint64
	totalVirtual, availVirtual, availEx uint64
}

// freeMemory: what is free and what may still be promised to processes (a page file that is full refuses before memory is).
// 0: it cannot be told.
func freeMemory() int64 {
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	ok, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx").Call(uintptr(unsafe.Pointer(&s)))
	if ok == 0 {
		return 0
	}
	return int64(max(1, min(s.availPhys, s.availPageFile)))
}
