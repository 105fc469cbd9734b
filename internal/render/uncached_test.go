package render

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReasonsHaveWords: every reason for which the code refuses to remember a call is told in words.
func TestReasonsHaveWords(t *testing.T) {
	slug := regexp.MustCompile(`(?:refuse\(|Refusal\{(?:Reason: )?)"([a-z-]+)"`)
	found := 0
	for _, dir := range []string{"recipe", "toolchain", "closure", "cache", "shim", "build"} {
		files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files: %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range slug.FindAllStringSubmatch(string(text), -1) {
				found++
				if UncachedText(m[1]) == "" {
					t.Errorf("%s refuses with %s, which has no words", file, m[1])
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d refusals were found in the code", found)
	}
}
