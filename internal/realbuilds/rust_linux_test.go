package realbuilds

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// crate is a Rust project that a test may change, with the test bed's toolkit and vendored crates: cargo asks nobody.
type crate struct {
	t       *testing.T
	dir     string
	toolkit string
	env     []string
}

// newCrate copies the project of a package; vendor is the folder with the crates that it is built with. They are compiled once, in a
// target folder that projects with the same vendor folder share; of the package itself nothing is left there.
func newCrate(t *testing.T, name, from, vendor string) crate {
	t.Helper()
	testbed.Root(t, "rust")
	c := crate{t: t, dir: filepath.Join(t.TempDir(), "project"), toolkit: testbed.Toolkit(t, "cuda-13.0")}
	copyTree(t, from, c.dir)
	shared := filepath.Join(scratch, "target-"+filepath.Base(filepath.Dir(vendor)))
	write(t, filepath.Join(c.dir, "..", ".cargo", "config.toml"), fmt.Sprintf("[source.crates-io]\nreplace-with = \"vendored\"\n\n[source.vendored]\ndirectory = %q\n\n[net]\noffline = true\n", vendor))
	c.env = []string{"CUDA_COMPUTE_CAP=80", "CARGO_TARGET_DIR=" + shared, "CARGO_TERM_COLOR=never"}
	// The published lock file names versions that the vendor folder need not have.
	if err := os.Remove(filepath.Join(c.dir, "Cargo.lock")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	c.clean(name)
	return c
}

// wavelet is the project of testdata/projects/rust-cuda.
func wavelet(t *testing.T) crate {
	t.Helper()
	return newCrate(t, "wavelet", filepath.Join(testbed.Repo(t), "testdata", "projects", "rust-cuda"), filepath.Join(testbed.Root(t, "candle-0.9"), "vendor"))
}

// config is the project's own .cargo/config.toml; where crates come from stands in the folder above.
func (c crate) config(text string) {
	write(c.t, filepath.Join(c.dir, ".cargo", "config.toml"), text)
}

// plain runs a command as one does without cupel: the toolkit is on PATH and in CUDA_PATH.
func (c crate) plain(argv ...string) result {
	c.t.Helper()
	env := environment(c.t, c.env)
	path := ""
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			path = v
		}
	}
	set := []string{"CUDA_PATH=" + c.toolkit, "PATH=" + filepath.Join(c.toolkit, "bin") + ":" + path}
	return run(c.t, c.dir, slices.Concat(c.env, set), argv...)
}

// cupel runs cupel; exec runs a command under it.
func (c crate) cupel(argv ...string) result {
	c.t.Helper()
	return run(c.t, c.dir, c.env, slices.Concat([]string{"cupel"}, argv)...)
}

func (c crate) exec(argv ...string) result {
	c.t.Helper()
	return c.cupel(slices.Concat([]string{"exec", "--toolkit", c.toolkit, "--"}, argv)...)
}

// execLine is how a transcript shows what exec ran.
func (c crate) execLine(argv ...string) string {
	return "\n$ cupel exec --toolkit " + c.toolkit + " -- " + strings.Join(argv, " ")
}

// clean makes cargo forget one package and leaves what it is built with.
func (c crate) clean(name string) {
	c.t.Helper()
	if r := c.plain("cargo", "clean", "-p", name); r.code != 0 {
		c.t.Fatalf("cargo clean -p %s: exit code %d\n%s", name, r.code, r.all)
	}
}

// ending is what cupel exec said after the command's own output.
func ending(t *testing.T, r result) string {
	t.Helper()
	at := regexp.MustCompile(`(?m)^(---- )?cupel exec: `).FindStringIndex(r.stderr)
	if at == nil {
		t.Fatalf("cupel exec said nothing:\n%s", r.all)
	}
	return r.stderr[at[0]:]
}

// recorded is an answer of cupel runs, as far as tests read it.
type recorded struct {
	Runs []struct {
		ID      string
		Toolkit struct{ Mirror string }
	}
	Calls []recordedCall
	Call  recordedCall
}

type recordedCall struct {
	ID, Source, Path, Stdout, Stderr string
	Args                             []string
	Failed, Ended                    bool
	Code                             int
	Outputs                          []struct{ Path string }
}

func (c crate) runs(argv ...string) recorded {
	c.t.Helper()
	r := c.cupel(append(append([]string{"runs"}, argv...), "--json")...)
	var out recorded
	if err := json.Unmarshal([]byte(r.stdout), &out); r.code != 0 || err != nil {
		c.t.Fatalf("cupel runs %v: exit code %d, %v\n%s", argv, r.code, err, r.all)
	}
	return out
}

// sources counts the recorded calls of the newest run by the kernel they compile.
func (c crate) sources() map[string]int {
	c.t.Helper()
	count := map[string]int{}
	for _, call := range c.runs("--last").Calls {
		if strings.HasSuffix(call.Source, ".cu") {
			_, file, _ := strings.Cut(call.Source, ": ")
			count[file]++
		}
		if !call.Ended {
			c.t.Errorf("the record of call %s, %s, has no end", call.ID, call.Source)
		}
	}
	return count
}

// again is the replay command that an ending offers.
func again(t *testing.T, text string) []string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^  again: cupel (replay \S+)$`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no replay command in:\n%s", text)
	}
	return strings.Fields(m[1])
}
