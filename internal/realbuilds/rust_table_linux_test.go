package realbuilds

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/testbed"
)

// row is a line of the table: which configuration, how it went, how many kernels nvcc compiled, why it failed.
type row struct{ name, result, calls, cause string }

// tableRows reads the table out of Markdown; each row that was run has a time and a run.
func tableRows(t *testing.T, text string) (rows []row, runs map[string]string) {
	t.Helper()
	runs = map[string]string{}
	timed := regexp.MustCompile(`^([0-9.]+ s|[0-9]+ min [0-9]+ s)$`)
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 8 || strings.HasPrefix(f[1], "---") || strings.TrimSpace(f[1]) == "configuration" {
			continue
		}
		for i := range f {
			f[i] = strings.Trim(strings.TrimSpace(f[i]), "*`")
		}
		if !timed.MatchString(f[3]) {
			t.Errorf("row %s has no time but %q", f[1], f[3])
		}
		rows = append(rows, row{f[1], f[2], f[4], f[5]})
		runs[f[1]] = f[6]
	}
	return rows, runs
}

// throughWrapper says for each run how many times the stand-in of the wrapper started rustc.
func (c crate) throughWrapper() map[string]int {
	c.t.Helper()
	out := map[string]int{}
	for id := range strings.Lines(read(c.t, filepath.Join(c.dir, "tools", "wrapper.log"))) {
		out[strings.TrimSpace(id)]++
	}
	return out
}

// wrapped is the project in the shell of somebody whose start file sets RUSTC_WRAPPER: a stand-in for sccache that only counts.
// before is what makes the rows of a table equal; a quick run keeps the crates that the project is built with.
func wrapped(t *testing.T) (c crate, before string) {
	t.Helper()
	c = wavelet(t)
	c.env = append(c.env, "RUSTC_WRAPPER="+filepath.Join(c.dir, "tools", "wrapper"))
	if testing.Short() {
		return c, "cargo clean -p wavelet"
	}
	c.env = slices.DeleteFunc(c.env, func(kv string) bool { return strings.HasPrefix(kv, "CARGO_TARGET_DIR=") }) // others share it
	return c, "cargo clean"
}

// TestRustTable runs the configurations of a Rust project as one set.
func TestRustTable(t *testing.T) {
	c, before := wrapped(t)
	file := filepath.Join(c.dir, "table.md")
	r := c.cupel("exec", "--toolkit", c.toolkit, "--format", "md", "--out", file, "--before", before,
		"--try", "CPU only=cargo build --no-default-features",
		"--try", "CUDA debug=",
		"--try", "CUDA release=cargo build --release",
		"--try", "without extra=cargo build --no-default-features --features cuda",
		"--try", "wrapper disabled=--unset RUSTC_WRAPPER",
		"--try", "wrapper broken=WRAPPER_BROKEN=1",
		"--", "cargo", "build")
	if r.code != 1 || r.stdout != "" {
		t.Errorf("exit code %d, stdout %q, want 1 (a row failed) and nothing:\n%s", r.code, r.stdout, r.all)
	}
	got, runs := tableRows(t, read(t, file))
	want := []row{
		{"CPU only", "PASS", "0", ""},
		{"CUDA debug", "PASS", "2", ""},
		{"CUDA release", "PASS", "2", ""},
		{"without extra", "PASS", "1", ""},
		{"wrapper disabled", "PASS", "2", ""},
		{"wrapper broken", "FAIL", "0", "not known: exit code 101"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("table (- want, + got):\n%s\n%s", diff, r.all)
	}
	through := c.throughWrapper()
	for _, w := range want {
		if has, should := through[runs[w.name]] > 0, !strings.HasPrefix(w.name, "wrapper"); has != should {
			t.Errorf("%s: rustc was started %d times through the wrapper, want some: %v", w.name, through[runs[w.name]], should)
		}
	}
	evidence(t, "exec-rust-table.txt", transcript("\n$ echo $RUSTC_WRAPPER\n"+filepath.Join(c.dir, "tools", "wrapper")+`
$ cupel exec --toolkit `+c.toolkit+` --format md --out table.md --before "`+before+`" --try "CPU only=cargo build --no-default-features" --try "CUDA debug=" --try "CUDA release=cargo build --release" --try "without extra=cargo build --no-default-features --features cuda" --try "wrapper disabled=--unset RUSTC_WRAPPER" --try "wrapper broken=WRAPPER_BROKEN=1" -- cargo build`, r)+
		"\n$ cat table.md\n"+read(t, file), c.dir, "$TMP/wavelet")
}

// TestRustConfigs runs the same as rows of the contract, where the broken wrapper is expected.
func TestRustConfigs(t *testing.T) {
	testbed.Long(t)
	c, before := wrapped(t)
	r := c.cupel("exec", "--toolkit", c.toolkit, "--format", "md", "--before", before, "--config", "all")
	if r.code != 0 {
		t.Errorf("exit code %d, want 0: the row that fails is expected to\n%s", r.code, r.all)
	}
	got, _ := tableRows(t, r.stdout)
	want := []row{
		{"cpu-only", "PASS", "0", ""},
		{"cuda-debug", "PASS", "2", ""},
		{"cuda-release", "PASS", "2", ""},
		{"without-extra", "PASS", "1", ""},
		{"wrapper-disabled", "PASS", "2", ""},
		{"wrapper-broken", "expected-fail", "0", "not known: exit code 101 (rustc is started through the wrapper, whose server is gone)"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("table (- want, + got):\n%s\n%s", diff, r.all)
	}
	evidence(t, "exec-rust-configs.txt", transcript("\n"+`$ cupel exec --toolkit `+c.toolkit+` --format md --before "`+before+`" --config all`, r), c.dir, "$TMP/wavelet")
}
