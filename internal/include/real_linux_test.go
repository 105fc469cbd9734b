package include_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/include"
	"cupel/internal/testbed"
)

// TestRealHeaders: no header of a toolkit, of libstdc++ or of glibc is refused, alone or together with the others.
func TestRealHeaders(t *testing.T) {
	for _, part := range []string{"cuda-12.4", "cuda-13.0", "cuda-13.4", "cuda-11.8"} {
		t.Run(part, func(t *testing.T) {
			if part == "cuda-11.8" || part == "cuda-13.4" {
				testbed.Long(t)
			}
			trees := []string{filepath.Join(testbed.Toolkit(t, part), "include")}
			for _, pattern := range []string{"/usr/include/c++/*", "/usr/include/*-linux-gnu", "/usr/include/linux"} {
				found, _ := filepath.Glob(pattern)
				trees = append(trees, found...)
			}
			scanTrees(t, trees)
		})
	}
}

func scanTrees(t *testing.T, trees []string) {
	t.Helper()
	wrappers := map[string]bool{}
	passed := map[string]include.Pass{}
	files, names := 0, 0
	for _, tree := range trees {
		err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			m := include.Scan(text)
			files++
			names += len(m.Quoted) + len(m.Angled)
			if m.Asked != "" || m.Date || m.Timestamp || m.Embeds != "" {
				t.Errorf("%s is refused: %q, date %v, time stamp %v, embeds %q", path, m.Asked, m.Date, m.Timestamp, m.Embeds)
			}
			for _, w := range m.Wrappers {
				wrappers[w] = true
			}
			for _, p := range m.Passed {
				if p.Into == "" {
					passed[p.Macro] = p
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for w := range wrappers {
		if p, ok := passed[w]; ok {
			t.Errorf("%s asks for what cannot be told: %s", w, p.Line)
		}
	}
	if files < 1000 || names < 10*files/4 {
		t.Errorf("%d files of %s mention %d names", files, strings.Join(trees, ", "), names)
	}
}
