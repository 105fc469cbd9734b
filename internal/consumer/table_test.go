package consumer

import (
	"slices"
	"testing"

	"cupel/internal/version"
)

// The words that the interpreter knows. A word that is only in the data would silently do nothing.
var (
	stepKinds = []string{"env", "env-list", "env-program", "env-file", "path", "beside", "dir", "list", "root", "end-if-set"}
	fileKinds = []string{"", "file", "dir", "any", "program"}
	systems   = []string{"", "unix", "windows", "linux"}
)

func TestRowsUseKnownWords(t *testing.T) {
	for _, r := range Rows() {
		if len(r.Searches) == 0 && r.TorchLibrary == "" {
			t.Errorf("%s %s searches nothing", r.Name, r.First)
		}
		for _, s := range r.Searches {
			if s.For != "root" && s.For != "nvcc" || len(s.Steps) == 0 || !slices.Contains(fileKinds, s.Kind) || !slices.Contains(systems, s.OS) {
				t.Errorf("%s %s: search for %q, kind %q, os %q, %d steps", r.Name, r.First, s.For, s.Kind, s.OS, len(s.Steps))
			}
			for _, step := range s.Steps {
				if !slices.Contains(stepKinds, step.Kind) || !slices.Contains(systems, step.OS) || !slices.Contains(fileKinds, step.Accept) {
					t.Errorf("%s %s: step %+v", r.Name, r.First, step)
				}
			}
		}
	}
}

func TestListsAreNamedRight(t *testing.T) {
	used := map[string]bool{}
	for _, r := range Rows() {
		for _, s := range r.Searches {
			for _, name := range s.Lists {
				used[name] = true
				if len(load().Lists[name]) == 0 {
					t.Errorf("%s %s uses the list %q, which is not there", r.Name, r.First, name)
				}
			}
		}
	}
	for name := range load().Lists {
		if !used[name] {
			t.Errorf("the list %q is not used", name)
		}
	}
}

func TestRowsHaveSources(t *testing.T) {
	if Checked() == "" {
		t.Error("the table does not say when it was checked")
	}
	for _, r := range Rows() {
		if len(r.Source) == 0 || r.What == "" {
			t.Errorf("%s %s has no source or no description", r.Name, r.First)
		}
		for _, s := range r.Source {
			if len(s) < 20 {
				t.Errorf("%s %s: source %q is a key without text", r.Name, r.First, s)
			}
		}
		for _, os := range []string{"linux", "windows"} {
			if how := r.Proved[os]; how != "run" && how != "read" {
				t.Errorf("%s %s: proved %q on %s, want run or read", r.Name, r.First, how, os)
			}
		}
	}
}

func TestVersionsAscendWithoutOverlap(t *testing.T) {
	for _, g := range groups() {
		for i := 1; i < len(g); i++ {
			before, after := g[i-1], g[i]
			last, err := version.Parse(before.Last)
			first, err2 := version.Parse(after.First)
			if err != nil || err2 != nil || !last.Less(first) {
				t.Errorf("%s: %s is followed by %s", before.Name, before.Versions(), after.Versions())
			}
		}
	}
	for _, key := range []string{"cudarc", "mistralrs-quant"} {
		for i, a := range allows(key) {
			if i > 0 && !mustVersion(t, allows(key)[i-1].Last).Less(mustVersion(t, a.First)) {
				t.Errorf("%s: the list from %s overlaps", key, a.First)
			}
		}
	}
}

func allows(key string) []Allow {
	return slices.DeleteFunc(slices.Clone(load().Allow), func(a Allow) bool { return a.Key != key })
}

func TestCoversItsEnds(t *testing.T) {
	row := Row{First: "0.13.0", Last: "0.16.4"}
	for _, tt := range []struct {
		name, at string
		want     bool
	}{
		{"the first", "0.13.0", true},
		{"the last", "0.16.4", true},
		{"numbers, not letters", "0.9.9", false},
		{"just after", "0.16.5", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := row.Covers(mustVersion(t, tt.at)); got != tt.want {
				t.Errorf("Covers(%s) = %v, want %v", tt.at, got, tt.want)
			}
		})
	}
}

func mustParse(s string) version.V {
	v, err := version.Parse(s)
	if err != nil {
		panic(err)
	}
	return v
}
