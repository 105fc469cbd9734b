package shim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"cupel/internal/call"
	"cupel/internal/testbed"
)

const kernel = `__global__ void add(float *a, const float *b, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) a[i] += b[i];
}
`

// TestNvcc: NVIDIA's own compiler behind the shim writes the same files, says the same and ends the same. Objects are in
// TestObject: two runs of nvcc write different ones.
func TestNvcc(t *testing.T) {
	for _, part := range []string{"cuda-12.4", "cuda-13.0"} {
		t.Run(part, func(t *testing.T) {
			if part != "cuda-13.0" {
				testbed.Long(t)
			}
			real := filepath.Join(testbed.Toolkit(t, part), "bin", "nvcc")
			for _, tt := range []struct {
				name string
				args []string
				file string
			}{
				{"version", []string{"--version"}, ""},
				{"PTX", []string{"-ptx", "-arch=sm_80", "k.cu", "-o", "k.ptx"}, "k.ptx"},
				{"cubin", []string{"-cubin", "-arch=sm_80", "k.cu", "-o", "k.cubin"}, "k.cubin"},
				{"fatbin", []string{"-fatbin", "-gencode=arch=compute_80,code=[sm_80,compute_80]", "k.cu", "-o", "k.fatbin"}, "k.fatbin"},
				{"default name", []string{"-ptx", "k.cu"}, "k.ptx"},
				{"error in the source", []string{"-ptx", "bad.cu"}, ""},
				{"unknown option", []string{"--no-such-option"}, ""},
				{"no such file", []string{"-c", "gone.cu"}, ""},
			} {
				t.Run(tt.name, func(t *testing.T) {
					if tt.name == "PTX" || tt.name == "cubin" { // a fatbin has both
						testbed.Long(t)
					}
					b := newBench(t)
					b.pointTo(t, real)
					args := tt.args
					if tt.name != "version" {
						args = append([]string{"-ccbin", "g++-12"}, args...)
					}
					dir := t.TempDir()
					write(t, filepath.Join(dir, "k.cu"), kernel)
					write(t, filepath.Join(dir, "bad.cu"), "__global__ void k( { int x = ; }\n")
					run := func(program string) (outcome, []byte) {
						cmd := b.command(t, program, "", args...)
						cmd.Dir = dir
						o := ways["two pipes"](t, cmd)
						made, _ := os.ReadFile(filepath.Join(dir, tt.file))
						_ = os.Remove(filepath.Join(dir, tt.file))
						return o, made
					}
					want, wantFile := run(real)
					got, gotFile := run(b.shim)
					if got != want {
						t.Errorf("through the shim: %+v\ndirect: %+v", got, want)
					}
					if !bytes.Equal(gotFile, wantFile) || tt.file != "" && len(gotFile) == 0 {
						t.Errorf("%s: %d bytes, direct %d", tt.file, len(gotFile), len(wantFile))
					}
					c := b.only(t)
					if string(c.Of(call.Stdout)) != want.out || string(c.Of(call.Stderr)) != want.err || c.Failed() != (want.state != "exit status 0") {
						t.Errorf("recorded %s, %+v", c.Text(), c.End)
					}
					if tt.file != "" && (c.End.Peak < 10<<20 || c.End.User <= 0) {
						t.Errorf("a compiler with %d bytes of memory and %v s of time?", c.End.Peak, c.End.User)
					}
					checkFiles(t, c, tt.file, len(gotFile))
				})
			}
		})
	}
}

// checkFiles: a call that compiles tells its source and what it made.
func checkFiles(t *testing.T, c call.Call, file string, size int) {
	t.Helper()
	if file == "" {
		return
	}
	if in := c.Begin.Inputs; len(in) != 1 || in[0] != (call.File{Path: "k.cu", Size: int64(len(kernel))}) {
		t.Errorf("inputs = %+v", in)
	}
	if out := c.End.Outputs; len(out) != 1 || out[0] != (call.File{Path: file, Size: int64(size)}) {
		t.Errorf("outputs = %+v", out)
	}
}

// TestResponseFile: nvcc reads it, and the record has what it says.
func TestResponseFile(t *testing.T) {
	b := newBench(t)
	b.pointTo(t, filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"))
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), kernel)
	write(t, filepath.Join(dir, "args.rsp"), "-ptx -arch=sm_90\nk.cu -o out.ptx\n")
	cmd := b.command(t, b.shim, "", "-ccbin", "g++-12", "--options-file", "args.rsp")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := b.only(t)
	if len(c.Begin.Args) != 4 || len(c.Begin.Expanded) != 7 || c.Begin.Expanded[3] != "-arch=sm_90" {
		t.Errorf("args %q, expanded %q, lost %q", c.Begin.Args, c.Begin.Expanded, c.Begin.Lost)
	}
	if out := c.End.Outputs; len(out) != 1 || out[0].Path != "out.ptx" || out[0].Size <= 0 {
		t.Errorf("outputs = %+v", out)
	}
	cmd = b.command(t, b.shim, "", "--options-file", "gone.rsp")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Errorf("nvcc took a response file that is not there: %s", out)
	}
	if list := b.calls(t); len(list) != 2 || len(list[1].Begin.Lost) != 1 {
		t.Errorf("recorded %+v", list[len(list)-1].Begin)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
