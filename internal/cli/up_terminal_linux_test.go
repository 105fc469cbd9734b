package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// upProject is a project with one kernel, and a mirror with a toolkit for it.
func upProject(t *testing.T) (project, mirror, home string) {
	t.Helper()
	project, mirror, home = t.TempDir(), t.TempDir(), t.TempDir()
	if err := writeSmallMirror(mirror, "13.0.2"); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"cupel.toml": "cupel = 1\n[project]\nname = \"demo\"\n[toolkit]\nmin = \"13.0\"\n[arch]\ntargets = [\"8.0\"]\n[[kernels]]\nname = \"k\"\nsources = [\"k.cu\"]\nkinds = \"static\"\n",
		"k.cu":       "__global__ void k() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return project, mirror, home
}

// TestUpAsks: the plan first, then the licence; no is the default for both.
func TestUpAsks(t *testing.T) {
	project, mirror, home := upProject(t)
	for _, tt := range []struct {
		name, plan, licence string
		code                int
	}{
		{"not the plan", "\n", "", 2},
		{"not the licence", "y\n", "n\n", 2},
		{"both", "y\n", "y\n", 0},
		{"nothing is left to ask", "", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newTerminal(t)
			cmd, out := cupelOn(t, x, home, "up", project, "--from", "redist", "--mirror", mirror)
			for _, ask := range []struct{ question, typed string }{{"Carry this out? [y/N]", tt.plan}, {"Do you accept it? [y/N]", tt.licence}} {
				if ask.typed == "" {
					continue
				}
				x.until(t, ask.question)
				if _, err := x.master.WriteString(ask.typed); err != nil {
					t.Fatal(err)
				}
			}
			if code := codeOf(cmd.Wait()); code != tt.code {
				t.Fatalf("exit code %d, want %d\n%s\n%s", code, tt.code, out, x.text())
			}
			_, err := os.Stat(filepath.Join(project, "build", "cupel", "k", "libk.a"))
			if built := err == nil; built != (tt.code == 0) {
				t.Errorf("built %t, want %t", built, tt.code == 0)
			}
		})
	}
}

// TestUpInterrupt: Ctrl-C ends with 130, and nothing half-installed can be seen.
func TestUpInterrupt(t *testing.T) {
	project, mirror, home := upProject(t)
	x := newTerminal(t)
	cmd, out := cupelOn(t, x, home, "up", project, "--from", "redist", "--mirror", stalling(t, mirror), "--yes")
	x.until(t, "asking the sources")
	time.Sleep(time.Second)
	if _, err := x.master.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	if code := codeOf(cmd.Wait()); code != 130 {
		t.Errorf("exit code %d, want 130\n%s\n%s", code, out, x.text())
	}
	entries, _ := os.ReadDir(filepath.Join(home, "cupel", "toolkits"))
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s was left", e.Name())
		}
	}
}

// TestUpTimeout: --timeout that runs out is told as such.
func TestUpTimeout(t *testing.T) {
	project, mirror, home := upProject(t)
	x := newTerminal(t)
	cmd, out := cupelOn(t, x, home, "up", project, "--from", "redist", "--mirror", stalling(t, mirror), "--yes", "--timeout", "3s")
	if code := codeOf(cmd.Wait()); code != 1 || !strings.Contains(out.String(), "--timeout") {
		t.Errorf("exit code %d, want 1 with the reason\n%s\n%s", code, out, x.text())
	}
}
