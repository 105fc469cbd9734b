package cache

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cupel/internal/cas"
	"cupel/internal/closure"
	"cupel/internal/toolchain"
)

// TestChanged: what a key was made of is looked at again when the call has ended, whether or not it looks as before by then.
func TestChanged(t *testing.T) {
	put := func(t *testing.T, path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// replace is how installers do it: the new file gets another number and time.
	replace := func(t *testing.T, path, text string) {
		t.Helper()
		time.Sleep(30 * time.Millisecond) // longer than the clock of files takes from one time to the next
		put(t, path+".new", text)
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, words, tool string)
		want   string
	}{
		{"nothing", func(*testing.T, string, string) {}, ""},
		{"response file", func(t *testing.T, words, _ string) { replace(t, words, "-DV=2") }, "o.rsp"},
		{"response file of the same size, in place", func(t *testing.T, words, _ string) { put(t, words, "-DV=3") }, "o.rsp"},
		{"response file there and back", func(t *testing.T, words, _ string) { replace(t, words, "-DV=2"); replace(t, words, "-DV=1") }, "o.rsp"},
		{"response file gone", func(t *testing.T, words, _ string) { _ = os.Remove(words) }, "o.rsp"},
		{"tool", func(t *testing.T, _, tool string) { replace(t, tool, "another") }, "ptxas"},
		{"tool there and back", func(t *testing.T, _, tool string) { replace(t, tool, "another"); replace(t, tool, "program") }, "ptxas"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			words, tool := filepath.Join(dir, "o.rsp"), filepath.Join(dir, "ptxas")
			put(t, words, "-DV=1")
			put(t, tool, "program")
			c := New(cas.Store{Dir: t.TempDir()}, nil)
			word, err := c.responseFile(dir, "o.rsp", []byte("-DV=1"))
			if err != nil {
				t.Fatal(err)
			}
			k, err := c.Files.Known(tool)
			if err != nil {
				t.Fatal(err)
			}
			q := &Question{Call: Call{Dir: dir}, Words: []closure.File{word}, Tools: toolchain.Tools{Files: []toolchain.File{{Role: "ptxas", Path: tool, Digest: k.Digest}}}, cache: c}
			tt.change(t, words, tool)
			if got := q.changed(); filepath.Base(got) != tt.want && got != tt.want {
				t.Errorf("changed() = %q, want %q", got, tt.want)
			}
		})
	}
}
