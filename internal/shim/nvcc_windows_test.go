package shim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/cas"
	"cupel/internal/testbed"
)

const kernel = "__global__ void k(int *p) { *p = 1; }\n"

// TestCached: NVIDIA's own nvcc.exe, in a run and with the launcher: a miss, then a hit; files and words are those of nvcc.exe
// itself. Objects hold the moment in which they were made (design, section 11).
func TestCached(t *testing.T) {
	testbed.Root(t, "vs")
	testbed.Root(t, "win-cuda-13.0")
	real := testbed.CUDAFolder + `\v13.0\bin\nvcc.exe`
	for _, way := range []string{"exec", "launcher"} {
		t.Run(way, func(t *testing.T) {
			b := newBench(t)
			b.pointTo(t, real)
			dir := filepath.Join(t.TempDir(), "a b")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "with spaces.cu"), []byte(kernel), 0o644); err != nil {
				t.Fatal(err)
			}
			args := []string{"-fatbin", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_86,code=sm_86", "-o", "k.fatbin", "with spaces.cu"}
			run := func(program string, args ...string) (outcome, []byte) {
				cmd := b.command(t, program, "", args...)
				cmd.Dir, cmd.Env = dir, append(cmd.Env, "PATH="+testbed.HostX64+";"+os.Getenv("PATH"))
				if way == "launcher" {
					cmd.Env = append(cmd.Env, call.RunVariable+"=")
				}
				o := ways["two pipes"](t, cmd)
				made, _ := os.ReadFile(filepath.Join(dir, "k.fatbin"))
				_ = os.Remove(filepath.Join(dir, "k.fatbin"))
				return o, made
			}
			want, wantFile := run(real, args...)
			program, all := b.shim, args
			if way == "launcher" {
				program, all = launcher(t), append([]string{real}, args...)
			}
			for i := range 2 {
				got, gotFile := run(program, all...)
				if got != want || !bytes.Equal(gotFile, wantFile) || len(gotFile) == 0 {
					t.Errorf("call %d: %+v, %d bytes\ndirect: %+v, %d bytes", i, got, len(gotFile), want, len(wantFile))
				}
			}
			counted, err := cas.Store{Dir: filepath.Join(b.cache, "store")}.Tally()
			if err != nil || counted["miss new"] != 1 || counted["hit"] != 1 {
				t.Errorf("counted %v (%v), want a miss and a hit", counted, err)
			}
			if way == "launcher" {
				return
			}
			for i, told := range []string{"miss new", "hit"} {
				if list := b.calls(t); len(list) != 2 || list[i].End == nil || list[i].End.Cache != told {
					t.Errorf("call %d is recorded as %+v, want %s", i, list[i].End, told)
				}
			}
		})
	}
}

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
