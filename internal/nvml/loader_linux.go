//go:build linux && (amd64 || arm64)

package nvml

import (
	"os"

	"github.com/ebitengine/purego"
)

// wslFolder is where Windows mounts its driver into a WSL2 guest. It is tried second, because a guest whose
// loader does not know the folder still has a GPU; Asked in the report tells the difference.
const wslFolder = "/usr/lib/wsl/lib/"

func nvmlNames() []string { return withWSL("libnvidia-ml.so.1") }

func cudaNames() []string { return withWSL("libcuda.so.1") }

func withWSL(name string) []string {
	if _, err := os.Stat(wslFolder + name); err != nil {
		return []string{name}
	}
	return []string{name, wslFolder + name}
}

func load(name string) (uintptr, error) {
	return purego.Dlopen(name, purego.RTLD_LAZY|purego.RTLD_LOCAL)
}

func lookup(handle uintptr, name string) uintptr {
	addr, err := purego.Dlsym(handle, name)
	if err != nil {
		return 0
	}
	return addr
}

// invoke calls C code; the caller keeps alive what the arguments point to.
//
//go:uintptrescapes
func invoke(addr uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(addr, args...)
	return r
}

func loadedFile(_, address uintptr) string {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return ""
	}
	return mappedFile(string(maps), uint64(address))
}
