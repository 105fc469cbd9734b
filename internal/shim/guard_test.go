package shim_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/call"
	"cupel/internal/shim"
)

func TestMap(t *testing.T) {
	tools := map[string]string{"nvcc": "/usr/local/cuda 13/bin/nvcc", "g++": `C:\a b\g++.exe`}
	text, err := shim.WriteMap(tools)
	if err != nil {
		t.Fatal(err)
	}
	if want := "cupel-shim 1\ng++\tC:\\a b\\g++.exe\nnvcc\t/usr/local/cuda 13/bin/nvcc\n"; string(text) != want {
		t.Errorf("WriteMap = %q, want %q", text, want)
	}
	got, err := shim.ReadMap(text)
	if err != nil || !cmp.Equal(got, tools) {
		t.Errorf("ReadMap = %v, %v", got, err)
	}
	for _, bad := range []map[string]string{{"a\tb": "/x"}, {"a": "/x\ny"}, {"": "/x"}, {"a": ""}} {
		if text, err := shim.WriteMap(bad); err == nil {
			t.Errorf("WriteMap(%q) = %q, want an error", bad, text)
		}
	}
	for _, bad := range []string{"", "cupel-shim 1", "cupel-shim 2\n", "nvcc\t/x\n", "cupel-shim 1\nnvcc /x\n", "cupel-shim 1\nnvcc\t/usr/bi", "cupel-shim 1\n\t/x\n"} {
		if got, err := shim.ReadMap([]byte(bad)); err == nil {
			t.Errorf("ReadMap(%q) = %v, want an error", bad, got)
		}
	}
}

// TestCannot: what the shim itself says, and its exit code.
func TestCannot(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(t *testing.T, b *bench)
		code int
		says string
	}{
		{"the real tool is gone", func(t *testing.T, b *bench) { b.pointTo(t, filepath.Join(t.TempDir(), "nvcc")) }, 127, "cupel-nvcc: start "},
		{"the real tool is no program", func(t *testing.T, b *bench) {
			path := filepath.Join(t.TempDir(), "nvcc")
			if err := os.WriteFile(path, []byte("no program"), 0o644); err != nil {
				t.Fatal(err)
			}
			b.pointTo(t, path)
		}, 126, "cupel-nvcc: start "},
		{"the real tool is the shim", func(t *testing.T, b *bench) { b.pointTo(t, b.real); b.write(t, b.shim) }, 125, "is this program itself"},
		{"no map", func(t *testing.T, b *bench) {
			b.pointTo(t, b.real)
			if err := os.WriteFile(filepath.Join(b.mirror, shim.MapFile), []byte("something else"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, 125, "find the real tool: read "},
		{"a map without the tool", func(t *testing.T, b *bench) {
			b.pointTo(t, b.real)
			if err := os.WriteFile(filepath.Join(b.mirror, shim.MapFile), []byte("cupel-shim 1\nptxas\t/x\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, 125, "find the real nvcc: "},
	} {
		for _, run := range []string{"in a run", "outside"} {
			t.Run(tt.name+" "+run, func(t *testing.T) {
				b := newBench(t)
				tt.make(t, b)
				cmd := b.command(t, b.shim, "talk")
				if run == "outside" {
					cmd.Env = append(cmd.Env, call.RunVariable+"=")
				}
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.ExitCode() != tt.code || !strings.Contains(string(out), tt.says) {
					t.Errorf("%v: %s\nwant code %d and %q", err, out, tt.code, tt.says)
				}
				if run == "outside" || tt.code == 125 {
					return
				}
				if c := b.only(t); c.End.Error == "" || c.End.Code != int64(tt.code) || !c.Failed() {
					t.Errorf("recorded %+v", c.End)
				}
			})
		}
	}
}

// TestWrapper: a real tool that calls the tool again by PATH comes to the next one there; one call, one record.
func TestWrapper(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	next := install(t, filepath.Join(dir, "next", "bin", exe("nvcc")))
	// The wrapper is no shim, not the next one, and not the same file as either.
	wrapper := install(t, filepath.Join(dir, "wrapper", "bin", exe("nvcc")))
	b.pointTo(t, wrapper)
	// Another mirror's shim on PATH is no way out.
	other := install(t, filepath.Join(dir, "other", "bin", exe("nvcc")))
	if err := os.WriteFile(filepath.Join(dir, "other", shim.MapFile), []byte("cupel-shim 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	path := []string{filepath.Dir(b.shim), filepath.Dir(wrapper), filepath.Dir(other)}
	cmd := b.command(t, b.shim, "again", "one", "two three")
	cmd.Env = append(cmd.Env, "PATH="+strings.Join(append(path, filepath.Dir(next)), string(filepath.ListSeparator)))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "0 \"one\"\n1 \"two three\"\n") {
		t.Errorf("%v: %s", err, out)
	}
	if c := b.only(t); c.Begin.Path != wrapper {
		t.Errorf("recorded %s, want %s", c.Begin.Path, wrapper)
	}
	cmd = b.command(t, b.shim, "again")
	cmd.Env = append(cmd.Env, "PATH="+strings.Join(path, string(filepath.ListSeparator)))
	out, err = cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 125 || !strings.Contains(string(out), "calls "+exe("nvcc")+" again") {
		t.Errorf("without another on PATH: %v: %s", err, out)
	}
}

// TestToolByName: each shim of a mirror is the tool of its own name.
func TestToolByName(t *testing.T) {
	b := newBench(t)
	b.pointTo(t, b.real)
	ptxas := install(t, filepath.Join(b.mirror, "tools", exe("ptxas")))
	if runtime.GOOS == "windows" {
		ptxas = filepath.Join(filepath.Dir(ptxas), "PTXAS.EXE")
	}
	text, err := shim.WriteMap(map[string]string{"nvcc": filepath.Join(b.mirror, "gone"), "ptxas": b.real})
	if err == nil {
		err = os.WriteFile(filepath.Join(b.mirror, shim.MapFile), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := b.command(t, ptxas, "talk").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if c := b.only(t); c.Begin.Tool != "ptxas" || c.Begin.Path != b.real {
		t.Errorf("recorded %s, %s", c.Begin.Tool, c.Begin.Path)
	}
}
