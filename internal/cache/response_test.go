package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestResponseFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "here", "-c", 0o644)
	put(t, "long", "", 0o644)
	if err := os.Truncate("long", maxResponse+1); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("sub", 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join("sub", "there"), "-G", 0o644)
	for _, tt := range []struct{ dir, name, want, trouble string }{
		{"", "here", "-c", ""},
		{dir, "here", "-c", ""},
		{filepath.Join(dir, "sub"), "there", "-G", ""},
		{"", filepath.Join(dir, "here"), "-c", ""},
		{"", "gone", "", "gone"},
		{"", "long", "", "read long: it is no file of at most 16 MB"},
		{"", "sub", "", "read sub: it is no file of at most 16 MB"},
	} {
		got, err := ResponseFile(tt.dir)(tt.name)
		if string(got) != tt.want || (err == nil) != (tt.trouble == "") || err != nil && !strings.Contains(err.Error(), tt.trouble) {
			t.Errorf("%q in %q: %q, %v; want %q, %q", tt.name, tt.dir, got, err, tt.want, tt.trouble)
		}
	}
}
