package depot

import (
	"os"
	"path/filepath"
	"testing"
)

// TestKilledBetweenSteps sets up what a process leaves that is killed at each point of a change, and looks what the next
// List and the next Begin make of it.
func TestKilledBetweenSteps(t *testing.T) {
	for _, tt := range []struct {
		name  string
		leave func(t *testing.T, d Depot, dir string)
		list  string // visible at once
		text  string // of its file x; empty: nothing is visible
	}{
		{"half a new folder", func(t *testing.T, d Depot, dir string) {
			put(t, filepath.Join(dir, ".new-a-00000001"), map[string]string{"x": "2"})
		}, "", ""},
		{"a new folder with its manifest", func(t *testing.T, d Depot, dir string) {
			install(t, d, "a", map[string]string{"x": "2"})
			move(t, dir, "a", ".new-a-00000001")
		}, "a", "2"},
		{"a new folder with its manifest, but a file is missing", func(t *testing.T, d Depot, dir string) {
			install(t, d, "a", map[string]string{"x": "2", "y": ""})
			move(t, dir, "a", ".new-a-00000001")
			_ = os.Remove(filepath.Join(dir, ".new-a-00000001", "y"))
		}, "", ""},
		{"a new folder beside the old one", func(t *testing.T, d Depot, dir string) {
			install(t, d, "a", map[string]string{"x": "2"})
			move(t, dir, "a", ".new-a-00000001")
			// What follows would find the new one and finish it.
			move(t, dir, ".new-a-00000001", "kept")
			install(t, d, "a", map[string]string{"x": "1"})
			move(t, dir, "kept", ".new-a-00000001")
		}, "a", "1"},
		{"between the two renames", func(t *testing.T, d Depot, dir string) {
			install(t, d, "a", map[string]string{"x": "1"})
			move(t, dir, "a", "kept")
			install(t, d, "a", map[string]string{"x": "2"})
			move(t, dir, "a", ".new-a-00000001")
			move(t, dir, "kept", ".old-a-00000002")
		}, "a", "2"},
		{"the old one is away and the new one half", func(t *testing.T, d Depot, dir string) {
			install(t, d, "a", map[string]string{"x": "1"})
			move(t, dir, "a", ".old-a-00000002")
			put(t, filepath.Join(dir, ".new-a-00000001"), map[string]string{"x": "2"})
		}, "a", "1"},
		{"while the old one was removed", func(t *testing.T, d Depot, dir string) {
			install(t, d, "a", map[string]string{"x": "1"})
			move(t, dir, "a", ".gone-a-00000002")
		}, "", ""},
		{"a lock that nobody holds", func(t *testing.T, d Depot, dir string) {
			put(t, dir, map[string]string{".lock-a": ""})
		}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, first := range []string{"list", "begin the same", "begin another"} {
				d := newDepot(t)
				dir := d.kind(Toolkits)
				tt.leave(t, d, dir)
				switch first {
				case "begin the same":
					begin(t, d, "a")
				case "begin another":
					begin(t, d, "b")
				}
				if got := names(t, d); got != tt.list {
					t.Errorf("%s: visible %q, want %q", first, got, tt.list)
				}
				if text, _ := os.ReadFile(filepath.Join(dir, "a", "x")); string(text) != tt.text {
					t.Errorf("%s: file x reads %q, want %q", first, text, tt.text)
				}
				begin(t, d, "a")
				if got := entries(t, d); got != tt.list {
					t.Errorf("%s, then the same: the folder has %q, want %q", first, got, tt.list)
				}
			}
		})
	}
}

func move(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}

// begin starts a change and gives it up.
func begin(t *testing.T, d Depot, name string) {
	t.Helper()
	c, err := d.Begin(ctx, Toolkits, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.End()
}
