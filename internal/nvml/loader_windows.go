package nvml

import (
	"fmt"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// nvmlNames: today's drivers put nvml.dll into System32, older ones only beside nvidia-smi.
func nvmlNames() []string {
	names := []string{"nvml.dll"}
	if programs, err := windows.KnownFolderPath(windows.FOLDERID_ProgramFiles, windows.KF_FLAG_DEFAULT); err == nil {
		names = append(names, filepath.Join(programs, "NVIDIA Corporation", "NVSMI", "nvml.dll"))
	}
	return names
}

func cudaNames() []string { return []string{"nvcuda.dll"} }

// load takes a bare name from System32 only: a file of that name in the current folder or on PATH is not the
// driver. A full path brings its own folder for the libraries it needs.
func load(name string) (uintptr, error) {
	flags := uintptr(windows.LOAD_LIBRARY_SEARCH_SYSTEM32)
	if filepath.IsAbs(name) {
		flags = windows.LOAD_WITH_ALTERED_SEARCH_PATH
	}
	handle, err := windows.LoadLibraryEx(name, 0, flags)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return uintptr(handle), nil
}

func lookup(handle uintptr, name string) uintptr {
	addr, err := windows.GetProcAddress(windows.Handle(handle), name)
	if err != nil {
		return 0
	}
	return addr
}

// invoke calls C code; the caller keeps alive what the arguments point to.
//
//go:uintptrescapes
func invoke(addr uintptr, args ...uintptr) uintptr {
	r, _, _ := syscall.SyscallN(addr, args...)
	return r
}

func loadedFile(handle, _ uintptr) string {
	var buffer [windows.MAX_LONG_PATH]uint16
	n, err := windows.GetModuleFileName(windows.Handle(handle), &buffer[0], uint32(len(buffer)))
	if err != nil {
		return ""
	}
	return windows.UTF16ToString(buffer[:n])
}
