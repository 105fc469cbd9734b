package realbuilds

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRustNothingCompiled: a build without the feature compiles nothing, and exec warns. One that is up to date compiles nothing
// either, which is in order: the first line says it, and -v tells the rest.
func TestRustNothingCompiled(t *testing.T) {
	c := wavelet(t)
	text := ""
	for _, tt := range []struct {
		name string
		argv []string // of cupel exec
		want []string
		not  string
	}{
		{"first build", []string{"--", "cargo", "build"}, []string{"2 nvcc calls (wavelet 0.3.0: 2)"}, "exec-nothing-compiled"},
		{"up to date", []string{"--", "cargo", "build"}, []string{"cupel exec: no nvcc calls"}, "exec-nothing-compiled"},
		{"up to date, in full", []string{"-v", "--", "cargo", "build"}, []string{"cupel exec: no nvcc calls", "[exec-nothing-compiled]", "up to date", "cargo clean -p wavelet"}, "warning["},
		{"feature off", []string{"--", "cargo", "build", "--no-default-features"},
			[]string{"cupel exec: no nvcc calls", "warning[exec-nothing-compiled]", "locks bindgen_cuda", "switched off", "cargo build --no-default-features --features cuda"}, "error["},
	} {
		t.Run(tt.name, func(t *testing.T) {
			argv := slices.Concat([]string{"exec", "--toolkit", c.toolkit}, tt.argv)
			r := c.cupel(argv...)
			if r.code != 0 {
				t.Errorf("exit code %d, want 0\n%s", r.code, r.all)
			}
			contains(t, "the ending", ending(t, r), tt.want...)
			if strings.Contains(ending(t, r), tt.not) {
				t.Errorf("the ending has %q:\n%s", tt.not, r.all)
			}
			text += transcript("\n$ cupel "+strings.Join(argv, " "), r)
		})
	}
	evidence(t, "exec-rust-nothing-compiled.txt", text, c.dir, "$TMP/wavelet")
}

// TestRustOverridden: [env] of .cargo/config.toml with force wins over the environment. The file and the line are named, and what
// it costs: a value that is not exec's, or a compiler that is not recorded.
func TestRustOverridden(t *testing.T) {
	text := ""
	for _, tt := range []struct {
		name, set, value string
		calls            int
		want             []string
	}{
		{"CUDA_HOME", "CUDA_HOME", "$ROOT", 2, []string{"warning[exec-value-overridden]: CUDA_HOME is $ROOT", "or write it without force = true"}},
		{"NVCC", "NVCC", "$ROOT/bin/nvcc", 1, []string{"warning[exec-shim-passed-by]: $ROOT/bin/nvcc was started without the shim", "sets NVCC to $ROOT/bin/nvcc", "take NVCC out of [env]"}},
		{"PATH", "PATH", "$ROOT/bin:/usr/bin:/bin", 1, []string{"warning[exec-shim-passed-by]: $ROOT/bin/nvcc was started without the shim", "warning[exec-value-overridden]: PATH leads"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := wavelet(t)
			fill := func(s string) string { return strings.ReplaceAll(s, "$ROOT", c.toolkit) }
			c.config(fmt.Sprintf("# Of a machine long gone.\n[env]\n%s = { value = %q, force = true }\n", tt.set, fill(tt.value)))
			r := c.exec("cargo", "build")
			if r.code != 0 {
				t.Fatalf("exit code %d, want 0\n%s", r.code, r.all)
			}
			end := ending(t, r)
			for _, w := range append(tt.want, filepath.Join(c.dir, ".cargo", "config.toml")+" line 3 sets ") {
				contains(t, "the ending", end, fill(w))
			}
			if got := c.sources(); len(got) != tt.calls {
				t.Errorf("kernels with a record: %v, want %d of the two", got, tt.calls)
			}
			text += withoutPlaces(t, fmt.Sprintf("\n$ cat .cargo/config.toml\n%s%s", read(t, filepath.Join(c.dir, ".cargo", "config.toml")), transcript(c.execLine("cargo", "build"), r)), c.dir, "$TMP/wavelet")
		})
	}
	evidence(t, "exec-rust-overridden.txt", text)
}
