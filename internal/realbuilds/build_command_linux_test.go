package realbuilds

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// small is a project with one kernel as PTX, built in under a second.
func small(t *testing.T) kernels {
	t.Helper()
	return newKernels(t, testbed.Toolkit(t, "cuda-12.4"), map[string]string{"cupel.toml": plainContract, "k.cu": plainKernel})
}

// TestBuildNamedFiles: files with options behind --, in a folder without a contract and with spaces.
func TestBuildNamedFiles(t *testing.T) {
	t.Parallel()
	k := newKernels(t, testbed.Toolkit(t, "cuda-12.4"), map[string]string{
		"a b/one.cu": "#include \"h.h\"\n__global__ void one(float *p) { p[0] = __expf(p[0]) + VALUE + OTHER; }\n",
		"inc/h.h":    "#define OTHER 2\n",
		"two.cu":     "#ifndef __FAST_MATH__\n#define __FAST_MATH__ 0\n#endif\n__global__ void two(float *p) { p[0] = p[0] / 3 + VALUE; }\n",
	})
	a := k.built(t, "a b/one.cu", "two.cu", "--kind", "ptx,cubin", "--arch", "80", "-I", "inc", "-D", "VALUE=5", "--name", "both", "--", "--use_fast_math")
	if got := hows(a, "built"); got != "one.cubin one.ptx two.cubin two.ptx" {
		t.Errorf("built %s", got)
	}
	if len(a.Result.Outputs) != 4 || filepath.Dir(a.Result.Outputs[0].Path) != k.path("build/cupel/both") {
		t.Errorf("outputs %+v", a.Result.Outputs)
	}
	contains(t, "the PTX", read(t, k.path("build/cupel/both/two.ptx")), "div.approx.ftz.f32")
	sameFiles(t, "named files", k.files(t, a), k.byHand(t, a))
}

// TestBuildJSON: the answer has the fields that are promised, by name.
func TestBuildJSON(t *testing.T) {
	t.Parallel()
	k := small(t)
	r := k.cupel(t, "build", "--json", "--toolkit", k.root)
	var a map[string]any
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatalf("%v\n%s", err, r.all)
	}
	has := func(what string, object map[string]any, keys string) {
		for _, key := range strings.Fields(keys) {
			if _, ok := object[key]; !ok {
				t.Errorf("%s has no %s: %v", what, key, object)
			}
		}
	}
	has("the answer", a, "format cupel findings root out toolkit notes build")
	if a["format"] != "cupel.build/1" {
		t.Errorf("format %v", a["format"])
	}
	built := a["build"].(map[string]any)
	has("build", built, "outputs calls up_to_date cached steps seconds")
	step := built["steps"].([]any)[0].(map[string]any)
	has("a step", step, "kernel kind source out archs how why start_seconds seconds threads peak_bytes argv")
	has("an output", built["outputs"].([]any)[0].(map[string]any), "kernel kind path size")
}

// TestBuildText: what a person reads, when stderr is no terminal: a line for each step, no colour, nothing drawn.
func TestBuildText(t *testing.T) {
	t.Parallel()
	k := small(t)
	text := func(want string, args ...string) result {
		t.Helper()
		r := k.cupel(t, append([]string{"build", "--toolkit", k.root}, args...)...)
		if r.code != 0 || !strings.Contains(r.stdout, want) || strings.Contains(r.all, "\x1b") {
			t.Errorf("build %q: code %d, want %q\nstdout %s\nstderr %s", args, r.code, want, r.stdout, r.stderr)
		}
		return r
	}
	text("would build k.cu → build/cupel/k/k.ptx: it was never built like this\nplan: 1 to build", "--dry-run")
	if _, err := os.Stat(k.path("build")); err == nil {
		t.Error("a dry run wrote build/")
	}
	r := text("built: 1 built in")
	contains(t, "stderr", r.stderr, "[1/1] built k.cu → build/cupel/k/k.ptx ")
	text("built: 1 up to date → build/cupel\n")
	remove(t, k.path("build"))
	text("cached k.cu → build/cupel/k/k.ptx\nbuilt: 1 from the cache", "--why")
	swap("k.cu", "= 1", "= 2")(t, k)
	text("built k.cu → build/cupel/k/k.ptx", "--why", "-v")
	swap("k.cu", "= 2", "= 3")(t, k)
	if r := text("", "--why", "--dry-run"); !strings.Contains(r.stdout, "k.cu changed") {
		t.Errorf("--why does not say what changed:\n%s", r.stdout)
	}
	if r := text("", "--quiet"); r.all != "" {
		t.Errorf("--quiet says %q", r.all)
	}
	swap("cupel.toml", `kinds`, "defines = [\"N=1\"]\nkinds")(t, k)
	if r := text("", "--why", "--dry-run"); !strings.Contains(r.stdout, "-DN=1 is new") {
		t.Errorf("--why does not name the option:\n%s", r.stdout)
	}
	if r := text("| k.cu | to-build |", "--format", "md", "--dry-run"); !strings.Contains(r.stdout, "| step | how |") {
		t.Errorf("markdown:\n%s", r.stdout)
	}
}

// TestBuildErrors: a failed compiler is code 1, with its words whole and the cause named; what was asked wrongly is 2; what could
// not be done is 3.
func TestBuildErrors(t *testing.T) {
	t.Parallel()
	k := small(t)
	write(t, k.path("bad.cu"), "__global__ void bad(float *p) {\n\tp[0] = missing_name; // the longest file is tried first"+strings.Repeat(".", 1000)+"\n}\n")
	write(t, k.path("z.cu"), plainKernel)
	write(t, k.path("file"), "")
	for _, tt := range []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"failing file", []string{"-j1"}, 1, []string{"bad.cu(2): error: identifier \"missing_name\" is undefined\n   p[0] = missing_name;\n          ^\n\n1 error detected in the compilation of \"bad.cu\".\n", "error[plain-cudafe]: an ordinary mistake in the source: bad.cu, line 2", "log:   line 1 of the compiler's output for bad.cu", "failed: 1 failed, 2 not tried"}},
		{"keep going", []string{"-j1", "-k"}, 1, []string{"failed: 1 failed, 2 built"}},
		{"out is below a file", []string{"--out", "file/below"}, 3, []string{"project/file: not a directory", "--out names another folder"}},
		{"no such toolkit", []string{"--toolkit", "/nowhere"}, 3, []string{"/nowhere"}},
		{"no such host compiler", []string{"--host-compiler", "/nowhere/g++"}, 2, []string{"/nowhere/g++"}},
		{"a target that is none", []string{"--arch", "foo"}, 2, []string{"--arch: ", "native, all-major, all"}},
		{"a target that went", []string{"--arch", "sm_20"}, 2, []string{"has no target that CUDA 12.4 makes code for"}},
		{"timeline to nowhere", []string{"k.cu", "--kind", "ptx", "--timeline", "file/x.json"}, 2, []string{"--timeline file/x.json: there is no folder file"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := k.cupel(t, append([]string{"build", "--toolkit", k.root}, tt.args...)...)
			if r.code != tt.code {
				t.Errorf("code %d, want %d\n%s", r.code, tt.code, r.all)
			}
			contains(t, "the output", r.all, tt.says...)
		})
	}
	if _, err := os.Stat(k.path("build/cupel/k/bad.ptx")); err == nil {
		t.Error("a failed call left its output")
	}
}

// TestBuildLinkFails: a link has no source, so it is named by what it makes.
func TestBuildLinkFails(t *testing.T) {
	t.Parallel()
	k := small(t)
	swap("cupel.toml", `"ptx"`, `"shared"`)(t, k)
	write(t, k.path("k.cu"), "int twice() { return 1; }\n")
	write(t, k.path("l.cu"), "int twice() { return 2; }\n")
	r := k.cupel(t, "build", "--toolkit", k.root)
	if r.code != 1 {
		t.Errorf("code %d, want 1", r.code)
	}
	contains(t, "the output", r.all, "multiple definition of `twice()'", " of the linker's output for build/cupel/k/libk.so", "failed: 1 failed, 2 built")
	if a, _ := k.build(t); len(a.Result.Failed) != 1 || a.Result.Failed[0].Out != "build/cupel/k/libk.so" {
		t.Errorf("for programs: %+v", a.Result.Failed)
	}
}

// TestBuildTimeline: the file is JSON in Chrome's form, with the step that ran.
func TestBuildTimeline(t *testing.T) {
	t.Parallel()
	k := small(t)
	k.built(t, "--timeline", "trace.json", "--dry-run")
	if _, err := os.Stat(k.path("trace.json")); err == nil {
		t.Error("a dry run wrote a file")
	}
	k.built(t, "--timeline", "trace.json")
	var all struct {
		TraceEvents []struct {
			Name, Ph string
			Ts, Dur  float64
		}
	}
	text := read(t, k.path("trace.json"))
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	found := 0
	for _, e := range all.TraceEvents {
		if e.Ph == "X" && strings.HasSuffix(e.Name, "k.ptx") && e.Dur > 0 {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d events of k.ptx, want 1:\n%s", found, text)
	}
}

const spilling = `__global__ void __launch_bounds__(1024, 2) spills(float *p) {
	float v[120];
#pragma unroll
	for (int i = 0; i < 120; i++) v[i] = p[i * 7];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 120; i++) p[i] = v[119 - i] * v[i];
}
__global__ void fits(float *p) { p[0] = 1; }
`

// TestBuildResources: the table of what ptxas tells, with a warning for the kernel that spills; also when it comes from the
// store, and when nothing was to do.
func TestBuildResources(t *testing.T) {
	t.Parallel()
	k := small(t)
	write(t, k.path("k.cu"), spilling)
	swap("cupel.toml", `"ptx"`, `"cubin"`)(t, k)
	for i, how := range []string{"built", "up-to-date", "cached"} {
		if how == "cached" {
			remove(t, k.path("build"))
		}
		a := k.built(t, "--resources")
		if hows(a, how) != "k.cubin" {
			t.Errorf("build %d: %+v, want %s", i, a.Result.Steps, how)
		}
		spills := map[string]bool{}
		for _, r := range a.Resources {
			spills[r.Name] = r.Spills
		}
		if want := map[string]bool{"_Z6spillsPf": true, "_Z4fitsPf": false}; !maps.Equal(spills, want) || len(a.Resources) != len(want) {
			t.Errorf("%s: spills %v, want %v, of %+v", how, spills, want, a.Resources)
		}
	}
	r := k.cupel(t, "build", "--toolkit", k.root, "--resources")
	contains(t, "the table", r.stdout, "registers", "sm_80", "warning: 1 of 2 spill registers to memory")
}

// TestBuildEmit: to stdout alone, with the rest on stderr; to a file, which keeps its time while nothing changed.
func TestBuildEmit(t *testing.T) {
	t.Parallel()
	k := small(t)
	r := k.cupel(t, "build", "--toolkit", k.root, "--emit", "cargo", "--emit", "depfile=deps.d", "--emit", "compile-commands=compile_commands.json", "--emit", "json=built.json")
	if r.code != 0 {
		t.Fatal(r.all)
	}
	for line := range strings.Lines(r.stdout) {
		if !strings.HasPrefix(line, "cargo:") {
			t.Errorf("cargo would read %q", line)
		}
	}
	contains(t, "stdout", r.stdout, "cargo:rerun-if-changed="+k.path("k.cu"), "cargo:rerun-if-changed="+k.path("cupel.toml"))
	contains(t, "stderr", r.stderr, "built: 1 built")
	contains(t, "deps.d", read(t, k.path("deps.d")), "k.cu")
	var calls []struct{ Directory, File string }
	if err := json.Unmarshal([]byte(read(t, k.path("compile_commands.json"))), &calls); err != nil || len(calls) != 1 || calls[0].Directory != k.dir {
		t.Errorf("compile_commands.json: %v, %+v", err, calls)
	}
	before, err := os.Stat(k.path("built.json"))
	if err != nil || !json.Valid([]byte(read(t, k.path("built.json")))) {
		t.Fatalf("built.json: %v", err)
	}
	if r := k.cupel(t, "build", "--toolkit", k.root, "--emit", "json=built.json", "-q"); r.all != "" {
		t.Errorf("-q says %q", r.all)
	}
	if after, err := os.Stat(k.path("built.json")); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("built.json was written again: %v", err)
	}
	if r := k.cupel(t, "build", "--toolkit", k.root, "--emit", "cargo", "--json"); r.code != 2 {
		t.Errorf("two answers on stdout: code %d\n%s", r.code, r.all)
	}
}
