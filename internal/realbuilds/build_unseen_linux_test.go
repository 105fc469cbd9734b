package realbuilds

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/build"
	"cupel/internal/testbed"
)

const unseenContract = `cupel = 1
[project]
name = "p"
[arch]
targets = ["8.0"]
[[kernels]]
name = "g"
sources = ["src/*.cu"]
`

// TestBuildUnseen: each of these changes makes another result, and none of them is a change of a source, a header, an option or a
// variable. The build before it says that all is up to date; the build after it makes what a clean one does.
func TestBuildUnseen(t *testing.T) {
	t.Parallel()
	root := testbed.Toolkit(t, "cuda-12.4")
	shell := func(text string) string { return "#!/bin/sh\n" + text + "\n" }
	long, includesMacro := "inc/"+strings.Repeat("long", 50), "#define H <h.h>\n#include H\nextern \"C\" __global__ void F() {}\n"
	tests := []struct {
		name, contract, source string
		files                  map[string]string
		env, args              []string // @ is the project's folder
		prepare, change        func(t *testing.T, k kernels)
	}{
		{name: "response file", contract: "kinds = [\"ptx\"]\nflags = [\"--options-file\", \"o.rsp\"]\n", files: map[string]string{"o.rsp": "-DF=one"},
			change: func(t *testing.T, k kernels) { write(t, k.path("o.rsp"), "-DF=two") }},
		{name: "response file in another", contract: "kinds = [\"ptx\"]\nflags = [\"--options-file\", \"o.rsp\"]\n", files: map[string]string{"o.rsp": "--options-file more/p.rsp", "more/p.rsp": "-DF=one"},
			change: func(t *testing.T, k kernels) { write(t, k.path("more/p.rsp"), "-DF=two") }},
		{name: "new source with outputs in the project", contract: "kinds = [\"ptx\"]\n", args: []string{"--out", "."},
			change: func(t *testing.T, k kernels) {
				write(t, k.path("src/new.cu"), "extern \"C\" __global__ void added() {}\n")
			}},
		{name: "new source with outputs beside it", contract: "kinds = [\"ptx\"]\n", args: []string{"--out", "src"},
			change: func(t *testing.T, k kernels) {
				write(t, k.path("src/new.cu"), "extern \"C\" __global__ void added() {}\n")
			}},
		{name: "link in the place of an output", contract: "kinds = [\"ptx\"]\n", files: map[string]string{"mine": "mine\n"},
			change: func(t *testing.T, k kernels) {
				out := k.path("build/cupel/g/k.ptx")
				remove(t, out)
				testbed.Link(t, k.path("mine"), out)
			}},
		{name: "link to nothing in the place of an output", contract: "kinds = [\"ptx\"]\n",
			change: func(t *testing.T, k kernels) {
				out := k.path("build/cupel/g/k.ptx")
				remove(t, out)
				testbed.Link(t, k.path("nothing"), out)
			}},
		// gcc names headers of -isystem by where links lead, as that is shorter here.
		{name: "folder of a macro's header is a link and turned", contract: "kinds = [\"ptx\"]\nflags = [\"-isystem\", \"" + long + "/link\"]\n", source: includesMacro,
			files:   map[string]string{long + "/none": "", "one/h.h": "#define F one\n", "two/h.h": "#define F two\n"},
			prepare: func(t *testing.T, k kernels) { testbed.Link(t, k.path("one"), k.path(long+"/link")) },
			change: func(t *testing.T, k kernels) {
				remove(t, k.path(long+"/link"))
				testbed.Link(t, k.path("two"), k.path(long+"/link"))
			}},
		{name: "g++ comes", contract: "kinds = [\"shared\"]\n", env: []string{"PATH=@/tools"},
			change: func(t *testing.T, k kernels) {
				script(t, k.path("tools/g++"), shell(`exec /usr/bin/g++ "$@" -Wl,--defsym=CHANGED=1`))
			}},
		{name: "link to a linker is turned", contract: "kinds = [\"shared\"]\n", env: []string{"PATH=@/../tools"},
			prepare: func(t *testing.T, k kernels) {
				script(t, k.path("../one"), shell(`exec /usr/bin/ld "$@"`))
				script(t, k.path("../two"), shell(`exec /usr/bin/ld "$@" --defsym=CHANGED=1`))
				write(t, k.path("../tools/none"), "")
				testbed.Link(t, "one", k.path("../ld"))
				testbed.Link(t, "../ld", k.path("../tools/ld"))
			},
			change: func(t *testing.T, k kernels) {
				remove(t, k.path("../ld"))
				testbed.Link(t, "two", k.path("../ld"))
			}},
		{name: "linker comes in COMPILER_PATH", contract: "kinds = [\"shared\"]\n", env: []string{"COMPILER_PATH=@/tools"},
			change: func(t *testing.T, k kernels) {
				script(t, k.path("tools/ld"), shell(`exec /usr/bin/ld "$@" --defsym=CHANGED=1`))
			}},
		{name: "archiver comes in COMPILER_PATH", contract: "kinds = [\"static\"]\n", env: []string{"COMPILER_PATH=@/tools"},
			change: func(t *testing.T, k kernels) {
				script(t, k.path("tools/ar"), shell(`/usr/bin/ar "$@" && cp "$2" "$2.x" && echo changed > note && /usr/bin/ar q "$2" note && rm "$2.x"`))
			}},
		{name: "assembler comes in COMPILER_PATH", contract: "kinds = [\"object\"]\n", env: []string{"COMPILER_PATH=@/tools"},
			change: func(t *testing.T, k kernels) {
				script(t, k.path("tools/as"), shell(`exec /usr/bin/as "$@" --defsym CHANGED=1`))
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"cupel.toml": unseenContract + tt.contract, "src/k.cu": cmp.Or(tt.source, "extern \"C\" __global__ void F() {}\n")}
			for name, text := range tt.files {
				files[name] = text
			}
			k := newKernels(t, root, files)
			if tt.prepare != nil {
				tt.prepare(t, k)
			}
			if err := os.MkdirAll(k.path("tools"), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, kv := range tt.env {
				kv = strings.ReplaceAll(kv, "@", k.dir)
				if strings.HasPrefix(kv, "PATH=") {
					kv += ":" + programs(t, runtime.GOOS) + ":" + os.Getenv("PATH")
				}
				k.env = append(k.env, kv)
			}
			k.built(t, tt.args...)
			if a := k.built(t, tt.args...); len(a.Result.Steps) == 0 || hows(a, build.UpToDate) == "" || len(strings.Fields(hows(a, build.UpToDate))) != len(a.Result.Steps) {
				t.Errorf("nothing changed, and not all is up to date: %+v", a.Result.Steps)
			}
			tt.change(t, k)
			after := k.built(t, tt.args...)
			got := k.files(t, after)
			want := k.clean(t)
			sameFiles(t, tt.name, got, want)
			if len(got) != len(want) {
				t.Errorf("%d files, a clean build makes %d", len(got), len(want))
			}
			if text, ok := tt.files["mine"]; ok && read(t, k.path("mine")) != text {
				t.Error("a file of the user's was written to through a link")
			}
			if _, err := os.Lstat(k.path("nothing")); err == nil {
				t.Error("a file was made where a link leads to")
			}
		})
	}
}

// script writes a program.
func script(t *testing.T, path, text string) {
	t.Helper()
	write(t, path, text)
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestShimOddCalls: what nvcc says of a call, and with which code it ends, does not depend on what was compiled before.
func TestShimOddCalls(t *testing.T) {
	t.Parallel()
	k := newKernels(t, testbed.Toolkit(t, "cuda-13.0"), map[string]string{"one/k.cu": "static __device__ int v;\n__global__ void k() { v = 1; }\n", "folder/x": ""})
	write(t, k.path("two/k.cu"), read(t, k.path("one/k.cu")))
	nvcc := filepath.Join(k.root, "bin", "nvcc")
	for _, tt := range []struct{ name, dir, words string }{
		{"first", "one", "-ptx -o 1.ptx"},
		{"threads that are no number", "one", "-ptx -o 1.ptx -t abc"},
		{"negative threads", "one", "-ptx -o 1.ptx -t=-3"},
		{"dependencies nobody asked for", "one", "-ptx -o 1.ptx -MF z.d"},
		{"threads twice", "one", "-ptx -o 1.ptx -t 2 -t 4"},
		{"threads once", "one", "-ptx -o 1.ptx -t 2"},
		{"output twice", "one", "-ptx -o 1.ptx -o 2.ptx"},
		{"output once", "one", "-ptx -o 2.ptx"},
		{"output is a folder", "one", "-ptx -o ../folder"},
		{"code for link-time optimisation", "one", "-fatbin -gencode arch=compute_80,code=lto_80 -o l.fatbin"},
		{"the same in another folder", "two", "-fatbin -gencode arch=compute_80,code=lto_80 -o l.fatbin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			words := append(strings.Fields(tt.words), "k.cu")
			out := k.path(filepath.Join(tt.dir, words[len(words)-2]))
			made := func(argv ...string) (result, string) {
				_ = os.Remove(out)
				r := run(t, k.path(tt.dir), k.env, slices.Concat(argv, words)...)
				text, _ := os.ReadFile(out)
				return r, string(text)
			}
			want, bytes := made(nvcc)
			for _, what := range []string{"first", "again"} {
				got, same := made("cupel-nvcc", nvcc)
				if got.code != want.code || got.all != want.all || same != bytes {
					t.Errorf("%s: code %d, %q, the same bytes: %v; plain nvcc: code %d, %q", what, got.code, got.all, same == bytes, want.code, want.all)
				}
			}
		})
	}
}

// TestShimLinkedOutput: a link in the place of an output is treated as nvcc itself does, on a miss and on a hit: an object takes
// its place, PTX is written to where it leads.
func TestShimLinkedOutput(t *testing.T) {
	t.Parallel()
	k := newKernels(t, testbed.Toolkit(t, "cuda-12.4"), map[string]string{"k.cu": "__global__ void k() {}\n"})
	nvcc := filepath.Join(k.root, "bin", "nvcc")
	for _, phase := range []string{"-c", "-ptx"} {
		left := func(argv ...string) (string, bool) {
			_ = os.Remove(k.path("out"))
			write(t, k.path("mine"), "mine")
			testbed.Link(t, "mine", k.path("out"))
			if r := run(t, k.dir, k.env, append(argv, phase, "-arch=sm_80", "k.cu", "-o", "out")...); r.code != 0 {
				t.Fatalf("%v: code %d\n%s", argv, r.code, r.all)
			}
			info, err := os.Lstat(k.path("out"))
			if err != nil {
				t.Fatal(err)
			}
			return read(t, k.path("mine"))[:4], info.Mode()&os.ModeSymlink != 0
		}
		mine, link := left(nvcc)
		for _, what := range []string{"a miss", "a hit"} {
			if gotMine, gotLink := left("cupel-nvcc", nvcc); gotMine != mine || gotLink != link {
				t.Errorf("%s, %s: the file behind begins with %q, the link stays: %v; by nvcc %q, %v", phase, what, gotMine, gotLink, mine, link)
			}
		}
	}
}

// TestShimStoreWent: a store that is deleted while nvcc keeps its files there costs nothing but the time: the output is made, and no
// older one stays (nvcc 12.4 itself ends with 0 then and writes nothing).
func TestShimStoreWent(t *testing.T) {
	t.Parallel()
	k := newKernels(t, testbed.Toolkit(t, "cuda-12.4"), map[string]string{"k.cu": ""})
	nvcc := filepath.Join(k.root, "bin", "nvcc")
	for i, after := range []time.Duration{100, 200, 300, 400, 600} {
		name := "only_" + string(rune('A'+i))
		write(t, k.path("k.cu"), "extern \"C\" __global__ void "+name+"() {}\n")
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			time.Sleep(after * time.Millisecond)
			_ = os.RemoveAll(filepath.Join(filepath.Dir(k.dir), "cache"))
		}()
		r := run(t, k.dir, k.env, "cupel-nvcc", nvcc, "-ptx", "-arch=sm_80", "k.cu", "-o", "k.ptx")
		<-gone
		if made := read(t, k.path("k.ptx")); r.code != 0 || !strings.Contains(made, name) {
			t.Errorf("deleted after %d ms: code %d, %s is in the PTX: %v\n%s", after, r.code, name, strings.Contains(made, name), r.all)
		}
	}
}
