package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDaemon: one that went away twice is found, named with its arguments, and ended.
func TestDaemon(t *testing.T) {
	c := sh(t, "(setsid sh -c '(sleep 61 &)' &); sleep 0.2; exit 4")
	end := Run(t.Context(), c)
	if end.Code != 4 || len(end.Left) != 1 || filepath.Base(end.Left[0].Path) != "sleep" || !slices.Equal(end.Left[0].Args, []string{"sleep", "61"}) || end.Left[0].Dir != c.Dir {
		t.Errorf("Run = %+v, want code 4 and one sleep", end)
	}
	nobody(t, c.Dir)
}

// TestLastWords: what a process behind a pipe still has to write is not lost.
func TestLastWords(t *testing.T) {
	c := sh(t, "")
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed here")
	}
	c.Path, c.Argv = bash, []string{"bash", "-c", "exec > >(sleep 0.3; cat); echo the last word"}
	end := Run(t.Context(), c)
	if got := output(t, c); got != "the last word\n" || end.Left != nil {
		t.Errorf("Run = %+v, output %q", end, got)
	}
}

// TestJobserver: make below cupel below make has its tokens from the first.
func TestJobserver(t *testing.T) {
	gnu, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed here")
	}
	cmd, dir := cupel(t, "", "-j3")
	cmd.Path, cmd.Args[0] = gnu, "make"
	cmd.Env = append(cmd.Env, "CUPEL="+self(t))
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("Makefile", "all:\n\t+@\"$(CUPEL)\" "+gnu+" -f inner.mk\n")
	write("inner.mk", "all: a b c d\na b c d:\n\t@echo + >> log; sleep 0.5; echo - >> log\n")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "jobserver") {
		t.Fatalf("make: %v\n%s", err, out)
	}
	at, most := 0, 0
	for line := range strings.Lines(until(t, dir, "log")) {
		if line == "+\n" {
			at++
		} else {
			at--
		}
		most = max(most, at)
	}
	if most != 3 {
		t.Errorf("%d jobs ran at once, want 3", most)
	}
	nobody(t, dir)
}

// TestStorm: thousands of short processes, whose parents do not wait, leave no trace and do not hide a compiler.
func TestStorm(t *testing.T) {
	nvcc := programOf(t, "nvcc", "")
	c := sh(t, `i=0; while [ $i -lt 3000 ]; do (true &); i=$((i+1)); done; "$1" 0.5
cat /proc/[0-9]*/stat 2>/dev/null | awk -v up=$PPID '$3 == "Z" && $4 == up' | wc -l`, "sh", nvcc)
	c.Watch = []string{"nvcc"}
	end := Run(t.Context(), c)
	if end.Code != 0 || len(end.PassedBy) != 1 || end.PassedBy[0].Path != nvcc {
		t.Errorf("Run = %+v, want %s passed by", end, nvcc)
	}
	if got := strings.TrimSpace(output(t, c)); got != "0" {
		t.Errorf("%s ended processes were not waited for", got)
	}
}

// programOf makes a program of a name: a script, or without a text a copy of sleep.
func programOf(t *testing.T, name, text string) string {
	t.Helper()
	b := []byte(text)
	if text == "" {
		sleep, err := exec.LookPath("sleep")
		if err != nil {
			t.Fatal(err)
		}
		if b, err = os.ReadFile(sleep); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestScripts: a wrapper called nvcc counts, unless it leads to a shim.
func TestScripts(t *testing.T) {
	shim, compiler := programOf(t, "nvcc", ""), programOf(t, "nvcc", "")
	wrapper := programOf(t, "nvcc", "#!/bin/sh -e\nsleep 0.5; exit 0\n")
	for _, tt := range []struct {
		name, line string
		want       []string
	}{
		{"a script", `"$1" x.cu`, []string{wrapper}},
		{"a script that becomes the compiler", programOf(t, "nvcc", "#!/bin/sh\nsleep 0.3; exec '"+compiler+"' 0.3\n"), []string{"itself"}},
		{"a script that becomes the shim", programOf(t, "nvcc", "#!/bin/sh\nsleep 0.3; exec '"+shim+"' 0.3\n"), nil},
		{"a script that calls the shim", programOf(t, "nvcc", "#!/bin/sh\nsleep 0.3; '"+shim+"' 0.3; exit 0\n"), nil},
		{"words of a shell", "sh -c 'sleep 0.5; exit 0' nvcc", nil},
		{"a shell that becomes the compiler", "sleep 0.3; exec " + compiler + " 0.3", []string{compiler}},
		{"a link to the shim", "ln " + shim + " ./nvcc; ./nvcc 0.5", nil},
		{"a link to the compiler", "ln -s " + compiler + " ./cc; ./cc 0.5", []string{compiler}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := sh(t, tt.line, "sh", wrapper)
			c.Watch, c.Shims = []string{"nvcc"}, []string{shim}
			end := Run(t.Context(), c)
			var got []string
			for _, p := range end.PassedBy {
				if p.Path == tt.line {
					p.Path = "itself"
				}
				got = append(got, p.Path)
			}
			if end.Code != 0 || !slices.Equal(got, tt.want) {
				t.Errorf("Run = %+v, passed by %q, want %q", end, got, tt.want)
			}
		})
	}
}
