package toolkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHostCompilerOfTheProof: what is wrong with the host compiler is not the toolkit's fault.
func TestHostCompilerOfTheProof(t *testing.T) {
	s := newShop(t, here)
	dir := t.TempDir()
	exe := map[bool]string{true: ".exe"}[here.Windows()]
	works := filepath.Join(dir, "refused"+exe) // it runs, and nvcc says no to it
	program, err := runnable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(works, program, 0o755); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken", "refused"+exe)
	for _, tt := range []struct {
		name, compiler string
		proved         bool
		want           string
	}{
		{"none", "", true, "dry run left out: no host compiler"},
		{"one that does not start", broken, true, "dry run left out: " + broken + " does not work"},
		{"one that nvcc refuses", works, false, "Failed to preprocess host compiler properties"},
		{"any", filepath.Join(dir, "g++"), true, "dry run with g++: 5 steps"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", dir)
			i := newInstaller(t)
			i.Compiler = tt.compiler
			out, err := i.Install(ctx, s, s.plan(t, here))
			said := strings.Join(out.Proof, "; ")
			if err != nil {
				said = err.Error()
			}
			if (err == nil) != tt.proved || is[Unproved](err) == tt.proved || !strings.Contains(said, tt.want) {
				t.Errorf("install: %s, want proved %t and %q", said, tt.proved, tt.want)
			}
		})
	}
}

// TestEnvironmentOfTheProof: what the user set for nvcc does not decide whether a toolkit works.
func TestEnvironmentOfTheProof(t *testing.T) {
	t.Setenv("NVCC_APPEND_FLAGS", "--no-such-flag")
	t.Setenv("NVCC_CCBIN", "no-such-compiler")
	for _, v := range plainEnvironment() {
		if strings.HasPrefix(v, "NVCC_") {
			t.Errorf("the proof would run with %s", v)
		}
	}
}
