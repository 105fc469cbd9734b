//go:build !windows && !(linux && (amd64 || arm64))

package nvml

import (
	"fmt"
	"runtime"
)

// NVIDIA ships no current driver for these systems, so there is nothing to load and nothing to call.

func nvmlNames() []string { return []string{"NVML"} }

func cudaNames() []string { return []string{"the CUDA driver library"} }

func load(name string) (uintptr, error) {
	return 0, fmt.Errorf("%s is not available on %s/%s", name, runtime.GOOS, runtime.GOARCH)
}

func lookup(uintptr, string) uintptr { return 0 }

func invoke(uintptr, ...uintptr) uintptr { panic("nvml: no library can be loaded here") }

func loadedFile(uintptr, uintptr) string { return "" }
