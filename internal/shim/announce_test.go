package shim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/shim"
)

// TestAnnounced: a call whose environment was cleaned on the way is found by its ancestors, and only then.
func TestAnnounced(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("ancestors cannot be told here")
	}
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, file string)
		want   int
	}{
		{"as it is", func(*testing.T, string) {}, 1},
		{"another process with that number", func(t *testing.T, file string) { edit(t, file, 3, "1") }, 0},
		{"a process that is no ancestor", func(t *testing.T, file string) { edit(t, file, 2, "999999") }, 0},
		{"half written", func(t *testing.T, file string) { edit(t, file, 4, "") }, 0},
		{"something else", func(t *testing.T, file string) { edit(t, file, 0, "cupel-run 2") }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			release, err := shim.Announce(b.mirror, b.live.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer release()
			tt.change(t, filepath.Join(b.mirror, call.ActiveDir, filepath.Base(b.live.Dir)))
			cmd := b.command(t, b.shim, "talk")
			cmd.Env = clean()
			out, err := cmd.Output()
			if err != nil || !strings.HasPrefix(string(out), "out 0\r\n") {
				t.Fatalf("%v: %.50q", err, out)
			}
			list := b.calls(t)
			if len(list) != tt.want {
				t.Fatalf("%d calls were recorded, want %d", len(list), tt.want)
			}
			for _, c := range list {
				if !c.Begin.Outside || len(c.Begin.Env.Unset) == 0 || string(c.Text()) == "" {
					t.Errorf("recorded %+v", c.Begin)
				}
			}
		})
	}
}

// clean is an environment that tells nothing of a run. (Windows programs do not start without SystemRoot.)
func clean() []string {
	return []string{"TOOL_DOES=talk", "SystemRoot=" + os.Getenv("SystemRoot")}
}

func edit(t *testing.T, file string, line int, text string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	if line < len(lines)-1 {
		lines[line] = text
	} else {
		lines = lines[:line-1]
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAnnounceSweeps: what a killed cupel left is removed, what goes on stays.
func TestAnnounceSweeps(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("ancestors cannot be told here")
	}
	mirror := t.TempDir()
	first, err := shim.Announce(mirror, filepath.Join(t.TempDir(), "first"))
	if err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(mirror, call.ActiveDir, "stale")
	if err := os.WriteFile(stale, fmt.Appendf(nil, "cupel-run 1\n/runs/stale\n%d\n1\n", os.Getpid()), 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := shim.Announce(mirror, filepath.Join(t.TempDir(), "second"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, filepath.Join(mirror, call.ActiveDir)), "first second"; got != want {
		t.Errorf("announced: %s, want %s", got, want)
	}
	first()
	second()
	if got := names(t, filepath.Join(mirror, call.ActiveDir)); got != "" {
		t.Errorf("left: %s", got)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}
