package host_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/host"
	"cupel/internal/testbed"
)

// TestNotedLinks: whoever asks where a path leads depends on where it leads; of another path only what it is counts.
func TestNotedLinks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder, link := filepath.Join(dir, "folder"), filepath.Join(dir, "link")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	testbed.Link(t, folder, link)
	n := host.Note(host.Here())
	for _, path := range []string{folder, link, filepath.Join(dir, "gone")} {
		if real, err := n.Resolve(path); err == nil && real != folder {
			t.Errorf("%s leads to %s", path, real)
		}
	}
	read, seen := n.Paths()
	if d := cmp.Diff([][]string{{link}, {folder, filepath.Join(dir, "gone")}}, [][]string{read, seen}); d != "" {
		t.Errorf("read and seen (-want +got):\n%s", d)
	}
}
