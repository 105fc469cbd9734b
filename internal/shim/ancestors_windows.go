package shim

import (
	"iter"
	"unsafe"

	win "golang.org/x/sys/windows"
)

// startOf is when a process was started, in the system's 100 ns, or 0.
func startOf(pid int) uint64 {
	h, err := win.OpenProcess(win.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer win.CloseHandle(h)
	var created, exited, kernel, user win.Filetime
	if win.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return uint64(created.HighDateTime)<<32 | uint64(created.LowDateTime)
}

// ancestors are the processes above this one, nearest first. Windows does not follow a parent that ended: its number may be
// another process's by now, which then is younger than its child.
func ancestors() iter.Seq[process] {
	return func(yield func(process) bool) {
		parents := parents()
		pid := win.GetCurrentProcessId()
		born := startOf(int(pid))
		for range len(parents) {
			pid = parents[pid]
			start := startOf(int(pid))
			if pid == 0 || start == 0 || start > born || !yield(process{int(pid), start}) {
				return
			}
			born = start
		}
	}
}

// parents lists all processes with their parents.
func parents() map[uint32]uint32 {
	all := map[uint32]uint32{}
	snap, err := win.CreateToolhelp32Snapshot(win.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return all
	}
	defer win.CloseHandle(snap)
	var e win.ProcessEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err = win.Process32First(snap, &e); err == nil; err = win.Process32Next(snap, &e) {
		all[e.ProcessID] = e.ParentProcessID
	}
	return all
}
