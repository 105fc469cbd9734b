package trial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
	"cupel/internal/testbed"
)

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"target/debug/.hidden/libx.so", "a.txt"} {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		pattern contract.Glob
		want    bool
	}{
		{"a.txt", false}, {"*", false}, {"**", false}, {"**/libx.so", false}, {"target/**/*.so", false}, {"target/debug/.hidden/lib?.so", false}, {"**/.hidden/**", false},
		{"b.txt", true}, {"target", true}, {"target/*", true}, {"a.txt/b", true}, {"**/b", true}, {contract.Glob(strings.Repeat("**/", 40) + "b"), true},
	} {
		if got := len(missing(dir, []contract.Glob{tt.pattern})) > 0; got != tt.want {
			t.Errorf("%s is missing: %v, want %v", tt.pattern, got, tt.want)
		}
	}
	if got := missing(t.TempDir(), []contract.Glob{"a", "**", "**/b"}); !cmp.Equal(got, []string{"a", "**", "**/b"}) {
		t.Errorf("missing in an empty folder = %q", got)
	}
}

// TestMissingTooDeep: a file that was not looked for everywhere is told so.
func TestMissingTooDeep(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, strings.Repeat("d"+string(filepath.Separator), 30)), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := missing(dir, []contract.Glob{"**/x"}); len(got) != 1 || !strings.HasPrefix(got[0], "**/x (not every folder was looked at") {
		t.Errorf("missing = %q, want **/x with the reason", got)
	}
}

// TestMissingLinks: what a link leads to counts.
func TestMissingLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "x.so"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	testbed.Link(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling.so"))
	testbed.Link(t, elsewhere, filepath.Join(dir, "target"))
	testbed.Link(t, filepath.Join(elsewhere, "x.so"), filepath.Join(dir, "link.so"))
	testbed.Link(t, elsewhere, filepath.Join(dir, "folder.so"))
	testbed.Link(t, dir, filepath.Join(elsewhere, "circle"))
	globs := []contract.Glob{"dangling.so", "target/x.so", "target/*.so", "link.so", "folder.so", "**/gone.so"}
	if diff := cmp.Diff([]string{"dangling.so", "folder.so", "**/gone.so"}, missing(dir, globs)); diff != "" {
		t.Errorf("missing of %q (-want +got):\n%s", globs, diff)
	}
}
