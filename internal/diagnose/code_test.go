package diagnose

import (
	"strings"
	"testing"

	"cupel/data"
)

func TestCodeOf(t *testing.T) {
	for _, tt := range []struct{ in, name string }{
		{"222", "222, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, cudaErrorUnsupportedPtxVersion"},
		{"CUDA_ERROR_NO_DEVICE", "100, CUDA_ERROR_NO_DEVICE, cudaErrorNoDevice"},
		{"cuda_error_no_device", "100, CUDA_ERROR_NO_DEVICE, cudaErrorNoDevice"},
		{"cudaErrorNoDevice", "100, CUDA_ERROR_NO_DEVICE, cudaErrorNoDevice"},
		{"0xC0000135", "0xC0000135"},
		{"-1073741515", "0xC0000135"},
		{"3221225781", "0xC0000135"},
		{"exit code -1073741515", "0xC0000135"},
		{"exit 137", "exit 137"},
		{"exit code: 137", "exit 137"},
		{"Exit status 139", "exit 139"},
		{"signal 9", "exit 137"},
		{"LNK1181 cuda.lib", "LNK1181"},
		{"lnk1181  'cuda.lib'", "LNK1181"},
		{"C1083 cuda.h", "C1083"},
		{"0x64", "100, CUDA_ERROR_NO_DEVICE, cudaErrorNoDevice"},
	} {
		c, ok := CodeOf(tt.in)
		if !ok || c.Name != tt.name {
			t.Errorf("CodeOf(%q) = %q, %v; want %q", tt.in, c.Name, ok, tt.name)
		}
	}
	for _, in := range []string{"", "build.log", "4711", "exit 4711", "exit", "0x", "0xZZ", "99999999999999999999", "-99999999999", "LNK", "nvcc fatal"} {
		if c, ok := CodeOf(in); ok {
			t.Errorf("CodeOf(%q) = %q, want none", in, c.Name)
		}
	}
}

// TestEveryCode: each CUDA error that is a failure is told with a cause of its own when a log names it, by its names,
// its number or its message.
func TestEveryCode(t *testing.T) {
	set := whole(t)
	untold := map[int]string{0: "success", 600: "work is not finished: no failure", 10: "no cause is known", 103: "no cause is known", 227: "no cause is known"}
	for _, c := range data.Codes() {
		if untold[c.Code] != "" {
			continue
		}
		code, ok := CodeOf(c.Driver)
		if c.Driver == "" {
			code, ok = CodeOf(c.Runtime)
		}
		if !ok {
			t.Errorf("code %d is not found by its name", c.Code)
			continue
		}
		if a := answer(t, set, code.Line, ""); first(a) == Unknown || first(a) == "none" {
			t.Errorf("code %d (%s): no signature tells it", c.Code, code.Line)
		}
	}
}

// TestToolCodes: a tool's code with its file is told as the tool's own line is.
func TestToolCodes(t *testing.T) {
	set := whole(t)
	for _, tt := range []struct{ in, label string }{
		{"LNK1181 cuda.lib", "cuda-lib-dir-not-searched"},
		{"LNK1104 cudart.lib", "cuda-lib-dir-not-searched"},
		{"LNK2019 cuInit", "driver-api-not-linked"},
		{"LNK2001 cublasCreate_v2", "cublas-not-linked"},
		{"C1083 cuda_runtime.h", "cuda-headers-missing"},
	} {
		c, ok := CodeOf(tt.in)
		if !ok {
			t.Errorf("%q is no code", tt.in)
			continue
		}
		if a := answer(t, set, c.Line, ""); first(a) != tt.label {
			t.Errorf("%q (%s): got %s, want %s", tt.in, c.Line, told(a), tt.label)
		}
	}
}

func TestCodeAlone(t *testing.T) {
	for _, tt := range []struct{ in, label, says string }{
		{"exit 137", "compile-resources-exhausted", "SIGKILL"},
		{"0xC0000135", "cuda-dll-not-found-windows", "STATUS_DLL_NOT_FOUND"},
		{"exit 1", Unknown, "not why"},
	} {
		c, _ := CodeOf(tt.in)
		a := (Answer{Findings: []Finding{}}).WithCode(c)
		if f := a.Findings[0]; f.Label != tt.label || !strings.Contains(f.What, tt.says) {
			t.Errorf("%s: %s, %q; want %s and %q", tt.in, f.Label, f.What, tt.label, tt.says)
		}
	}
}
