package mirror

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cupel/internal/environ"
	"cupel/internal/fact"
)

// blankPlan is the mirror, made, of a toolkit with an nvcc alone, in a home with the given name.
func blankPlan(t *testing.T, home string) (Plan, environ.Set) {
	t.Helper()
	dir := t.TempDir()
	root := filepath.Join(dir, "cuda")
	nvcc := filepath.Join(root, "bin", "nvcc")
	if runtime.GOOS == "windows" {
		nvcc += ".exe"
	}
	write(t, nvcc, "nvcc")
	m := fact.Machine{System: fact.System{OS: runtime.GOOS, Arch: "amd64"}, Env: map[string]string{}}
	k := fact.Toolkit{Root: root, Real: root, Release: fact.Of("13.0", "test"), Parts: map[string]string{fact.PartNvcc: nvcc}}
	set := environ.Set{OS: runtime.GOOS, Vars: []environ.Var{{Name: "CUDA_HOME", Value: root, Kind: environ.Assign}}}
	p, err := For(m, k, filepath.Join(dir, home), Options{Set: set})
	if err == nil {
		err = Make(context.Background(), p, program(t))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, set
}

// TestBlankInHome: nothing that a build reads has a blank where the system has another name for the folder; else there is a
// warning. The names lead to the mirror in any case.
func TestBlankInHome(t *testing.T) {
	for _, tt := range []struct {
		name, home string
		warns      bool
	}{
		{"none", "home", false},
		{"a blank", "my home", runtime.GOOS != "windows"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, set := blankPlan(t, tt.home)
			if got := p.Warning(); (got != "") != tt.warns || tt.warns && !strings.Contains(got, "CUPEL_HOME") {
				t.Errorf("Warning() = %q, want one: %v", got, tt.warns)
			}
			out := p.Redirect(set)
			for _, name := range []string{"CUDA_HOME", "NVCC", "CUDACXX", "PATH"} {
				got := value(out, name)
				if !tt.warns && strings.Contains(got, " ") {
					t.Errorf("%s=%s has a blank", name, got)
				}
				if _, err := os.Stat(got); err != nil {
					t.Errorf("%s leads nowhere: %v", name, err)
				}
			}
			if got, real := value(out, "CUDA_HOME"), p.Dir; got != p.Place() || !onePlace(t, got, real) {
				t.Errorf("CUDA_HOME=%s is not the mirror %s", got, real)
			}
		})
	}
}

func onePlace(t *testing.T, a, b string) bool {
	t.Helper()
	x, errx := os.Stat(a)
	y, erry := os.Stat(b)
	return errx == nil && erry == nil && os.SameFile(x, y)
}
