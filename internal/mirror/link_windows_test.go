package mirror

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"cupel/internal/environ"
	"cupel/internal/testbed"
)

// TestFolderEntries: a junction and a folder of hard links both show what is in the real folder, and are told to be right
// until that changes.
func TestFolderEntries(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real é")
	write(t, filepath.Join(real, "sub", "a.h"), "one")
	for name, make := range map[string]func(at, to string) error{"junction": junction, "hard links": pointFolder, "whatever works": point} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(dir, "at "+name)
			err := make(at, real)
			if errors.Is(err, windows.ERROR_NOT_SUPPORTED) {
				t.Skip("this system has no junctions (wine 8)")
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, filepath.Join(at, "sub", "a.h")); got != "one" {
				t.Errorf("a.h reads %q", got)
			}
			if !leads(at, real) {
				t.Error("what was made is told to be wrong")
			}
			if leads(at, dir) {
				t.Error("it is told to lead elsewhere, too")
			}
			info, err := os.Lstat(at)
			if err != nil {
				t.Fatal(err)
			}
			if own := isFolder(at, info); own != (name == "hard links") && name != "whatever works" {
				t.Errorf("a folder of its own: %t", own)
			}
		})
	}
	write(t, filepath.Join(real, "sub", "b.h"), "two")
	if leads(filepath.Join(dir, "at hard links"), real) {
		t.Error("a folder of hard links that lacks a file is told to be right")
	}
}

// TestReparseData: the bytes of a junction as ntifs.h has them, names with their NUL.
func TestReparseData(t *testing.T) {
	want := "\x03\x00\x00\xa0" + "\x1c\x00" + "\x00\x00" + // tag, length of the rest, reserved
		"\x00\x00" + "\x0c\x00" + "\x0e\x00" + "\x04\x00" + // substitute name: offset, length; print name: offset, length
		"\\\x00?\x00?\x00\\\x00D\x00:\x00\x00\x00" + "D\x00:\x00\x00\x00"
	if got := string(reparse("D:")); got != want {
		t.Errorf("reparse = %q, want %q", got, want)
	}
}

func TestLongPaths(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	write(t, filepath.Join(real, "a.h"), "one")
	at := filepath.Join(dir, strings.Repeat("long name ", 12)+"x", strings.Repeat("longer name ", 12)+"y")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	at = filepath.Join(at, "include")
	if err := point(at, real); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(at, "a.h")); got != "one" || !leads(at, real) {
		t.Errorf("%d letters: reads %q", len(at), got)
	}
}

// homeOf is a folder that is taken away when the last program in it has ended: the system holds one's file a moment longer.
// Its files are links to the toolkit's own, so a test beside that runs nvcc.exe from there holds them as well.
func homeOf(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mirror")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 900 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(200 * time.Millisecond)
		}
		t.Errorf("a program in it still runs: %v", err)
	})
	return dir
}

// TestRealNvccExe: NVIDIA's nvcc.exe, its own tools and cl.exe behind shims make what plain nvcc.exe makes.
func TestRealNvccExe(t *testing.T) {
	testbed.Root(t, "vs")
	testbed.Root(t, "win-cuda-13.0")
	root := testbed.CUDAFolder + `\v13.0`
	if _, err := os.Stat(root); err != nil {
		t.Skip("no CUDA in " + root + ": this test runs in the test bed's wine prefix")
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	write(t, filepath.Join(dir, "k.cu"), "__global__ void k(int *p) { *p = 1; }\n")
	tools := []string{"ptxas", "cicc", "cudafe++", "fatbinary", "cl"}
	set := environ.Set{OS: "windows", Vars: []environ.Var{{Name: "PATH", Kind: environ.Prepend, Dirs: []string{root + `\bin`, testbed.HostX64}}}}
	p := mirrorOf(t, root, homeOf(t), Options{Tools: tools, Set: set})
	run := func(nvcc string, path []string, out string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(limit(t), nvcc, append(args, "-arch=sm_80", "-o", out, "k.cu")...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+strings.Join(path, ";")+";"+os.Getenv("PATH"), logVariable+"="+log, "CUPEL_NO_CACHE=1")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, text)
		}
		return read(t, filepath.Join(dir, out))
	}
	through := p.Redirect(set).Vars[0].Dirs
	kinds := []string{"-cubin", "-ptx", "-fatbin"}
	if testing.Short() {
		kinds = kinds[:1] // an object takes all tools
	}
	for _, kind := range kinds {
		got := run(p.Nvcc, through, "a"+kind, kind)
		if want := run(root+`\bin\nvcc.exe`, set.Vars[0].Dirs, "b"+kind, kind); got != want {
			t.Errorf("%s: %d bytes through the mirror differ from the %d of plain nvcc", kind, len(got), len(want))
		}
	}
	run(p.Nvcc, through, "k.obj", "-c")
	got := calls(t, log)
	for _, tool := range append([]string{"nvcc"}, tools...) {
		if got[tool] == 0 {
			t.Errorf("%s was never called by its shim: %v", tool, got)
		}
	}
	if got["nvcc"] != len(kinds)+1 {
		t.Errorf("nvcc was called %d times, want %d", got["nvcc"], len(kinds)+1)
	}
}
