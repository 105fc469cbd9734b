package closure

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/testbed"
)

// TestRealNvccExe: NVIDIA's nvcc.exe for three architectures, with blanks and backslashes in names. (The stand-in for
// cl tells cases apart.).
func TestRealNvccExe(t *testing.T) {
	testbed.Long(t)
	testbed.Root(t, "vs")
	testbed.Root(t, "win-cuda-13.0")
	m := project(t, map[string]string{
		`a b\k.cu`: `#include "x y.h"
#include "sub\deep.h"
#include <inc.h>
#if __CUDA_ARCH__ == 860
#include "only86.h"
#endif
#ifndef __CUDA_ARCH__
#include "host.h"
#endif
#if __has_include("opt.h")
#endif
#define NAME <computed.h>
#include NAME
__global__ void k(int *p) { *p = 1; }
`,
		`a b\x y.h`: "\n", `a b\sub\deep.h`: "#include \"beside.h\"\n", `a b\sub\beside.h`: "\n", `a b\only86.h`: "\n", `a b\host.h`: "\n",
		`one/`: "", `two two\inc.h`: "\n", `two two\computed.h`: "\n", `pre.h`: "\n",
	}, folders{{"user", "one"}, {"user", "two two"}})
	root := testbed.CUDAFolder + `\v13.0`
	m.Includes = []string{root + `\include`, root + `\include\cccl`, testbed.VisualStudio + `\VC\Tools\MSVC\14.40.33807\include`}
	m.Recipe.Source, m.Recipe.Included, m.Keep = `a b\k.cu`, []string{"cuda_runtime.h", "pre.h"}, t.TempDir()
	m.settle()
	args := []string{"--keep", "--keep-dir", m.Keep, "-I", "one", "-I", "two two", "-include", "pre.h", "-gencode", "arch=compute_80,code=sm_80",
		"-gencode", "arch=compute_86,code=sm_86", "-gencode", "arch=compute_90,code=sm_90", "-c", "-o", filepath.Join(t.TempDir(), "k.obj"), m.Recipe.Source}
	cmd := exec.CommandContext(t.Context(), root+`\bin\nvcc.exe`, args...)
	cmd.Dir = m.Dir
	cmd.Env = append(os.Environ(), "PATH="+testbed.HostX64+";"+os.Getenv("PATH"))
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c, refusal := m.read(t)
	if refusal != nil {
		t.Fatalf("refused: %v", refusal)
	}
	checkWindows(t, m, c)
}

func checkWindows(t *testing.T, m *made, c Closure) {
	t.Helper()
	var got []string
	for _, f := range c.Files {
		path := f.Path
		if _, rest, ok := strings.Cut(path, "/drive_c/"); ok { // the stand-in for cl is a program of Linux
			path = `C:\` + rest
		} else if !whole(path) {
			path = inside(m.Dir, path)
		}
		if rest, ok := below(filepath.Clean(path), m.Dir); ok {
			got = append(got, strings.ToLower(rest))
		}
	}
	slices.Sort(got)
	want := []string{`a b\host.h`, `a b\k.cu`, `a b\only86.h`, `a b\sub\beside.h`, `a b\sub\deep.h`, `a b\x y.h`, `pre.h`, `two two\computed.h`, `two two\inc.h`}
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("files of the project: -want +got\n%s", diff)
	}
	absent := absents(m, c)
	for dir, name := range map[string]string{"a b": "opt.h", "one": "inc.h", ".": "cuda_runtime.h"} {
		if !slices.Contains(strings.Fields(absent[dir]), name) {
			t.Errorf("%s in %q is not noted as absent: %q", name, dir, absent[dir])
		}
	}
	if !slices.ContainsFunc(c.Files, func(f File) bool { return strings.HasSuffix(f.Path, "fatbinary_section.h") }) {
		t.Errorf("fatbinary_section.h is not in the closure")
	}
}

// TestCases: names that differ in case alone are one.
func TestCases(t *testing.T) {
	m := project(t, map[string]string{"k.cu": "#include <A.H>\n#include <Sub/B.h>\n", "one/SUB/": "", "two/a.h": "x", "two/sub/b.h": "yy"},
		folders{{"user", "one"}, {"user", "two"}}, `two\A.H`, `TWO\SUB\b.h`)
	c, refusal := m.read(t)
	if refusal != nil {
		t.Fatal(refusal)
	}
	if want := []string{"TWO/SUB/b.h", "k.cu", "two/A.H"}; !slices.Equal(paths(c), want) {
		t.Errorf("files %q, want %q", paths(c), want)
	}
	if diff := cmp.Diff(map[string]string{"one": "A.H", "one/Sub": "B.h", "one/SUB": "b.h"}, absents(m, c)); diff != "" {
		t.Errorf("absent: -want +got\n%s", diff)
	}
}
