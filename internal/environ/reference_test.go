package environ

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

var update = flag.Bool("update", false, "write the generated files")

func TestReferenceIsFresh(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "reference", "environment.md")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil && runtime.GOOS == "windows" {
		t.Skip("the repository is not readable here: ", err)
	}
	if err != nil || string(got) != Reference() {
		t.Errorf("%s is stale (%v): go test ./internal/environ -update", path, err)
	}
}
