package diagnose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLogs asks for the whole of two folders of real logs: failures that have nothing to do with CUDA, and runs
// that went well.
func TestLogs(t *testing.T) {
	set := whole(t)
	for _, dir := range []string{"logs-plain", "logs-well"} {
		for file, want := range labelled(t, dir) {
			t.Run(dir+"/"+file, func(t *testing.T) {
				text, err := os.ReadFile(filepath.Join("../../testdata", dir, file))
				if err != nil {
					t.Fatal(err)
				}
				a := answer(t, set, string(text), "")
				t.Log(told(a), a.Log.Platforms)
				if got := first(a); !slices.Contains(want, got) {
					t.Errorf("want %q, got %s", want, told(a))
				}
				if first(a) == Unknown && len(a.Telling) == 0 {
					t.Error("an unknown cause without a line to read")
				}
			})
		}
	}
}

// labelled reads labels.tsv: file, accepted labels, note.
func labelled(t *testing.T, dir string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../testdata", dir, "labels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, row := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cols := strings.Split(row, "\t")
		out[cols[0]] = strings.Split(cols[1], "|")
	}
	return out
}

// TestQuiet: start-up noise that speaks of errors is no failure.
func TestQuiet(t *testing.T) {
	set := whole(t)
	for _, tt := range []struct{ name, log string }{
		// tensorflow/tensorflow issue 85604
		{"TensorFlow's factories", "2025-02-05 05:33:28.844110: E external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:477] Unable to register cuFFT factory: Attempting to register factory for plugin cuFFT when one has already been registered\nWARNING: All log messages before absl::InitializeLog() is called are written to STDERR\nE0000 00:00:1738726408.859348   16754 cuda_dnn.cc:8310] Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has already been registered\nE0000 00:00:1738726408.863713   16754 cuda_blas.cc:1418] Unable to register cuBLAS factory: Attempting to register factory for plugin cuBLAS when one has already been registered"},
		// sagiodev/stablediffusion_webui issue 9
		{"TensorRT that is not there", "2023-12-05 09:29:20.002737: W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT\nno module 'xformers'. Processing without..."},
		{"a GPU that is there", "I external/local_xla/xla/stream_executor/cuda/cuda_executor.cc:901] successful NUMA node read from SysFS had negative value (-1), but there must be at least one NUMA node, so returning NUMA node zero.\n[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]"},
		{"git outside a clone", "fatal: not a git repository (or any of the parent directories): .git\n" + strings.Repeat("[ 10%] Building CUDA object k.cu.o\n", 12)},
		{"CUDA that is only named", "CUDA errors are checked after each launch; no CUDA error so far\nnvcc -Werror all-warnings -o error_test.o\nerrors: 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if a := answer(t, set, tt.log, ""); len(a.Findings) > 0 {
				t.Errorf("got %s, want nothing", told(a))
			}
		})
	}
}
