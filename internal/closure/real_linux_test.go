package closure

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/recipe"
	"cupel/internal/stamp"
	"cupel/internal/testbed"
)

// toolkits are those of make test; the others run in make e2e.
var toolkits = []struct {
	part  string
	ccbin string // the host compiler, where not the machine's own
	long  bool
}{
	{"cuda-12.4", "", false},
	{"cuda-13.0", "", false},
	{"cuda-11.8", "g++-11", true},
	{"cuda-13.1", "", true},
	{"cuda-13.2", "", true},
	{"cuda-13.3", "", true},
	{"cuda-13.4", "", true},
	{"cuda-12.4", "clang++-16", true},
	{"cuda-13.0", "clang++-16", true},
}

// bench is a project and a toolkit.
type bench struct {
	root, dir, ccbin string
	words            []string // options
	search           []recipe.Folder
	included         []string
}

func newBench(t *testing.T, part, ccbin string, files map[string]string) *bench {
	t.Helper()
	b := &bench{root: testbed.Toolkit(t, part), dir: t.TempDir(), ccbin: ccbin, included: []string{"cuda_runtime.h"}}
	if ccbin != "" {
		if _, err := exec.LookPath(ccbin); err != nil {
			t.Skipf("%s is not here", ccbin)
		}
		b.words = append(b.words, "-ccbin", ccbin)
	}
	for name, text := range files {
		b.write(t, name, text)
	}
	return b
}

func (b *bench) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if target, ok := strings.CutPrefix(text, "-> "); ok {
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// folder adds one in which headers are looked for.
func (b *bench) folder(kind, path string) {
	b.search = append(b.search, recipe.Folder{Path: path, Kind: kind})
	switch kind {
	case "quote":
		b.words = append(b.words, "-Xcompiler", "-iquote,"+path)
	case "user":
		b.words = append(b.words, "-I", path)
	case "system":
		b.words = append(b.words, "-isystem", path)
	}
}

func (b *bench) include(name string) {
	b.included = append(b.included, name)
	b.words = append(b.words, "-include", name)
}

// compile runs nvcc behind the words of a tracer and asks.
func (b *bench) compile(t *testing.T, tracer []string, source string, args ...string) (Question, Closure, *recipe.Refusal) {
	t.Helper()
	time.Sleep(50 * time.Millisecond) // files that were just written might change without a trace
	q := Question{Keep: t.TempDir(), Dir: b.dir, Includes: b.includes(t)}
	q.Recipe = recipe.Recipe{Kind: "object", Source: source, Words: b.words, Search: b.search, Included: b.included}
	q.Before, q.Began = Look(q.Dir, q.Recipe, q.Includes), time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	argv := slices.Concat(tracer, []string{filepath.Join(b.root, "bin", "nvcc"), "--keep", "--keep-dir", q.Keep}, b.words, args, []string{source, "-o", filepath.Join(t.TempDir(), "out")})
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", argv, err, out)
	}
	c, refusal, err := NewReader(stamp.New()).Read(q)
	if err != nil {
		t.Fatal(err)
	}
	return q, c, refusal
}

// includes are the folders that nvcc and the host compiler add.
func (b *bench) includes(t *testing.T) []string {
	t.Helper()
	all := []string{b.root + "/bin/../include"}
	if _, err := os.Stat(b.root + "/include/cccl"); err == nil {
		all = append(all, b.root+"/bin/..//include/cccl")
	}
	compiler := b.ccbin
	if compiler == "" {
		compiler = "g++"
	}
	out, err := exec.Command(compiler, "-E", "-v", "-x", "c++", "/dev/null").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, list, _ := bytes.Cut(out, []byte("#include <...> search starts here:\n"))
	list, _, _ = bytes.Cut(list, []byte("End of search list."))
	return append(all, strings.Fields(string(list))...)
}

var archs = []string{"-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_86,code=sm_86", "-gencode", "arch=compute_90,code=sm_90", "-c"}

// tricky is a project that reads its headers in every way there is.
var tricky = map[string]string{
	"src/k.cu": `#include "a b.h"
#include <q"x.h>
#include "ü.h"
#if __CUDA_ARCH__ == 860
#include "only86.h"
#endif
#ifndef __CUDA_ARCH__
#include "host.h"
#endif
#if __has_include("opt.h")
#include "opt.h"
#endif
#if __has_include(<present.h>)
#define PRESENT 1
#endif
#define NAME <computed.h>
#include NAME
#include "link.h"
#include "linked/inner.h"
#include <sys.h>
#include <shadow.h>
#include <math.h>
#include <vector>
#include <empty.h>
#line 12 "gone.y"
#ifdef NEVER
#include "never.h"
#endif
__global__ void k(int *p) { *p = PRE + A + COMPUTED; }
`,
	"src/a b.h":          "#pragma once\n#define A 1\n",
	"src/ü.h":            "\n",
	"src/only86.h":       "#include <cuda_fp16.h>\n",
	"src/host.h":         "#include <string>\n",
	"src/never.h":        "#error never\n",
	"src/link.h":         "-> ../other/target.h",
	"src/linked":         "-> ../other/real",
	"other/target.h":     "\n",
	"other/real/inner.h": "#include \"../up.h\"\n",
	"other/up.h":         "\n",
	"pre.h":              "#define PRE 1\n",
	"inc/q\"x.h":         "\n",
	"inc/present.h":      "#error present\n",
	"inc/computed.h":     "#define COMPUTED 1\n",
	"inc/shadow.h":       "#include_next <shadow.h>\n",
	"inc/empty.h":        "",
	"inc/vector/x":       "",
	"v1/sys.h":           "#include \"sys/deep.h\"\n",
	"v1/sys/deep.h":      "\n",
	"v1/shadow.h":        "\n",
	"system":             "-> v1",
}

func trickyBench(t *testing.T, part, ccbin string) *bench {
	b := newBench(t, part, ccbin, tricky)
	b.folder("quote", "quotes")
	b.folder("user", "missing/folder")
	b.folder("user", "inc")
	b.folder("system", "system")
	b.include("pre.h")
	return b
}

// TestAgainstTrace: every file that the host compiler opened is in the closure, and every name that it looked for in vain.
func TestAgainstTrace(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not here: run scripts/testbed fetch strace")
	}
	for _, tt := range toolkits {
		t.Run(strings.TrimSpace(tt.part+" "+tt.ccbin), func(t *testing.T) {
			if tt.long {
				testbed.Long(t)
			}
			b := trickyBench(t, tt.part, tt.ccbin)
			log := filepath.Join(t.TempDir(), "trace")
			q, c, refusal := b.compile(t, []string{strace, "-f", "--seccomp-bpf", "-qq", "-xx", "-s", "4096", "-e", "trace=execve,open,openat,newfstatat,stat", "-o", log}, "src/k.cu", archs...)
			if refusal != nil {
				t.Fatalf("refused: %v", refusal)
			}
			compare(t, q, c, readTrace(t, log))
			// Code for the host is not made on the way to PTX.
			if _, c, refusal := b.compile(t, nil, "src/k.cu", "-ptx", "-arch=sm_80"); refusal != nil || !has(c, "src/a b.h") || has(c, "src/only86.h") || has(c, "src/host.h") {
				t.Errorf("PTX for sm_80: refused %v, files %q", refusal, paths(c)[:20])
			}
			wantProject(t, c, map[string]bool{
				"src/k.cu": true, "src/a b.h": true, "inc/q\"x.h": true, "src/ü.h": true, "src/only86.h": true, "src/host.h": true,
				"inc/computed.h": true, "src/link.h": true, "src/linked/inner.h": true, "src/linked/../up.h": true, "inc/shadow.h": true,
				"pre.h": true, "inc/present.h": true, "inc/empty.h": true, "system/sys.h": true, "system/sys/deep.h": true, "system/shadow.h": true,
				"inc/vector": false,
			})
			wantAbsent(t, c, "src", "opt.h")
			wantAbsent(t, c, ".", "cuda_runtime.h")
			wantAbsent(t, c, ".", "missing")
			wantAbsent(t, c, "inc", "fatbinary_section.h")
			wantAbsent(t, c, "inc", "sys.h")
		})
	}
}

func has(c Closure, path string) bool {
	return slices.ContainsFunc(c.Files, func(f File) bool { return f.Path == path })
}

// wantProject: the files of the project, and whether each has a digest. Those that gcc names by where a link leads may be
// there too.
func wantProject(t *testing.T, c Closure, want map[string]bool) {
	t.Helper()
	got := map[string]bool{}
	for i, f := range c.Files {
		if filepath.IsAbs(f.Path) {
			continue
		}
		got[strings.TrimPrefix(f.Path, "./")] = !f.Known.Digest.IsZero()
		if i > 0 && filepath.IsAbs(c.Files[i-1].Path) {
			t.Errorf("%s stands behind %s", f.Path, c.Files[i-1].Path)
		}
	}
	for name, digest := range want {
		if has, ok := got[name]; !ok || has != digest {
			t.Errorf("%s: in the closure %v, with a digest %v, want %v", name, ok, has, digest)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok && !strings.HasPrefix(name, "v1/") {
			t.Errorf("%s is in the closure", name)
		}
	}
}

func wantAbsent(t *testing.T, c Closure, dir, name string) {
	t.Helper()
	for _, a := range c.Absent {
		if a.Dir == dir && slices.Contains(a.Names, name) {
			return
		}
	}
	t.Errorf("%s in %s is not noted as absent", name, dir)
}
