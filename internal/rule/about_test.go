package rule

import (
	"slices"
	"testing"
)

// TestAbout: every rule says what it touches, in one of the known words, and a word that no rule uses is gone.
func TestAbout(t *testing.T) {
	words := []string{AboutPlatform, AboutDriver, AboutPTX, AboutGPU, AboutContainer, AboutWSL, AboutToolkit, AboutCompiler,
		AboutVariable, AboutArch, AboutLibrary, AboutPython, AboutRust, AboutBuilder, AboutProject, AboutNote}
	used := map[string]bool{}
	for _, r := range All() {
		used[r.About] = true
		if !slices.Contains(words, r.About) {
			t.Errorf("rule %s is about %q, which is none of %q", r.ID, r.About, words)
		}
	}
	for _, w := range words {
		if !used[w] {
			t.Errorf("no rule is about %q", w)
		}
	}
	for id, want := range map[string]string{"no-driver": AboutDriver, "ptx-newer-than-driver": AboutPTX, "toolkit-incomplete": AboutToolkit, "cudnn-twice": AboutLibrary} {
		i := slices.IndexFunc(All(), func(r Rule) bool { return r.ID == id })
		if i < 0 || All()[i].About != want {
			t.Errorf("rule %s is about %q, want %q", id, All()[max(i, 0)].About, want)
		}
	}
}
