package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
)

// gpus is what the stand-in's two devices must look like.
func gpus() []fact.GPUAnswer {
	return []fact.GPUAnswer{
		{Index: 0, Name: "NVIDIA H200", UUID: "GPU-00000000-1111-2222-3333-444444444444", PCI: "00000000:3B:00.0", PCIDevice: "2335",
			CC: "9.0", MemoryBytes: 150754820096, ComputeMode: "default", MIG: "off"},
		{Index: 1, Name: "NVIDIA GeForce RTX 5060 Ti", PCI: "00000010:AF:00.0", PCIDevice: "2d04",
			CC: "12.0", MemoryBytes: 17103323136, ComputeMode: "exclusive-process",
			Errors: map[string]string{"uuid": "nvmlDeviceGetUUID: error 15 (GPU is lost)"}},
	}
}

func standinCommand(ctx context.Context, t *testing.T, trouble string, flags ...string) (cmd *exec.Cmd, nvml, cuda string) {
	nvml = standin(t, "gcc", "nvml.c", "libstandin-nvml.so", flags...)
	cuda = standin(t, "gcc", "cuda.c", "libstandin-cuda.so")
	cmd = exec.CommandContext(ctx, build(t, "linux"), "--json", "--nvml", nvml, "--cuda", cuda)
	cmd.Env = append(os.Environ(), "STANDIN="+trouble)
	return cmd, nvml, cuda
}

func TestStandinReports(t *testing.T) {
	refused := func(code int, text string) func(*fact.GPUReport) {
		return func(r *fact.GPUReport) {
			r.NVML.Code, r.NVML.Error = code, text
			r.Driver, r.CUDA, r.GPUs = "", 0, nil
		}
	}
	for _, tt := range []struct {
		name, trouble string
		flags         []string
		change        func(*fact.GPUReport)
	}{
		{"two GPUs, one field of one refused", "", nil, func(*fact.GPUReport) {}},
		{"kernel module not loaded", "not-loaded", nil, refused(9, "nvmlInit_v2: error 9 (Driver Not Loaded)")},
		{"kernel module of another version", "mismatch", nil, refused(18, "nvmlInit_v2: error 18 (Driver/library version mismatch)")},
		{"one GPU lost leaves the other", "lost", nil, func(r *fact.GPUReport) {
			r.GPUs[1] = fact.GPUAnswer{Index: 1, Errors: map[string]string{"handle": "nvmlDeviceGetHandleByIndex_v2: error 15 (GPU is lost)"}}
		}},
		{"driver version refused, the rest still asked", "no-version", nil, func(r *fact.GPUReport) {
			r.Driver, r.NVML.Code, r.NVML.Error = "", 999, "nvmlSystemGetDriverVersion: error 999 (Unknown Error)"
		}},
		{"absurd count of devices", "many", nil, func(r *fact.GPUReport) {
			r.GPUs, r.NVML.Error = nil, "nvmlDeviceGetCount_v2: 4294967294 devices cannot be right"
		}},
		{"library that prints to stdout", "print", nil, func(*fact.GPUReport) {}},
		{"stub driver library", "stub", nil, func(r *fact.GPUReport) {
			r.Level, r.Cuda.Code, r.Cuda.Error = 0, 34, "cuDriverGetVersion: error 34"
		}},
		{"old driver without the newer functions", "", []string{"-DOLD_DRIVER"}, func(r *fact.GPUReport) {
			r.CUDA = 10010
			r.GPUs[0].MIG = ""
			r.GPUs[0].Errors = map[string]string{"mig": "nvmlDeviceGetMigMode is not in this library"}
			r.GPUs[1].Errors["mig"] = "nvmlDeviceGetMigMode is not in this library"
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd, nvml, cuda := standinCommand(t.Context(), t, tt.trouble, tt.flags...)
			want := fact.GPUReport{
				Format: "cupel.gpu/1", Driver: "580.95.05", CUDA: 13000, Level: 13000, GPUs: gpus(),
				NVML: fact.LibraryAnswer{Found: true, Asked: nvml, File: nvml},
				Cuda: fact.LibraryAnswer{Found: true, Asked: cuda, File: cuda},
			}
			tt.change(&want)
			if diff := cmp.Diff(want, ask(t, cmd)); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

// A library that crashes or hangs takes the program down, and then no half report is left behind.
func TestStandinBreaksDown(t *testing.T) {
	for _, trouble := range []string{"crash", "hang"} {
		t.Run(trouble, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			cmd, _, _ := standinCommand(ctx, t, trouble)
			stdout, err := cmd.Output()
			if err == nil || len(stdout) != 0 {
				t.Errorf("error %v, stdout %q; want an error and no output", err, stdout)
			}
			if hung := ctx.Err() != nil; hung != (trouble == "hang") {
				t.Errorf("had to be killed: %v", hung)
			}
		})
	}
}

// What a library tries to change on the machine is refused, and the report is whole all the same.
func TestStandinMayNotMeddle(t *testing.T) {
	cmd, _, _ := standinCommand(t.Context(), t, "meddle")
	cmd.Dir = t.TempDir()
	var stderr strings.Builder
	report := askInto(t, cmd, &stderr)
	if got, want := strings.TrimSpace(stderr.String()), "stand-in: made 0 linked 0 ran 0"; got != want {
		t.Errorf("the library says %q, want %q", got, want)
	}
	if diff := cmp.Diff(gpus(), report.GPUs); diff != "" {
		t.Errorf("GPUs (-want +got):\n%s", diff)
	}
}
