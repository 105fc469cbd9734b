// Package peers holds tests and benchmarks only: cupel beside the tools that people use today (CMake, Ninja, xargs, ccache, sccache), with
// real kernels and real toolkits. The peers are parts of the test bed (scripts/testbed fetch ccache ccache-4.11 sccache strace); what is
// not there is left out with a line that says so. docs/performance.md says how the tables are read.
package peers

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// rounds is how often each variant of a table runs. Cold builds take minutes and get fewer.
var (
	rounds     = flag.Int("peers.n", 5, "how often each variant is measured")
	coldRounds = flag.Int("peers.cold", 3, "how often each variant of a cold build is measured")
	jobs       = flag.Int("peers.jobs", 2, "how many calls run at once, by all")
	only       = flag.String("peers.only", "", "measure the variants that this expression matches, and leave the others out")
)

// scratch is what all tests of a run share: the programs of this tree.
var scratch string

func TestMain(m *testing.M) {
	if replayed(os.Args) { // this program is the stand-in compiler of small_test.go
		return
	}
	flag.Parse()
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// dash is an option with the number of jobs: -j2.
func dash(letter string) string { return fmt.Sprintf("-%s%d", letter, *jobs) }

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
