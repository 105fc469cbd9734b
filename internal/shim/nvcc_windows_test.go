package shim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/testbed"
)

const kernel = "__global__ void k(int *p) { *p = 1; }\n"

// TestNvcc: NVIDIA's own nvcc.exe behind the shim, also when it is called wrongly, has an error to tell or finds no cl.exe.
func TestNvcc(t *testing.T) {
	testbed.Root(t, "vs")
	testbed.Root(t, "win-cuda-13.0")
	real := testbed.CUDAFolder + `\v13.0\bin\nvcc.exe`
	for _, tt := range []struct {
		name, file string
		noCompiler bool
		args       []string
	}{
		{"version", "", false, []string{"--version"}},
		{"PTX", "k.ptx", false, []string{"-ptx", "-arch=sm_80", "-o", "k.ptx", "with spaces.cu"}},
		{"error in the source", "", false, []string{"-ptx", "-o", "k.ptx", "bad.cu"}},
		{"no cl.exe", "", true, []string{"-ptx", "-o", "k.ptx", "bad.cu"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.pointTo(t, real)
			dir := t.TempDir()
			for name, text := range map[string]string{"with spaces.cu": kernel, "bad.cu": "__global__ void k( { int x = ; }\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			run := func(program string) (outcome, []byte) {
				cmd := b.command(t, program, "", tt.args...)
				cmd.Dir = dir
				if !tt.noCompiler {
					cmd.Env = append(cmd.Env, "PATH="+testbed.HostX64+";"+os.Getenv("PATH"))
				}
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
				t.Errorf("%s: %d bytes, direct %d: %+v", tt.file, len(gotFile), len(wantFile), got)
			}
			c := b.only(t)
			if string(c.Of(call.Stdout)) != want.out || string(c.Of(call.Stderr)) != want.err || c.Failed() != (want.state != "exit status 0") {
				t.Errorf("recorded %s, %+v", c.Text(), c.End)
			}
			if tt.noCompiler && !strings.Contains(want.err+want.out, "cl.exe") {
				t.Errorf("nvcc does not miss cl.exe: %+v", want)
			}
		})
	}
}
