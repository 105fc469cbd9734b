package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cupel/internal/build"
)

// TestWatchedFolders: those in which a source or another choice of the toolkit may come are watched, those of outputs are not.
func TestWatchedFolders(t *testing.T) {
	const contract = "cupel = 1\n[[kernels]]\nname = \"k\"\nsources = [\"kernels/**/*.cu\", \"later/*.cu\", \"more/?/k.cu\"]\noptional = true\n"
	files := map[string]string{"cupel.toml": contract, "kernels/a/x.cu": "", "kernels/b/c/notes.txt": "", "kernels/.git/x": "", "more/1/x": "", "other/y.cu": "", ".cupel/choice.toml": "toolkit = \"13.0\"\n", "build/cupel/k/x.o": "", "build/x": ""}
	watched := []string{".", ".cupel", "kernels", "kernels/a", "kernels/b", "kernels/b/c", "more", "more/1"}
	for _, tt := range []struct {
		name  string
		names []string
		text  string // of cupel.toml
		want  []string
	}{
		{"the contract's kernels", nil, contract, watched},
		{"files that are named", []string{"other/y.cu"}, contract, []string{".", ".cupel"}},
		{"a contract that is just being edited", nil, "cupel = ", []string{"."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			files["cupel.toml"] = tt.text
			for name, text := range files {
				file := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(root)
			b := &building{ctx: t.Context(), root: root, out: filepath.Join(root, "build", "cupel"), names: tt.names}
			var got []string
			for _, dir := range b.folders(build.Result{}) {
				rel, err := filepath.Rel(root, dir)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(rel))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("watched: %q\nwant     %q", got, tt.want)
			}
		})
	}
}
