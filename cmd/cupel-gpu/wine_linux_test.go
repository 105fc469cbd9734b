package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/testbed"
)

const mingw = "x86_64-w64-mingw32-gcc"

// wine makes a command that runs the Windows program in the test bed's prefix.
func wine(t *testing.T, p testbed.Prefix, trouble string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := p.Command(t.Context(), build(t, "windows"), args...)
	cmd.Env = append(cmd.Env, "STANDIN="+trouble)
	return cmd
}

func TestWindowsProgram(t *testing.T) {
	p := testbed.Wine(t)
	nvml := p.Windows(standin(t, mingw, "nvml.c", "nvml.dll"))
	cuda := p.Windows(standin(t, mingw, "cuda.c", "nvcuda.dll"))
	want := fact.GPUReport{
		Format: "cupel.gpu/1", Driver: "580.95.05", CUDA: 13000, Level: 13000, GPUs: gpus(),
		NVML: fact.LibraryAnswer{Found: true, Asked: nvml, File: nvml},
		Cuda: fact.LibraryAnswer{Found: true, Asked: cuda, File: cuda},
	}
	want.GPUs[0].DriverModel, want.GPUs[1].DriverModel = "tcc", "wddm"
	for _, trouble := range []string{"", "print"} {
		t.Run("trouble "+trouble, func(t *testing.T) {
			got := ask(t, wine(t, p, trouble, "--nvml", nvml, "--cuda", cuda))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

// A DLL in the current folder is not the driver's, whatever its name.
func TestWindowsIgnoresCurrentFolder(t *testing.T) {
	cmd := wine(t, testbed.Wine(t), "")
	cmd.Dir = filepath.Dir(standin(t, mingw, "nvml.c", "nvml.dll"))
	got := ask(t, cmd)
	if got.NVML.Found || !strings.Contains(got.NVML.Error, "nvml.dll: ") || !strings.Contains(got.NVML.Error, `NVSMI\nvml.dll: `) {
		t.Errorf("nvml = %+v; want not found, with both places that were tried", got.NVML)
	}
	if got.Cuda.Found || !strings.HasPrefix(got.Cuda.Error, "nvcuda.dll: ") {
		t.Errorf("libcuda = %+v; want not found", got.Cuda)
	}
}
