package realbuilds

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// sequence is a project whose files, options, toolkit and environment are drawn anew in part at each step. What it holds is
// all that a clean build depends on.
type sequence struct {
	rand    *rand.Rand
	roots   []string
	root    int
	object  bool
	archs   []string
	defines []string
	flags   []string
	ptx     string
	env     map[string]string
	files   map[string]string // source, headers; a value with "link " is a link
}

func newSequence(r *rand.Rand, roots []string, object bool) *sequence {
	return &sequence{
		rand: r, roots: roots, object: object, archs: []string{"sm_80"}, ptx: "none", env: map[string]string{},
		files: map[string]string{
			"k.cu": sequenceSource, "a.h": "#define A 1\n", "inc1/found.h": "#define FOUND 1\n", "inc2/found.h": "#define FOUND 2\n",
			"real1.h": "#define LINKED 1\n", "real2.h": "#define LINKED 2\n", "linked.h": "link real1.h", "only80.h": "#define ONLY 1\n", "host.h": "#define HOST 1\n",
		},
	}
}

const sequenceSource = `#include "a.h"
#include <found.h>
#include "linked.h"
#if __CUDA_ARCH__ == 800
#include "only80.h"
#else
#define ONLY 0
#endif
#if __has_include("maybe.h")
#include "maybe.h"
#endif
#ifndef MAYBE
#define MAYBE 0
#endif
#ifndef SCALE
#define SCALE 1
#endif
#ifndef __CUDA_ARCH__
#include "host.h"
int host() { return HOST; }
#endif
__global__ void k(int *p) { p[0] = A; p[1] = FOUND; p[2] = LINKED; p[3] = ONLY; p[4] = MAYBE; p[5] = SCALE; }
`

// changes are what a step may do; each says what it did.
var changes = []func(s *sequence) string{
	(*sequence).editHeader, (*sequence).editHeader, (*sequence).comeOrGo, (*sequence).comeOrGo, (*sequence).relink, (*sequence).option, (*sequence).option,
	(*sequence).toolkit, (*sequence).variable, (*sequence).arch, func(*sequence) string { return "nothing" },
}

func (s *sequence) change() string { return changes[s.rand.IntN(len(changes))](s) }

func (s *sequence) editHeader() string {
	name := []string{"a.h", "only80.h", "host.h", "real1.h", "inc2/found.h"}[s.rand.IntN(5)]
	macro := map[string]string{"a.h": "A", "only80.h": "ONLY", "host.h": "HOST", "real1.h": "LINKED", "inc2/found.h": "FOUND"}[name]
	s.files[name] = fmt.Sprintf("#define %s %d // %d\n", macro, s.rand.IntN(3), s.rand.IntN(2))
	return "edit " + name + ": " + s.files[name]
}

// comeOrGo takes a file away that may be missing, or brings it back.
func (s *sequence) comeOrGo() string {
	name := []string{"maybe.h", "inc1/found.h", "inc1/maybe.h"}[s.rand.IntN(3)]
	if _, there := s.files[name]; there {
		delete(s.files, name)
		return name + " goes"
	}
	macro := "MAYBE"
	if strings.HasSuffix(name, "found.h") {
		macro = "FOUND"
	}
	s.files[name] = fmt.Sprintf("#define %s %d\n", macro, 5+s.rand.IntN(2))
	return name + " comes: " + s.files[name]
}

func (s *sequence) relink() string {
	s.files["linked.h"] = "link real" + strconv.Itoa(1+s.rand.IntN(2)) + ".h"
	return "linked.h is " + s.files["linked.h"]
}

func (s *sequence) option() string {
	switch s.rand.IntN(3) {
	case 0:
		s.defines = [][]string{nil, {"SCALE=2"}, {"SCALE=3"}, {"SCALE=2", "UNUSED"}}[s.rand.IntN(4)]
	case 1:
		s.flags = [][]string{nil, {"-O1"}, {"-lineinfo"}, {"-Xptxas", "-O1"}, {"-rdc=true"}}[s.rand.IntN(5)]
	case 2:
		s.ptx = []string{"none", "all"}[s.rand.IntN(2)]
	}
	return fmt.Sprintf("defines %q, flags %q, ptx %s", s.defines, s.flags, s.ptx)
}

func (s *sequence) toolkit() string {
	s.root = s.rand.IntN(len(s.roots))
	return "toolkit " + s.roots[s.root]
}

func (s *sequence) variable() string {
	name := []string{"NVCC_APPEND_FLAGS", "CPATH", "UNRELATED"}[s.rand.IntN(3)]
	values := map[string][]string{"NVCC_APPEND_FLAGS": {"", "-DSCALE=7", "-DOTHER"}, "CPATH": {"", "inc1", "elsewhere"}, "UNRELATED": {"", "1"}}[name]
	s.env[name] = values[s.rand.IntN(len(values))]
	return name + "=" + s.env[name]
}

func (s *sequence) arch() string {
	s.archs = [][]string{{"sm_80"}, {"sm_86"}, {"sm_80", "sm_86"}}[s.rand.IntN(3)]
	return "archs " + strings.Join(s.archs, " ")
}

// lay writes the project; files that are as they should be are not touched.
func (s *sequence) lay(t *testing.T, k *kernels) {
	t.Helper()
	kind := "ptx"
	if s.object {
		kind = "object"
	}
	text := fmt.Sprintf("cupel = 1\n[project]\nname = \"s\"\n[arch]\ntargets = [%s]\nptx = %q\n[[kernels]]\nname = \"k\"\nsources = [\"k.cu\"]\nincludes = [\"inc1\", \"inc2\"]\nkinds = %q\ndefines = [%s]\nflags = [%s]\n",
		quoted(s.archs), s.ptx, kind, quoted(s.defines), quoted(s.flags))
	want := maps.Clone(s.files)
	want["cupel.toml"] = text
	have := k.state(t)
	for name := range have {
		if _, stays := want[name]; !stays {
			remove(t, k.path(name))
		}
	}
	for name, text := range want {
		target, linked := strings.CutPrefix(text, "link ")
		switch {
		case linked && have[name] != text:
			link(t, target, k.path(name))
		case !linked && have[name] != "file "+text:
			write(t, k.path(name), text)
		}
	}
	k.root = s.roots[s.root]
	k.env = k.env[:2]
	for _, name := range slices.Sorted(maps.Keys(s.env)) {
		k.env = append(k.env, name+"="+s.env[name])
	}
}

func quoted(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, strconv.Quote(w))
	}
	return strings.Join(out, ", ")
}

var seed = flag.Uint64("seed", 0, "repeat the random sequences of this number")

// TestBuildSequences: random edits, options, toolkits and environments; after each change the warm build's files are those of a clean
// one, and a second build compiles nothing.
func TestBuildSequences(t *testing.T) {
	testbed.Long(t)
	t.Parallel()
	from := *seed
	if from == 0 {
		from = uint64(time.Now().UnixNano())
	}
	t.Logf("repeat it with -seed %d", from)
	roots := []string{testbed.Toolkit(t, "cuda-12.4"), testbed.Toolkit(t, "cuda-13.0")}
	for i := range 40 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			s := newSequence(rand.New(rand.NewPCG(from, uint64(i))), roots, i%4 == 3)
			k := newKernels(t, roots[0], map[string]string{"inc1/found.h": ""})
			s.lay(t, &k)
			k.built(t)
			var did []string
			for range 3 {
				did = append(did, s.change())
				s.lay(t, &k)
				k.sameAsClean(t, strings.Join(did, "; "))
				if t.Failed() {
					t.Fatalf("sequence %d: repeat it with -seed %d", i, from)
				}
			}
		})
	}
}

func (k kernels) sameAsClean(t *testing.T, after string) {
	t.Helper()
	sameFiles(t, after, k.files(t, k.built(t)), k.clean(t))
	if again := k.built(t); again.Result.Calls != 0 {
		t.Errorf("%s: a second build compiled %s", after, hows(again, "built"))
	}
}
