package host

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cupel/internal/pattern"
)

func TestRealReads(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.h")
	if err := os.WriteFile(path, []byte("#define X 1\r\n#define CUDA_VERSION 13000\r\nint y;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h := Here()
	lines, err := h.Lines(path, pattern.New(`#define CUDA_VERSION (\d+)`))
	if err != nil || len(lines) != 1 || lines[0] != "#define CUDA_VERSION 13000" {
		t.Errorf("Lines = %q, %v", lines, err)
	}
	if _, err := h.ReadFile(dir); err == nil {
		t.Error("ReadFile of a folder succeeds")
	}
	for name, ask := range map[string]func(string) error{
		"Stat":  func(p string) error { _, err := h.Stat(p); return err },
		"Names": func(p string) error { _, err := h.Names(p, pattern.New(`.`)); return err },
		"Open":  func(p string) error { _, err := h.Open(p); return err },
	} {
		if err := ask(filepath.Join(path, "below")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of a path through a file = %v, want does not exist", name, err)
		}
	}
	big := filepath.Join(dir, "big")
	f, err := os.Create(big)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(MaxFile + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := h.ReadFile(big); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("ReadFile of a file over the limit = %v", err)
	}
}

// TestSearchOwnBinary finds a string in the read-only data of this very test program.
func TestSearchOwnBinary(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := Here().Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	at, size := readOnlyData(b)
	if at == 0 || size == 0 || at+size > b.Size() {
		t.Errorf("read-only data of %s at %d, %d bytes, of %d", exe, at, size, b.Size())
	}
}

func TestRunLimits(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sleep and sh are not on Windows")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on this machine")
	}
	h := Here()
	// The child of the hanging program holds the pipe too: the limit must end both.
	start := time.Now()
	res, err := h.Run(context.Background(), Command{Path: sh, Args: []string{"-c", "sleep 60 & wait"}, Timeout: 200 * time.Millisecond})
	if err == nil || !res.TimedOut {
		t.Errorf("a hanging program = %+v, %v", res, err)
	}
	if time.Since(start) > 20*time.Second {
		t.Error("the limit did not end the wait")
	}
	if res, err = h.Run(context.Background(), Command{Path: sh, Args: []string{"-c", "echo out; echo err >&2; exit 9"}, Timeout: time.Minute}); err != nil || res.Code != 9 || res.Stdout != "out\n" || res.Stderr != "err\n" {
		t.Errorf("a refusing program = %+v, %v", res, err)
	}
	if res, err = h.Run(context.Background(), Command{Path: sh, Args: []string{"-c", "yes | head -c 9000000"}, Timeout: time.Minute}); err != nil || len(res.Stdout) != maxOutput {
		t.Errorf("a program that prints much: %d bytes, %v", len(res.Stdout), err)
	}
	if h.Processes() != 3 {
		t.Errorf("Processes = %d, want 3", h.Processes())
	}
}

// TestRecordAndReplay: what was asked of a real machine can be asked of its recording.
func TestRecordAndReplay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights of their own on Windows")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"cuda-13.0/bin", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("cuda-13.0/bin/nvcc", "\x7fnot elf\x00release 13.0, V13.0.88\x00", 0o755)
	write("cuda-13.0/version.json", "{}\n", 0o644)
	write("config.toml", "a = 1\nregistry-token = \"s3cr3t\"\n-- x --\n", 0o644)
	for link, target := range map[string]string{"cuda": "cuda-13.0", "other/nvcc": "../cuda/bin/nvcc"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	rec := Record(Here(), func(string) bool { return false })
	ask := func(h Host) []string {
		var out []string
		say := func(s string, err error) {
			if err != nil {
				s = "error"
			}
			out = append(out, s)
		}
		say(h.Resolve(filepath.Join(dir, "other/nvcc")))
		say(h.Search(filepath.Join(dir, "cuda/bin/nvcc"), pattern.New(`release \d+\.\d+, V\d+\.\d+\.\d+`)))
		b, err := h.ReadFile(filepath.Join(dir, "cuda/version.json"))
		say(string(b), err)
		names, err := h.Names(filepath.Join(dir, "cuda"), pattern.New("."))
		say(strings.Join(names, " "), err)
		_, err = h.Stat(filepath.Join(dir, "nowhere"))
		say("there", err)
		b, err = h.ReadFile(filepath.Join(dir, "config.toml"))
		say(strings.ReplaceAll(string(b), "s3cr3t", leftOut), err)
		return out
	}
	live := ask(rec)
	archive := rec.Archive("test", nil)
	if strings.Contains(string(archive), "s3cr3t") {
		t.Error("the recording holds a token")
	}
	replayed, err := Parse(archive, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, archive)
	}
	if again := ask(replayed); strings.Join(live, "|") != strings.Join(again, "|") {
		t.Errorf("replay differs:\nlive   %q\nreplay %q\n%s", live, again, archive)
	}
}
