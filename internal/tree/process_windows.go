package tree

import (
	"os"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"cupel/internal/call"
)

// idList is JOBOBJECT_BASIC_PROCESS_ID_LIST with room for as many processes as are looked at.
type idList struct {
	assigned, listed uint32
	ids              [4096]uintptr
}

// members are the processes of a job.
func members(j windows.Handle) []uint32 {
	var list idList
	err := windows.QueryInformationJobObject(j, windows.JobObjectBasicProcessIdList, uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && err != windows.ERROR_MORE_DATA {
		return nil
	}
	out := make([]uint32, 0, list.listed)
	for _, pid := range list.ids[:min(int(list.listed), len(list.ids))] {
		out = append(out, uint32(pid))
	}
	return out
}

// image is the program of a process, with the time at which it began.
func image(pid uint32) (string, time.Time) {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return "", time.Time{}
	}
	defer windows.CloseHandle(p)
	name := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(name))
	if windows.QueryFullProcessImageName(p, 0, &name[0], &size) != nil {
		return "", time.Time{}
	}
	var began, ended, kernel, user windows.Filetime
	_ = windows.GetProcessTimes(p, &began, &ended, &kernel, &user)
	return windows.UTF16ToString(name[:size]), time.Unix(0, began.Nanoseconds())
}

// parentsOf tells for every process by whom it was started.
func parentsOf() map[uint32]uint32 {
	out := map[uint32]uint32{}
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return out
	}
	defer windows.CloseHandle(snap)
	var e windows.ProcessEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		out[e.ProcessID] = e.ParentProcessID
	}
	return out
}

// ancestors are the processes above one, up to cupel. A number is given again when its process is gone: what began later
// than its child is not the parent.
func ancestors(pid uint32, parents map[uint32]uint32) (out []uint32) {
	_, began := image(pid)
	for range 64 {
		up, ok := parents[pid]
		path, earlier := image(up)
		if !ok || up == uint32(os.Getpid()) || path == "" || earlier.After(began) {
			return out
		}
		out = append(out, up)
		pid, began = up, earlier
	}
	return out
}

// describe tells what can be told of a process. False: it is gone.
func describe(pid uint32, parents map[uint32]uint32) (call.Process, bool) {
	path, _ := image(pid)
	if path == "" {
		return call.Process{}, false
	}
	p := call.Process{PID: int(pid), Path: path}
	p.Args, p.Dir = called(pid)
	if up := ancestors(pid, parents); len(up) > 0 {
		p.Parent, _ = image(up[0])
	}
	return p, true
}

// called tells with which words a process was called, and its folder. Both stand in its own memory, where the system puts
// them for its libraries; a process of another account does not show them.
func called(pid uint32) (args []string, dir string) {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_INFORMATION|windows.PROCESS_VM_READ, false, pid)
	if err != nil {
		return nil, ""
	}
	defer windows.CloseHandle(p)
	var basic [unsafe.Sizeof(windows.PROCESS_BASIC_INFORMATION{}) / unsafe.Sizeof(uintptr(0))]uintptr
	if windows.NtQueryInformationProcess(p, windows.ProcessBasicInformation, unsafe.Pointer(&basic), uint32(unsafe.Sizeof(basic)), nil) != nil {
		return nil, ""
	}
	peb := basic[unsafe.Offsetof(windows.PROCESS_BASIC_INFORMATION{}.PebBaseAddress)/unsafe.Sizeof(uintptr(0))]
	var params uintptr
	if !read(p, peb+unsafe.Offsetof(windows.PEB{}.ProcessParameters), unsafe.Pointer(&params), unsafe.Sizeof(params)) {
		return nil, ""
	}
	args, _ = windows.DecomposeCommandLine(readText(p, params+unsafe.Offsetof(windows.RTL_USER_PROCESS_PARAMETERS{}.CommandLine)))
	dir = readText(p, params+unsafe.Offsetof(windows.RTL_USER_PROCESS_PARAMETERS{}.CurrentDirectory))
	if len(dir) > len(`C:\`) {
		dir = strings.TrimSuffix(dir, `\`)
	}
	return args, dir
}

// foreignText is a UNICODE_STRING of another process: its pointer is a number here, which the garbage collector lets be.
type foreignText struct {
	length, room uint16
	at           uintptr
}

func readText(p windows.Handle, from uintptr) string {
	var s foreignText
	if !read(p, from, unsafe.Pointer(&s), unsafe.Sizeof(s)) || s.length < 2 {
		return ""
	}
	text := make([]uint16, s.length/2)
	if !read(p, s.at, unsafe.Pointer(&text[0]), uintptr(len(text)*2)) {
		return ""
	}
	return windows.UTF16ToString(text)
}

func read(p windows.Handle, from uintptr, to unsafe.Pointer, size uintptr) bool {
	return windows.ReadProcessMemory(p, from, (*byte)(to), size, nil) == nil
}
