package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/testbed"
)

// The real driver libraries of Debian, on a machine whose kernel has no NVIDIA module.
func TestRealLibrariesWithoutKernelModule(t *testing.T) {
	if _, err := os.Stat("/proc/driver/nvidia/version"); err == nil {
		t.Skip("this machine has the NVIDIA kernel module loaded")
	}
	folder := filepath.Join(testbed.Root(t, "driver-535"), "usr/lib/x86_64-linux-gnu/nvidia/current")
	nvml, cuda := filepath.Join(folder, "libnvidia-ml.so.1"), filepath.Join(folder, "libcuda.so.1")
	want := fact.GPUReport{
		Format: "cupel.gpu/1",
		NVML:   fact.LibraryAnswer{Found: true, Asked: nvml, File: resolved(t, nvml), Code: 9, Error: "nvmlInit_v2: error 9 (Driver Not Loaded)"},
		Cuda:   fact.LibraryAnswer{Found: true, Asked: cuda, File: resolved(t, cuda)},
		Level:  12020,
	}
	t.Run("by path", func(t *testing.T) {
		got := ask(t, exec.Command(build(t, "linux"), "--nvml", nvml, "--cuda", cuda))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("report (-want +got):\n%s", diff)
		}
	})
	t.Run("found by the loader", func(t *testing.T) {
		want := want
		want.NVML.Asked, want.Cuda.Asked = "libnvidia-ml.so.1", "libcuda.so.1"
		cmd := exec.Command(build(t, "linux"))
		cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+folder)
		if diff := cmp.Diff(want, ask(t, cmd)); diff != "" {
			t.Errorf("report (-want +got):\n%s", diff)
		}
	})
}

// The real stub libraries of a toolkit: they load, refuse, and say what they are.
func TestRealStubLibraries(t *testing.T) {
	stubs := filepath.Join(testbed.Root(t, "cuda-12.4"), "lib64", "stubs")
	got := ask(t, exec.Command(build(t, "linux"), "--nvml", filepath.Join(stubs, "libnvidia-ml.so"), "--cuda", filepath.Join(stubs, "libcuda.so")))
	if got.NVML.Code != 9 || !strings.Contains(got.NVML.Error, "stub library") || strings.Contains(got.NVML.Error, "\n") {
		t.Errorf("nvml = %+v; want code 9 and the stub's notice on one line", got.NVML)
	}
	if got.Cuda.Code != 34 || got.Level != 0 {
		t.Errorf("libcuda = %+v, level %d; want code 34 and no level", got.Cuda, got.Level)
	}
}

func TestMissingLibraries(t *testing.T) {
	junk := filepath.Join(t.TempDir(), "junk.so")
	if err := os.WriteFile(junk, []byte("not a library"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, file, want string }{
		{"no such file", "/nowhere/lib.so", "/nowhere/lib.so: cannot open shared object file"},
		{"not a library", junk, junk + ": file too short"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(t, exec.Command(build(t, "linux"), "--nvml", tt.file, "--cuda", tt.file))
			for _, answer := range []fact.LibraryAnswer{got.NVML, got.Cuda} {
				if answer.Found || !strings.HasPrefix(answer.Error, tt.want) {
					t.Errorf("answer %+v; want not found, error %q…", answer, tt.want)
				}
			}
		})
	}
}

func TestCalledWrongly(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		code int
	}{
		{"unknown option", []string{"--frobnicate"}, 2},
		{"option without its value", []string{"--nvml"}, 2},
		{"argument", []string{"doctor"}, 2},
		{"help is no mistake", []string{"--help"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(build(t, "linux"), tt.args...)
			stdout, err := cmd.Output()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != tt.code || len(stdout) != 0 {
				t.Errorf("exit %d, stdout %q; want %d and none", code, stdout, tt.code)
			}
		})
	}
}

// Initialising CUDA starts GPUs up and takes memory on them. The name would have to be in the program to be looked up.
func TestNeverNamesInit(t *testing.T) {
	for _, goos := range []string{"linux", "windows"} {
		program, err := os.ReadFile(build(t, goos))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(program, []byte("cuDriverGetVersion")) {
			t.Errorf("%s: cuDriverGetVersion is not in the program, so this test sees nothing", goos)
		}
		for _, name := range []string{"cuInit", "cuCtxCreate", "cuDevicePrimaryCtxRetain", "nvmlDeviceSet", "nvmlDeviceGetSerial"} {
			if bytes.Contains(program, []byte(name)) {
				t.Errorf("%s: the program names %s", goos, name)
			}
		}
	}
}

func resolved(t *testing.T, file string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		t.Fatal(err)
	}
	return real
}
