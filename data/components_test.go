package data

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestComponentWords(t *testing.T) {
	rows := AllComponents().Components
	words := names(rows, func(c ComponentWord) string { return c.Word })
	brings := map[string]string{}
	for i, c := range rows {
		if slices.Contains(words[:i], c.Word) {
			t.Errorf("component %q stands twice", c.Word)
		}
		if c.What == "" || len(c.Source) == 0 {
			t.Errorf("component %q has no description or no source", c.Word)
		}
		for _, n := range c.Needs {
			if !slices.Contains(words, n) {
				t.Errorf("component %q needs %q, which is none", c.Word, n)
			}
		}
		for _, p := range c.Parts {
			if other := brings[p]; other != "" {
				t.Errorf("%q comes with %q and with %q", p, other, c.Word)
			}
			brings[p] = c.Word
		}
	}
}

// TestLicenses: every component is under a licence that has a name, and every name of a list leads to one.
func TestLicenses(t *testing.T) {
	known := names(AllComponents().Licenses, func(l License) string { return l.Name })
	for _, c := range AllComponents().Components {
		if got := LicenseOf(c.Word); !slices.Contains(known, got) {
			t.Errorf("%s is under %q, which is none of %q", c.Word, got, known)
		}
	}
	for _, tt := range []struct{ said, word, want string }{
		{"CUDA Toolkit", "cuda_nvcc", "CUDA Toolkit EULA"},
		{"cudnn", "cudnn", "cuDNN SLA"},
		{"NVIDIA SLA", "nsight_compute", "NVIDIA SLA"},
		{"", "cudnn", "cuDNN SLA"},
		{"", "cuda_nvcc", "CUDA Toolkit EULA"},
		{"MIT", "cuda_x", "MIT"},
	} {
		if got := LicenseNamed(tt.said, tt.word); got != tt.want {
			t.Errorf("LicenseNamed(%q, %q) = %q, want %q", tt.said, tt.word, got, tt.want)
		}
	}
}

var shortRelease = regexp.MustCompile(`^(\d+\.\d+)?$`)

func TestSourceTables(t *testing.T) {
	words := names(AllComponents().Components, func(c ComponentWord) string { return c.Word })
	for _, name := range SourceNames {
		table := SourceOf(name)
		if name == "local" {
			continue // it has one root and no names
		}
		if len(table.Components) == 0 || len(table.Layout) == 0 {
			t.Errorf("%s: the table is empty", name)
		}
		has := map[string]bool{}
		for _, r := range table.Components {
			has[r.Word] = true
			switch {
			case !slices.Contains(words, r.Word):
				t.Errorf("%s: %q is no word of components.toml", name, r.Word)
			case (len(r.Names) == 0) == (r.In == ""):
				t.Errorf("%s: %q has names and lies in another one, or neither", name, r.Word)
			case !shortRelease.MatchString(r.First) || !shortRelease.MatchString(r.Last):
				t.Errorf("%s: %q: %q … %q are not releases X.Y", name, r.Word, r.First, r.Last)
			case len(r.Source) == 0:
				t.Errorf("%s: %q has no source", name, r.Word)
			}
		}
		for _, r := range table.Lacks {
			if r.Why == "" || len(r.Words) == 0 || len(r.Source) == 0 || slices.ContainsFunc(r.Words, func(w string) bool { return !slices.Contains(words, w) }) {
				t.Errorf("%s: %+v lacks words, a reason or a source", name, r)
			}
		}
		for _, r := range table.Components {
			for _, n := range r.Needs {
				if !slices.Contains(words, n) {
					t.Errorf("%s: %q needs %q, which is none", name, r.Word, n)
				}
			}
			if r.In != "" && !has[r.In] {
				t.Errorf("%s: %q lies in %q, which has no row", name, r.Word, r.In)
			}
		}
		checkLayout(t, name, table.Layout, words)
		for _, r := range table.Releases {
			if len(r.Source) == 0 || len(r.Sizes) == 0 {
				t.Errorf("%s: release %s for %s has no source or no sizes", name, r.Release, r.Platform)
			}
			for _, s := range r.Sizes {
				if !slices.Contains(words, s.Word) || s.Download <= 0 {
					t.Errorf("%s: release %s for %s: %q weighs %d", name, r.Release, r.Platform, s.Word, s.Download)
				}
			}
		}
	}
}

func checkLayout(t *testing.T, name string, rows []LayoutRow, words []string) {
	t.Helper()
	for _, r := range rows {
		_, err := path.Match(r.From, "x")
		switch {
		case err != nil || r.From == "":
			t.Errorf("%s: %q is no pattern: %v", name, r.From, err)
		case r.Drop == (r.To != ""):
			t.Errorf("%s: %q is dropped and placed, or neither", name, r.From)
		case strings.HasPrefix(r.To, "/") || strings.Contains(r.To, ".."):
			t.Errorf("%s: %q goes to %q, outside the root", name, r.From, r.To)
		case r.Component != "" && !slices.Contains(words, r.Component):
			t.Errorf("%s: %q is of %q, which is no word of components.toml", name, r.From, r.Component)
		}
	}
}
