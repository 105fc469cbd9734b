package data

import (
	"slices"
	"testing"
)

// TestTroubles: a row that is not whole, or whose condition is misspelt, would never be shown.
func TestTroubles(t *testing.T) {
	words := map[string][]string{
		"on": {"linux", "wsl2", "windows"}, "uses": {"gpu", "ptx-jit", "device-link"},
		"build": {"cargo", "cmake", "meson", "make", "setuptools", "pip", "bazel", "cupel", "other"},
	}
	seen := map[string]bool{}
	for _, r := range Troubles() {
		if seen[r.ID] || r.ID == "" {
			t.Errorf("id %q is missing or stands twice", r.ID)
		}
		seen[r.ID] = true
		if len(r.Messages) == 0 || r.Cause == "" || r.Fix == "" || len(r.Source) == 0 || slices.Contains(r.Source, "") {
			t.Errorf("%s lacks a message, cause, fix or source: %+v", r.ID, r)
		}
		for key, list := range map[string][]string{"on": r.On, "uses": r.Uses, "build": r.Builds} {
			for _, w := range list {
				if !slices.Contains(words[key], w) {
					t.Errorf("%s: %s has the word %q, want one of %q", r.ID, key, w, words[key])
				}
			}
		}
	}
}
