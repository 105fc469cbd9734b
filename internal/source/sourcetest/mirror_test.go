package sourcetest

import (
	"os"
	"path/filepath"
	"testing"

	"cupel/internal/resolve"
)

func TestMirror(t *testing.T) {
	for _, p := range []resolve.Platform{{OS: "linux", Arch: "amd64"}, {OS: "windows", Arch: "amd64"}} {
		t.Run(p.String(), func(t *testing.T) {
			dir := Mirror(t, p, "13.0.2")
			if _, err := os.Stat(filepath.Join(dir, "redistrib_13.0.2.json")); err != nil {
				t.Error(err)
			}
			if again := Mirror(t, p, "13.0.2"); again != dir {
				t.Errorf("asked again, Mirror is %s, want %s", again, dir)
			}
		})
	}
}
