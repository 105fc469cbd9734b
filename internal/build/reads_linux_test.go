package build

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cupel/internal/closure"
	"cupel/internal/digest"
	"cupel/internal/stamp"
)

// TestReadsAreOfTheLink: a library that was looked at before the link and replaced meanwhile is told as it was linked, and one that
// the linker passed over is told too, since another in its place might be taken.
func TestReadsAreOfTheLink(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	put("two/libx.a", "one")
	put("one/libx.a", "for another machine")
	files := stamp.New()
	if _, err := files.Known(filepath.Join(root, "two/libx.a")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(30 * time.Millisecond) // the clock of files goes on
	put("two/libx.a", "two")
	put("map", "LOAD a.o\nLOAD two/libx.a\n")
	time.Sleep(30 * time.Millisecond)
	r := reads{root: root, files: files, began: time.Now(), seen: map[string]bool{}, ok: true}
	r.libraries(filepath.Join(root, "map"), []string{"a.o"}, []string{"one", "two/", "none"})
	if !r.ok {
		t.Error("what was read is not known")
	}
	for path, text := range map[string]string{"two/libx.a": "two", "one/libx.a": "for another machine"} {
		if !slices.ContainsFunc(r.closure.Files, func(f closure.File) bool { return f.Path == path && f.Known.Digest == digest.Of([]byte(text)) }) {
			t.Errorf("%s with %q is not among %+v", path, text, r.closure.Files)
		}
	}
}
