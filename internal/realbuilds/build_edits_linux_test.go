package realbuilds

import (
	"os"
	"strings"
	"testing"
	"time"
)

// The project of these tests: one source with parts for each architecture and for the host, which reads headers in every
// way there is.
const editsContract = `cupel = 1
[project]
name = "edits"
[arch]
targets = TARGETS
ptx = "all"
[[kernels]]
name = "k"
sources = ["src/*.cu"]
includes = ["first", "second"]
defines = ["COMPUTED=\"a.h\"", "SCALE=2"]
kinds = KINDS
`

const editsSource = `#include "all.h"
#include <found.h>
#include "computed/use.h"
#include "linked.h"
#include "folder/inner.h"
#if __has_include("optional.h")
#include "optional.h"
#else
#define OPTIONAL 1
#endif
#if __CUDA_ARCH__ == 860
#include "only86.h"
#else
#define ONLY86 0
#endif
#ifndef __CUDA_ARCH__
#include "only_host.h"
#endif
__global__ void k(float *p) {
	p[0] = ALL + FOUND + COMPUTED_VALUE + LINKED + INNER + OPTIONAL + ONLY86 + SCALE;
#if __CUDA_ARCH__ == 800
	p[1] = 80;
#elif __CUDA_ARCH__ == 860
	p[1] = 86;
#elif __CUDA_ARCH__ == 890
	p[1] = 89;
#endif
}
#ifndef __CUDA_ARCH__
int host() { return HOST + 1000; }
#endif
`

func editsFiles(targets, kinds string) map[string]string {
	return map[string]string{
		"cupel.toml":         strings.NewReplacer("TARGETS", targets, "KINDS", kinds).Replace(editsContract),
		"src/k.cu":           editsSource,
		"src/all.h":          "#define ALL 1 // a comment\n",
		"src/only86.h":       "#define ONLY86 7\n",
		"src/only_host.h":    "#define HOST 7\n",
		"src/computed/use.h": "#include COMPUTED\n",
		"src/computed/a.h":   "#define COMPUTED_VALUE 1\n",
		"src/computed/b.h":   "#define COMPUTED_VALUE 2\n",
		"src/link_a.h":       "#define LINKED 1\n",
		"src/link_b.h":       "#define LINKED 2\n",
		"src/dir_a/inner.h":  "#define INNER 1\n",
		"src/dir_b/inner.h":  "#define INNER 2\n",
		"first/other.h":      "",
		"second/found.h":     "#define FOUND 1\n",
	}
}

// edit is a change, and the files that must be compiled for it; all others may not be.
type edit struct {
	name string
	make func(t *testing.T, k kernels)
	want string // words: ptx80 ptx86 ptx89 fatbin object, all
	same bool   // the bytes stay though it is compiled
	long bool   // make e2e only, with one release
}

// swap replaces one text by another in a file.
func swap(name, old, new string) func(*testing.T, kernels) {
	return func(t *testing.T, k kernels) {
		t.Helper()
		text := read(t, k.path(name))
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %q", name, old)
		}
		write(t, k.path(name), strings.Replace(text, old, new, 1))
	}
}

var edits = []edit{
	{name: "nothing", make: func(*testing.T, kernels) {}},
	{name: "touch only", make: func(t *testing.T, k kernels) {
		for _, name := range []string{"src/k.cu", "src/all.h", "src/only86.h"} {
			if err := os.Chtimes(k.path(name), time.Now(), time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}},
	{name: "written again with the same bytes", make: func(t *testing.T, k kernels) { write(t, k.path("src/all.h"), read(t, k.path("src/all.h"))) }},
	{name: "comment only", make: swap("src/all.h", "a comment", "another"), want: "all", same: true, long: true},
	{name: "code for sm_80", make: swap("src/k.cu", "= 80;", "= 81;"), want: "all", long: true},
	{name: "code for sm_86", make: swap("src/k.cu", "= 86;", "= 87;"), want: "all"},
	{name: "code for sm_89", make: swap("src/k.cu", "= 89;", "= 90;"), want: "all", long: true},
	{name: "code for the host", make: swap("src/k.cu", "1000", "1001"), want: "all", long: true},
	{name: "header read for sm_86 alone", make: swap("src/only86.h", "7", "8"), want: "ptx86 fatbin object"},
	{name: "header read for the host alone", make: swap("src/only_host.h", "7", "8"), want: "object"},
	{name: "header read for sm_80 and more", make: swap("src/k.cu", "__CUDA_ARCH__ == 860", "__CUDA_ARCH__ < 890"), want: "all", long: true},
	{name: "name of __has_include comes", make: func(t *testing.T, k kernels) { write(t, k.path("src/optional.h"), "#define OPTIONAL 5\n") }, want: "all"},
	{name: "it comes on the include path", make: func(t *testing.T, k kernels) { write(t, k.path("second/optional.h"), "#define OPTIONAL 6\n") }, want: "all", long: true},
	{name: "macro of the contract", make: swap("cupel.toml", "SCALE=2", "SCALE=3"), want: "all", long: true},
	{name: "computed include", make: swap("cupel.toml", "a.h", "b.h"), want: "all", long: true},
	{name: "what it includes", make: swap("src/computed/a.h", "1", "3"), want: "all", long: true},
	{name: "header earlier on the path", make: func(t *testing.T, k kernels) { write(t, k.path("first/found.h"), "#define FOUND 9\n") }, want: "all"},
	{name: "header beside the source is not for <>", make: func(t *testing.T, k kernels) { write(t, k.path("src/found.h"), "#define FOUND 9\n") }},
	{name: "unrelated file on the path", make: func(t *testing.T, k kernels) { write(t, k.path("first/unrelated.h"), "#error no\n") }},
	{name: "header moved along the path", make: func(t *testing.T, k kernels) {
		if err := os.Rename(k.path("second/found.h"), k.path("first/found.h")); err != nil {
			t.Fatal(err)
		}
	}, want: "all", same: true, long: true},
	{name: "linked header", make: func(t *testing.T, k kernels) { link(t, "link_b.h", k.path("src/linked.h")) }, want: "all"},
	{name: "linked folder", make: func(t *testing.T, k kernels) { link(t, "dir_b", k.path("src/folder")) }, want: "all", long: true},
	{name: "behind a link", make: swap("src/dir_a/inner.h", "1", "4"), want: "all", long: true},
	{name: "header renamed", make: func(t *testing.T, k kernels) {
		if err := os.Rename(k.path("src/all.h"), k.path("src/all2.h")); err != nil {
			t.Fatal(err)
		}
		swap("src/k.cu", "all.h", "all2.h")(t, k)
	}, want: "all", same: true, long: true},
}

// TestBuildEdits: after each edit the warm build equals plain nvcc's files, and only what reads the edited file is compiled;
// undone, nothing is.
func TestBuildEdits(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, root string) {
		few := testing.Short() || !strings.Contains(root, "12.4") // all of it with one release: how headers are found does not change
		targets, kinds := `["sm_80", "sm_86", "sm_89"]`, `["ptx", "fatbin", "object"]`
		if few {
			targets, kinds = `["sm_80", "sm_86"]`, `["ptx", "object"]` // a fatbin is made of what an object holds
		}
		k := newKernels(t, root, editsFiles(targets, kinds))
		link(t, "link_a.h", k.path("src/linked.h"))
		link(t, "dir_a", k.path("src/folder"))
		first := k.built(t)
		was := k.files(t, first)
		sameFiles(t, "the first build", was, k.byHand(t, first))
		for _, e := range edits {
			if e.long && few {
				continue
			}
			t.Run(e.name, func(t *testing.T) { k.edited(t, e, was) })
		}
	})
}

// edited makes an edit, builds, compares, and takes it back.
func (k kernels) edited(t *testing.T, e edit, was map[string]string) {
	undo := k.saved(t)
	e.make(t, k)
	a := k.built(t)
	if got, want := hows(a, "built"), wanted(e.want, was); got != want {
		t.Errorf("compiled\n got %s\nwant %s", got, want)
	}
	got := k.files(t, a)
	if e.want != "" {
		sameFiles(t, "after the edit", got, k.byHand(t, a))
	}
	if changed := differ(got, was); changed != (e.want != "" && !e.same) {
		t.Errorf("other bytes than before: %t; the edit proves nothing", changed)
	}
	undo()
	a = k.built(t)
	if got := hows(a, "built"); got != "" {
		t.Errorf("undone, and compiled anew: %s", got)
	}
	sameFiles(t, "undone", k.files(t, a), was)
}

func differ(a, b map[string]string) bool {
	for name := range a {
		if a[name] != b[name] {
			return true
		}
	}
	return false
}

// wanted are the names of files for words, as hows writes them.
func wanted(words string, all map[string]string) string {
	names := map[string]string{"ptx80": "k.compute_80.ptx", "ptx86": "k.compute_86.ptx", "ptx89": "k.compute_89.ptx", "fatbin": "k.fatbin", "object": "k.o"}
	if words == "all" {
		words = "ptx80 ptx86 ptx89 fatbin object"
	}
	var out []string
	for _, w := range strings.Fields(words) {
		if _, made := all[names[w]]; made {
			out = append(out, names[w])
		}
	}
	return sortedWords(out)
}
