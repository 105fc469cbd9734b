package peers

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tracer is the words before a command whose started programs are written to a file; none when strace is not here.
func tracer(log string) []string {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return nil
	}
	return []string{strace, "-f", "-qq", "-e", "trace=execve", "-e", "signal=none", "-o", log}
}

// started are the programs that a command and its children started, by name, the command itself left out. ok is false when nothing can be
// counted here or the command fails.
func started(t testing.TB, dir string, env []string, argv ...string) (programs []string, ok bool) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "execve")
	trace := tracer(log)
	if trace == nil {
		return nil, false
	}
	if _, err := try(t, dir, env, append(trace, argv...)...); err != nil {
		return nil, false
	}
	return readStarts(string(read(t, log)))[1:], true
}

// readStarts reads strace's lines: `4711 execve("/usr/bin/sh", ["sh"], 0x… /* 9 vars */) = 0`. Tries on PATH that found nothing are no starts.
func readStarts(log string) []string {
	var out []string
	for line := range strings.Lines(log) {
		_, rest, is := strings.Cut(line, `execve("`)
		path, _, _ := strings.Cut(rest, `"`)
		// A start that another thread interrupts is written in two lines; the second has the answer.
		if is && !strings.Contains(line, ") = -1 ") {
			out = append(out, filepath.Base(path))
		}
	}
	return out
}

func TestReadStarts(t *testing.T) {
	for _, tt := range []struct{ name, log, want string }{
		{"a start", `1 execve("/bin/sh", ["sh", "-c", "x"], 0x7ffd /* 9 vars */) = 0`, "sh"},
		{"not found on PATH", `1 execve("/usr/local/bin/g++", ["g++"], 0x1 /* 9 vars */) = -1 ENOENT (No such file or directory)`, ""},
		{"in two lines", "1 execve(\"/bin/cicc\", [\"cicc\"], 0x1 /* 9 vars */ <unfinished ...>\n1 <... execve resumed>) = 0", "cicc"},
		{"the end of a process", "1 +++ exited with 0 +++", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(readStarts(tt.log), " "); got != tt.want {
				t.Errorf("readStarts(%q) = %q, want %q", tt.log, got, tt.want)
			}
		})
	}
}

// TestStarted: nvcc's own stages are seen.
func TestStarted(t *testing.T) {
	tk, s := newToolkit(t, "12.4"), small(t, 1)
	got, ok := started(t, s.dir, nil, append([]string{tk.nvcc}, s.call(s.sources[0])...)...)
	if !ok {
		t.Skip("strace is not here: run scripts/testbed fetch strace")
	}
	for _, want := range []string{"cicc", "ptxas", "cudafe++", "fatbinary"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among the started programs %q", want, got)
		}
	}
}
