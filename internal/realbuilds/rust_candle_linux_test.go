package realbuilds

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/testbed"
	"cupel/internal/verify"
)

// candle is one of the candle-kernels crates as published: 0.9.1 builds with bindgen_cuda, 0.11.1 with cudaforge.
func candle(t *testing.T, part, version string) crate {
	t.Helper()
	bed := testbed.Root(t, part)
	return newCrate(t, "candle-kernels", filepath.Join(bed, "candle-kernels-"+version), filepath.Join(bed, "vendor"))
}

// kernels are the sources of a crate, seen from its folder.
func (c crate) kernels() []string {
	c.t.Helper()
	var out []string
	for _, pattern := range []string{"src/*.cu", "src/*/*.cu"} {
		found, err := filepath.Glob(filepath.Join(c.dir, pattern))
		if err != nil {
			c.t.Fatal(err)
		}
		for _, f := range found {
			rel, err := filepath.Rel(c.dir, f)
			if err != nil {
				c.t.Fatal(err)
			}
			out = append(out, rel)
		}
	}
	return out
}

// keep removes the kernels directly in src but for those named.
func (c crate) keep(names ...string) {
	c.t.Helper()
	for _, k := range c.kernels() {
		if filepath.Dir(k) != "src" || slices.Contains(names, filepath.Base(k)) {
			continue
		}
		if err := os.Remove(filepath.Join(c.dir, k)); err != nil {
			c.t.Fatal(err)
		}
	}
}

// outDir is where the newest run's calls wrote.
func (c crate) outDir() string {
	c.t.Helper()
	for _, listed := range c.runs("--last").Calls {
		if call := c.runs("show", listed.ID).Call; len(call.Outputs) == 1 {
			return filepath.Dir(call.Outputs[0].Path)
		}
	}
	c.t.Fatal("no call of the newest run has an output")
	return ""
}

// ptx are the compiled kernels of a folder by their names.
func ptx(t *testing.T, dir string) map[string]string {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(dir, "*.ptx"))
	out := map[string]string{}
	for _, f := range found {
		out[filepath.Base(f)] = read(t, f)
	}
	return out
}

// TestCandle09 builds the crate as published: each kernel is compiled and recorded once, and to the same PTX as without cupel.
func TestCandle09(t *testing.T) {
	c := candle(t, "candle-0.9", "0.9.1")
	r := c.exec("cargo", "build")
	if r.code != 0 {
		t.Fatalf("cupel exec -- cargo build: exit code %d\n%s", r.code, r.all)
	}
	contains(t, "the ending", ending(t, r), "cupel exec: 11 nvcc calls (candle-kernels 0.9.1: 11)")
	c.oneRecordEach(c.kernels())
	evidence(t, "exec-rust-candle-0.9.txt", transcript(c.execLine("cargo", "build"), r)+
		transcript("\n$ cupel runs --last", c.cupel("runs", "--last")), c.dir, "$TMP/candle-kernels-0.9.1")
	if testing.Short() { // a second build of all of it takes half a minute
		c.samePTX("src/affine.cu", "src/fill.cu", "src/sort.cu", "src/ternary.cu")
		return
	}
	c.samePlainBuild()
}

// samePlainBuild builds the crate again without cupel, in the same place, and compares all PTX.
func (c crate) samePlainBuild() {
	c.t.Helper()
	dir := c.outDir()
	under := ptx(c.t, dir)
	c.clean("candle-kernels")
	if left := ptx(c.t, dir); len(under) != len(c.kernels()) || len(left) > 0 {
		c.t.Fatalf("exec made %d PTX files of %d kernels; %d are left after cargo clean, want 0", len(under), len(c.kernels()), len(left))
	}
	if r := c.plain("cargo", "build"); r.code != 0 {
		c.t.Fatalf("plain cargo build: exit code %d\n%s", r.code, r.all)
	}
	plain := ptx(c.t, dir)
	for _, name := range slices.Sorted(maps.Keys(under)) {
		if under[name] != plain[name] {
			c.t.Errorf("%s is another under exec (%d bytes) than in the plain build (%d bytes)", name, len(under[name]), len(plain[name]))
		}
	}
}

// oneRecordEach: every source has one recorded call, and nothing else has.
func (c crate) oneRecordEach(kernels []string) {
	c.t.Helper()
	want := map[string]int{}
	for _, k := range kernels {
		want[k] = 1
	}
	if diff := cmp.Diff(want, c.sources()); diff != "" {
		c.t.Errorf("records by kernel (- want, + got):\n%s", diff)
	}
}

// transcript is a command with what it wrote.
func transcript(command string, r result) string {
	return command + "\n" + strings.TrimRight(r.all, "\n") + "\n"
}

// TestCandle11 builds the crate on cudaforge once and looks at it from both sides: its contract in examples/ is met, with the
// files it names, and its 26 kernels are each compiled and recorded once by the exec that stands in the contract's command. They are
// not optimised: that takes ten minutes on two cores, and nothing that is shown here depends on it.
func TestCandle11(t *testing.T) {
	testbed.Long(t)
	c := candle(t, "sources", "0.11.1")
	c.toolkit = testbed.Toolkit(t, "cuda-12.4") // with cudart, which the contract demands
	c.env = append(c.env, "NVCC_APPEND_FLAGS=-Xcicc -O0 -Xptxas -O0")
	published := read(t, filepath.Join(testbed.Repo(t), "examples", "candle-kernels", "cupel.toml"))
	recorded := strings.Replace(published, `["cargo", "build", "--release"]`, `["cupel", "exec", "--", "cargo", "build", "--release"]`, 1)
	if recorded == published {
		t.Fatal("the contract's command is not cargo build --release")
	}
	write(t, filepath.Join(c.dir, "cupel.toml"), recorded)
	line := []string{"cupel", "verify", "--json", "--build", "--as", "ci", "--only", "toolkit-*", "--only", "kernels-*", "--only", "config-*"}
	r := c.plain(line...)
	var a verify.Answer
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil || r.code != 0 {
		t.Fatalf("cupel verify: exit code %d, %v\n%s", r.code, err, r.all)
	}
	got := map[string]string{}
	for _, check := range a.Findings {
		if check.Status == verify.Pass {
			got[check.ID] = check.Found
		}
	}
	if got["kernels-ptx"] != "11 files" || got["kernels-moe"] != "15 files" || got["config-kernels"] == "" {
		t.Errorf("checks that pass: %q, want 11 and 15 files and the config", got)
	}
	// The build script leaves this one out unless the feature cutile is on.
	c.oneRecordEach(slices.DeleteFunc(c.kernels(), func(k string) bool { return k == "src/moe/moe_align.cu" }))
	dir := c.outDir()
	library, _ := filepath.Glob(filepath.Join(dir, "libmoe.a"))
	if made := ptx(t, dir); len(made) != 11 || len(library) != 1 {
		t.Errorf("%d PTX files and %d libmoe.a were made, want 11 and 1", len(made), len(library))
	}
	c.samePTX("src/affine.cu", "src/fill.cu", "src/sort.cu", "src/ternary.cu")
	evidence(t, "exec-rust-candle-0.11.txt", "\n$ "+strings.Join(line, " ")+"\n"+r.stderr+
		transcript("\n$ cupel runs --last --slow --limit 5", c.cupel("runs", "--last", "--slow", "--limit", "5")), c.dir, "$TMP/candle-kernels-0.11.1")
}

// samePTX compiles kernels of the newest run again with the toolkit's own nvcc, and compares.
func (c crate) samePTX(kernels ...string) {
	c.t.Helper()
	last := c.runs("--last")
	compared := 0
	for _, listed := range last.Calls {
		if _, file, _ := strings.Cut(listed.Source, ": "); !slices.Contains(kernels, file) {
			continue
		}
		call := c.runs("show", listed.ID).Call
		at := slices.Index(call.Args, "--output-directory")
		if at < 0 || len(call.Outputs) != 1 {
			c.t.Fatalf("call %s: no --output-directory in %q, or not one output: %v", call.ID, call.Args, call.Outputs)
		}
		argv := append([]string{filepath.Join(c.toolkit, "bin", "nvcc")}, call.Args...)
		for i := range argv { // not a word of cupel is left
			argv[i] = strings.ReplaceAll(argv[i], last.Runs[0].Toolkit.Mirror, c.toolkit)
		}
		argv[at+2] = c.t.TempDir()
		if r := c.plain(argv...); r.code != 0 {
			c.t.Fatalf("plain nvcc: %q: exit code %d\n%s", argv, r.code, r.all)
		}
		name := filepath.Base(call.Outputs[0].Path)
		if read(c.t, call.Outputs[0].Path) != read(c.t, filepath.Join(argv[at+2], name)) {
			c.t.Errorf("%s is another under exec than with plain nvcc", name)
		}
		compared++
	}
	if compared != len(kernels) {
		c.t.Errorf("%d of %v were compared", compared, kernels)
	}
}
