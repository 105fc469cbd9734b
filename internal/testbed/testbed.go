// Package testbed gives tests the real parts that scripts/testbed fetched: toolkits, driver libraries, the wine prefix. It reads the
// cache folder only, never fetches, and is imported by tests alone.
package testbed

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir is the cache folder: CUPEL_TESTBED, else .cache/cupel-testbed in the home folder, as in scripts/testbed.
func Dir() string {
	if dir := os.Getenv("CUPEL_TESTBED"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".cache", "cupel-testbed")
}

// Root is the folder of a fetched part; the test is skipped when the part is not there.
func Root(t testing.TB, part string) string {
	t.Helper()
	dir := Dir()
	// The state file is written last, so a part that is being replaced does not count.
	if _, err := os.Stat(filepath.Join(dir, ".state", part)); err != nil {
		t.Skipf("testbed part %s is not fetched: run scripts/testbed fetch %s", part, part)
	}
	return filepath.Join(dir, part)
}

// Toolkit is the CUDA root inside a toolkit part: the folder that holds bin and include.
func Toolkit(t testing.TB, part string) string {
	t.Helper()
	root := Root(t, part)
	if pip := filepath.Join(root, "nvidia", "cu13"); isDir(pip) {
		return pip
	}
	return root
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Long skips a test that takes minutes, unless all tests are asked for: make test runs with -short, make e2e without.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("long test: runs in make e2e")
	}
}
