package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/render"
	"cupel/internal/testbed"
)

const emitContract = `cupel = 1
[project]
name = "fast-math"
[arch]
targets = ["sm_80"]
[[kernels]]
name = "k"
sources = ["*.cu"]
kinds = "ptx"
`

// emitProject is a folder with one kernel.
func emitProject(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "folder")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"cupel.toml": emitContract, "k.cu": "__global__ void k(int *p) { *p = 1; }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// cupelIn runs cupel where no folder for a cache is known but by env, and gives what it says on stdout.
func cupelIn(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program(t), args...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == "CUPEL_CACHE" || name == "HOME" || name == "XDG_CACHE_HOME"
	}), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cupel %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestBuildEmitted: build systems are told the project's own name, the toolkit's release and straight paths, by the first
// build and by one that has nothing to do. Without a home folder the project gets no files beside its outputs.
func TestBuildEmitted(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	dir := emitProject(t)
	build := func(args ...string) string {
		t.Helper()
		return cupelIn(t, dir, nil, append([]string{"build", "--toolkit", root}, args...)...)
	}
	for _, when := range []string{"first", "second"} {
		var got struct {
			Name    string
			Toolkit struct{ Release string }
			Inputs  []string
		}
		if err := json.Unmarshal([]byte(build("-q", "--emit", "json")), &got); err != nil {
			t.Fatal(err)
		}
		if got.Name != "fast-math" || !strings.HasPrefix(got.Toolkit.Release, "12.4") || len(got.Inputs) < 10 || strings.Contains(strings.Join(got.Inputs, "\n"), "..") {
			t.Errorf("%s: name %q, release %q, inputs\n%s", when, got.Name, got.Toolkit.Release, strings.Join(got.Inputs, "\n"))
		}
	}
	if got := build("-q", "--emit", "pkg-config"); !strings.Contains(got, "\nName: fast-math\n") {
		t.Errorf("pkg-config:\n%s", got)
	}
	if got := build(); strings.Count(got, "CUPEL_CACHE names one") != 1 || !strings.Contains(got, "1 up to date") {
		t.Errorf("without a place for a cache:\n%s", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("in the project: %v, %v; want build, cupel.toml, k.cu", entries, err)
	}
}

// TestBuildCacheOff: CUPEL_NO_CACHE keeps a build from the store. What the store has is verified, several calls at once, and
// no more of them than was asked for.
func TestBuildCacheOff(t *testing.T) {
	root := testbed.Toolkit(t, "cuda-12.4")
	dir, store := emitProject(t), t.TempDir()
	for _, tt := range []struct{ name, off, want string }{
		{"filled", "", "1 built"}, {"used", "", "1 from the cache"}, {"off", "1", "1 built"},
	} {
		if err := os.RemoveAll(filepath.Join(dir, "build")); err != nil {
			t.Fatal(err)
		}
		env := []string{"CUPEL_CACHE=" + store, "CUPEL_NO_CACHE=" + tt.off}
		if got := cupelIn(t, dir, env, "build", "--toolkit", root); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	env := []string{"CUPEL_CACHE=" + store}
	cupelIn(t, dir, env, "build", "k.cu", "--kind", "cubin", "--toolkit", root)
	for args, want := range map[string]string{"-j 2": "2 calls made again: 2 the same, 0 different\n", "-j 2 --most 1": "1 call made again: 1 the same, 0 different\n", "--quick": "$"} {
		if got := cupelIn(t, dir, env, append([]string{"cache", "verify"}, strings.Fields(args)...)...); !regexp.MustCompile(`^[1-9]\d* files of the store read, 0 torn\n` + want).MatchString(got) {
			t.Errorf("cache verify %s: %s, want %s", args, got, want)
		}
	}
}

// TestBuildRestored: a folder of outputs that was deleted is filled from the store, whatever else happened meanwhile, and
// with the words of the first build.
func TestBuildRestored(t *testing.T) {
	root, dir, store := testbed.Toolkit(t, "cuda-12.4"), emitProject(t), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("cupel.toml", strings.Replace(emitContract, `kinds = "ptx"`, `kinds = ["ptx", "shared"]`, 1))
	write("k.cu", "__global__ void k(int *p) { int unused; *p = 1; }\n")
	var first []string
	for _, tt := range []struct {
		name   string
		change func()
		steps  string
	}{
		{"first", func() {}, "built built built"},
		{"all gone", func() {}, "cached cached cached"},
		{"gone again", func() {}, "cached cached cached"},
		{"a file beside", func() { write("notes.txt", "x") }, "cached cached cached"},
		{"a file on the way", func() { write("build/notes.txt", "x") }, "cached cached cached"},
		{"one more kernel", func() { write("l.cu", "__global__ void l(int *p) { *p = 2; }\n") }, "cached cached built built built"},
		{"and without it", func() { _ = os.Remove(filepath.Join(dir, "l.cu")) }, "cached cached cached"},
		{"edited", func() { write("k.cu", "__global__ void k(int *p) { int unused; *p = 3; }\n") }, "built built built"},
		{"edited back", func() { write("k.cu", "__global__ void k(int *p) { int unused; *p = 1; }\n") }, "cached cached cached"},
		{"the store is gone", func() { _ = os.RemoveAll(filepath.Join(store, "store", "blobs")) }, "built built built"},
	} {
		if err := os.RemoveAll(filepath.Join(dir, "build")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Millisecond) // what is younger may change and keep its time
		tt.change()
		var got render.Build
		if err := json.Unmarshal([]byte(cupelIn(t, dir, []string{"CUPEL_CACHE=" + store}, "build", "--json", "--toolkit", root)), &got); err != nil {
			t.Fatal(err)
		}
		var how, said []string
		for _, s := range got.Result.Steps {
			how = append(how, s.How)
			said = append(said, s.Said)
		}
		if strings.Join(how, " ") != tt.steps || !strings.HasPrefix(got.Toolkit, "CUDA 12.4") {
			t.Errorf("%s: %q with %q, want %s", tt.name, how, got.Toolkit, tt.steps)
		}
		if first == nil {
			first = said
		}
		if tt.name != "edited" && len(said) == len(first) && !slices.Equal(said, first) {
			t.Errorf("%s: said %q, want %q", tt.name, said, first)
		}
		for _, o := range got.Result.Outputs {
			info, err := os.Stat(o.Path)
			if err != nil || info.Mode().Perm()&0o111 != 0 != (o.Kind == "shared") {
				t.Errorf("%s: %s: %v, %v", tt.name, o.Path, info.Mode(), err)
			}
		}
	}
}

// TestBuildOddFolder: the shell's name of the current folder need not be the shortest.
func TestBuildOddFolder(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-12.4"), emitProject(t)
	for _, pwd := range []string{"/" + dir, dir + "/", dir + "/../folder"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, program(t), "build", "--dry-run", "--toolkit", root)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PWD="+pwd)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "k.ptx") {
			t.Errorf("in %s: %v\n%s", pwd, err, out)
		}
	}
}

// TestBuildRelinked: a toolkit is asked for by a link, and the link comes to lead to another one, though no file changed.
func TestBuildRelinked(t *testing.T) {
	first, second := testbed.Toolkit(t, "cuda-12.4"), testbed.Toolkit(t, "cuda-13.0")
	for _, by := range []string{"--toolkit", "CUPEL_TOOLKIT"} {
		t.Run(by, func(t *testing.T) {
			dir, link := emitProject(t), filepath.Join(t.TempDir(), "cuda")
			env, args := []string{"CUPEL_CACHE=" + t.TempDir()}, []string{"build"}
			if by == "--toolkit" {
				args = append(args, by, link)
			} else {
				env = append(env, by+"="+link)
			}
			for _, step := range []struct{ toolkit, said, release string }{
				{first, "built", "release 12.4"}, {first, "up to date", "release 12.4"}, {second, "built", "release 13.0"}, {first, "from the cache", "release 12.4"},
			} {
				_ = os.Remove(link)
				if err := os.Symlink(step.toolkit, link); err != nil {
					t.Fatal(err)
				}
				said := cupelIn(t, dir, env, args...)
				ptx, err := os.ReadFile(filepath.Join(dir, "build", "cupel", "k", "k.ptx"))
				if err != nil || !strings.Contains(string(ptx), step.release) || !strings.Contains(said, step.said) {
					t.Errorf("%s: %v, want %s and %q:\n%s", step.toolkit, err, step.release, step.said, said)
				}
			}
		})
	}
}

// TestBuildWaitsTooLong: what is waited for is the other build of the same outputs, and the limit is told.
func TestBuildWaitsTooLong(t *testing.T) {
	root, dir, store := testbed.Toolkit(t, "cuda-12.4"), emitProject(t), t.TempDir()
	env := []string{"CUPEL_CACHE=" + store}
	cupelIn(t, dir, env, "build", "--toolkit", root)
	out := filepath.Join(dir, "build", "cupel")
	if err := os.RemoveAll(filepath.Join(out, "k")); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out) // as cupel locks it
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{nil, {"--no-cache"}} { // what would be restored, what would be planned
		cmd := exec.Command(program(t), append([]string{"build", "--toolkit", root, "--timeout", "700ms"}, more...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		text, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(string(text), "it took longer than --timeout") {
			t.Errorf("%q: exit %d\n%s", more, code, text)
		}
	}
}

const wholeContract = `cupel = 1
[project]
name = "whole"
[arch]
targets = ["sm_80"]
ptx = "all"
[[kernels]]
name = "k"
sources = ["*.cu"]
kinds = ["ptx", "static"]
link-name = "kk"
rdc = true
flags = ["--cudart", "shared"]
`

// TestBuildEmittedWhole: a real build fills every field that --emit json writes; what nvcc is told of cudart, programs are.
func TestBuildEmittedWhole(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-12.4"), emitProject(t)
	if err := os.WriteFile(filepath.Join(dir, "cupel.toml"), []byte(wholeContract), 0o644); err != nil {
		t.Fatal(err)
	}
	text := cupelIn(t, dir, nil, "build", "-q", "--toolkit", root, "--emit", "json")
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if empty := emptyFields("", got); len(empty) > 0 {
		t.Errorf("empty: %q in\n%s", empty, text)
	}
	kernel := got["kernels"].([]any)[0].(map[string]any)
	outputs := kernel["outputs"].([]any)
	for i, keys := range []string{"arch constant kind path source", "kind path"} {
		if got := strings.Join(slices.Sorted(maps.Keys(outputs[i].(map[string]any))), " "); got != keys {
			t.Errorf("output %d has %s, want %s", i, got, keys)
		}
	}
	if link := fmt.Sprint(kernel["link"]); link != "[kk cudadevrt cudart stdc++ m]" || kernel["rdc"] != true || kernel["complete"] != true {
		t.Errorf("kernel %v", kernel)
	}
}

// emptyFields are the names of fields without a value, at any depth.
func emptyFields(name string, v any) (names []string) {
	switch v := v.(type) {
	case map[string]any:
		for k, one := range v {
			names = append(names, emptyFields(name+"/"+k, one)...)
		}
	case []any:
		if len(v) == 0 {
			names = append(names, name)
		}
		for _, one := range v {
			names = append(names, emptyFields(name, one)...)
		}
	case nil:
		names = append(names, name)
	case string:
		if v == "" {
			names = append(names, name)
		}
	}
	return names
}

// TestBuildNarrowed: --arch is for one run: what it does not make stays until the contract itself is built again, and that
// knows it still.
func TestBuildNarrowed(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-12.4"), emitProject(t)
	text := strings.Replace(emitContract, `targets = ["sm_80"]`, "targets = [\"sm_80\", \"sm_90\"]\nptx = \"all\"", 1)
	if err := os.WriteFile(filepath.Join(dir, "cupel.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, args, files, says string }{
		{"the contract", "", "k.compute_80.ptx k.compute_90.ptx", "2 built"},
		{"narrowed", "--arch compute_86", "k.compute_80.ptx k.compute_90.ptx k.ptx", "1 built"},
		{"narrowed again", "--arch compute_86", "k.compute_80.ptx k.compute_90.ptx k.ptx", "1 up to date"},
		{"the contract again", "", "k.compute_80.ptx k.compute_90.ptx", "2 up to date"},
	} {
		said := cupelIn(t, dir, nil, append([]string{"build", "--toolkit", root}, strings.Fields(tt.args)...)...)
		found, err := filepath.Glob(filepath.Join(dir, "build/cupel/k/*"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			found[i] = filepath.Base(found[i])
		}
		if got := strings.Join(found, " "); got != tt.files || !strings.Contains(said, tt.says) {
			t.Errorf("%s: files %s, want %s; it says\n%swant %s", tt.name, got, tt.files, said, tt.says)
		}
	}
}

// TestUpWithoutHome: up says what build says where results cannot be kept.
func TestUpWithoutHome(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-12.4"), emitProject(t)
	got := cupelIn(t, dir, []string{"CUPEL_HOME=" + t.TempDir()}, "up", "--toolkit", root)
	if strings.Count(got, "CUPEL_CACHE names one") != 1 || !strings.Contains(got, "built: 1 file") {
		t.Errorf("up without a home folder:\n%s", got)
	}
}

// TestBuildTimeout: a --timeout that ends before, while and after the machine is asked is told as such, and nothing is called missing
// that was not looked at any more.
func TestBuildTimeout(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-12.4"), emitProject(t)
	for _, limit := range []string{"1us", "1ms", "2ms", "4ms", "8ms", "16ms", "32ms", "64ms"} {
		cmd := exec.Command(program(t), "build", "--toolkit", root, "--timeout", limit)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CUPEL_NO_CACHE=1")
		out, err := cmd.CombinedOutput()
		if code := codeOf(err); err != nil && (code != 3 || !strings.HasSuffix(string(out), "cupel: it took longer than --timeout\n")) {
			t.Errorf("--timeout %s: code %d\n%s", limit, code, out)
		}
		if err := os.RemoveAll(filepath.Join(dir, "build")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBuildFamily: the call passes on what is for the compiler that the environment names, and a word says where that cannot be told.
func TestBuildFamily(t *testing.T) {
	root, dir := testbed.Toolkit(t, "cuda-13.0"), emitProject(t)
	text := emitContract + "flags-gcc = [\"-DISGCC\"]\nflags-clang = [\"-DISCLANG\"]\n"
	if err := os.WriteFile(filepath.Join(dir, "cupel.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ env, want, not string }{
		{"NVCC_CCBIN=", "-DISGCC", "-DISCLANG"},
		{"NVCC_CCBIN=clang++-99", "-DISCLANG", "-DISGCC"},
		{"NVCC_APPEND_FLAGS=-ccbin clang++-99", "-DISCLANG", "-DISGCC"},
		{"NVCC_CCBIN=/opt/strange", "the host compiler, /opt/strange, does not tell its family", "-DIS"},
	} {
		got := cupelIn(t, dir, []string{tt.env}, "build", "--toolkit", root, "--dry-run", "--json")
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("%s: want %s and not %s in\n%s", tt.env, tt.want, tt.not, got)
		}
	}
}
