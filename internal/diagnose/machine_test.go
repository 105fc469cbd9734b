package diagnose

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/doctor"
	"cupel/internal/host"
	"cupel/internal/probe"
	"cupel/internal/testbed"
)

// machineOf judges a recorded host as the doctor does.
func machineOf(t *testing.T, name string) *Machine {
	t.Helper()
	h, err := host.LoadFile(filepath.Join(testbed.Repo(t), "testdata", "hosts", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	m, p := probe.Survey(context.Background(), h, probe.Options{Helper: "cupel-gpu"})
	return &Machine{Answer: doctor.Judge(m, p, doctor.Options{})}
}

func answerOn(t *testing.T, text, hostName string) Answer {
	t.Helper()
	seen, err := Read(strings.NewReader(text), whole(t))
	if err != nil {
		t.Fatal(err)
	}
	return Judge(seen, Options{Machine: machineOf(t, hostName)})
}

// TestSharpened: the facts of a machine confirm or contradict a cause, choose between causes, and make the fix
// concrete.
func TestSharpened(t *testing.T) {
	for _, tt := range []struct{ name, host, log, label, state, next string }{
		{"a toolkit here knows the target", "ubuntu-five-toolkits", "nvcc fatal   : Unsupported gpu architecture 'compute_120'", "arch-newer-than-toolkit", "", "cupel toolkit use"},
		{"the active toolkit knows it", "h200-server", "nvcc fatal   : Unsupported gpu architecture 'compute_90'", "arch-newer-than-toolkit", Contradicted, ""},
		{"the doctor finds the same", "broken-mismatch", "Failed to initialize NVML: Driver/library version mismatch", "driver-library-mismatch", Confirmed, ""},
		{"the doctor does not find it", "ubuntu-l4", "Failed to initialize NVML: Driver/library version mismatch", "driver-library-mismatch", NotSeen, ""},
		{"the driver here is older", "ubuntu-l4", "/usr/local/cuda-13.3/bin/nvcc\nCUDA error 222: the provided PTX was compiled with an unsupported toolchain.", "ptx-newer-than-driver", Confirmed, "cupel toolkit install"},
		{"no GPU in the container", "container-nogpu", "RuntimeError: no CUDA-capable device is detected", "gpu-not-passed-to-container", Confirmed, ""},
		{"the log proves another cause", "ubuntu-bare", "sh: 1: cicc: not found", "toolkit-incomplete", "", ""},
		{"WSL2 is known by the machine", "wsl2-linux-driver", "Unable to dynamically load the \"cuda\" shared library - searched for library names: [\"cuda\", \"nvcuda\"].", "wsl-libcuda-not-found", "", ""},
		{"the GPU's own target", "ubuntu-l4", "CUDA error 209: no kernel image is available for execution on the device", "binary-lacks-gpu-arch", "", "CMAKE_CUDA_ARCHITECTURES=89"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := answerOn(t, tt.log, tt.host)
			if first(a) != tt.label {
				t.Fatalf("got %s, want %s", told(a), tt.label)
			}
			f := a.Findings[0]
			if got := f.Machine; tt.state != "" && (got == nil || got.State != tt.state) {
				t.Errorf("machine says %+v, want %s", got, tt.state)
			}
			var steps []string
			for _, s := range f.Next {
				steps = append(steps, s.Command+" "+s.Note)
			}
			if tt.next != "" && !slices.ContainsFunc(steps, func(s string) bool { return strings.Contains(s, tt.next) }) {
				t.Errorf("next %q names no %q", steps, tt.next)
			}
		})
	}
}

// TestOtherPlatform: a log of another system is not judged by this machine's facts.
func TestOtherPlatform(t *testing.T) {
	a := answerOn(t, "LINK : fatal error LNK1181: cannot open input file 'cuda.lib'\r\nC:\\src\\x.vcxproj", "ubuntu-l4")
	if len(a.Findings) == 0 || a.Findings[0].Machine != nil || !strings.Contains(a.Machine, "not asked") {
		t.Errorf("machine %q, findings %+v", a.Machine, a.Findings)
	}
}
