package ptxas

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/testbed"
)

// TestRealReleases runs the command that stands over each kept output again: the rows are the same, so the outputs are still
// what the tools say.
func TestRealReleases(t *testing.T) {
	testbed.Long(t)
	for _, name := range outputs(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text := contents(t, name)
			command, kept, _ := strings.Cut(text, "\n")
			_, release, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".txt"), "-")
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "usage.cu"), []byte(contents(t, "testdata/usage.cu")), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", strings.TrimPrefix(command, "$ "))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(testbed.Toolkit(t, "cuda-"+release), "bin")+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
			if diff := cmp.Diff(shown(Read(kept)), shown(Read(string(out)))); diff != "" {
				t.Errorf("%s (-kept +now):\n%s", command, diff)
			}
		})
	}
}
