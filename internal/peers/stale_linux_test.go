package peers

import (
	"bytes"
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/testbed"
)

// edit is a change after which a build must give another object: files before and after, options before and after.
type edit struct {
	name          string
	before, after map[string]string // a file that is not in after is deleted
	options       [2][]string
	stale         bool // ccache gives the old object: seen with 4.7 and 4.11, both toolkits
}

// guarded is a kernel with one line for the arch that is asked for second, one for the host, and one for all.
func guarded(second, host, all string) string {
	return fmt.Sprintf(`__global__ void k(float *p) {
#if __CUDA_ARCH__ == 860
    %s
#endif
    %s
}
#ifndef __CUDA_ARCH__
%s
#endif
void launch(float *p) { k<<<1, 1>>>(p); }
`, second, all, host)
}

const (
	two   = "p[1] = 2.0f;"
	three = "p[1] = 3.0f;"
	all   = "p[0] = 1.0f;"
)

var edits = []edit{
	{name: "code for all archs (control)", before: cu(guarded(two, "", all)), after: cu(guarded(two, "", "p[0] = 5.0f;"))},
	{name: "code for sm_86 only", before: cu(guarded(two, "", all)), after: cu(guarded(three, "", all)), stale: true},
	{name: "code for the host only", before: cu(guarded(two, "int f() { return 1; }", all)), after: cu(guarded(two, "int f() { return 2; }", all)), stale: true},
	{name: "a header read for sm_86 only",
		before: cu("#if __CUDA_ARCH__ == 860\n#include \"h.cuh\"\n#endif\n"+guarded("p[1] = value();", "", all), "h.cuh", "__device__ float value() { return 2.0f; }\n"),
		after:  cu("#if __CUDA_ARCH__ == 860\n#include \"h.cuh\"\n#endif\n"+guarded("p[1] = value();", "", all), "h.cuh", "__device__ float value() { return 3.0f; }\n"), stale: true},
	{name: "a file for __has_include comes",
		before: cu("#if __has_include(\"h.cuh\")\n#include \"h.cuh\"\n#else\n#define VALUE 2.0f\n#endif\n" + guarded("", "", "p[1] = VALUE;")),
		after:  cu("#if __has_include(\"h.cuh\")\n#include \"h.cuh\"\n#else\n#define VALUE 2.0f\n#endif\n"+guarded("", "", "p[1] = VALUE;"), "h.cuh", "#define VALUE 3.0f\n"), stale: true},
	{name: "a header earlier on the path",
		before:  cu("#include <h.cuh>\n"+guarded("", "", "p[1] = VALUE;"), "b/h.cuh", "#define VALUE 2.0f\n", "a/other.cuh", ""),
		after:   cu("#include <h.cuh>\n"+guarded("", "", "p[1] = VALUE;"), "b/h.cuh", "#define VALUE 2.0f\n", "a/other.cuh", "", "a/h.cuh", "#define VALUE 3.0f\n"),
		options: [2][]string{{"-Ia", "-Ib"}, {"-Ia", "-Ib"}}, stale: true},
	{name: "a macro used for sm_86 only", before: cu(guarded("p[1] = VALUE;", "", all)), after: cu(guarded("p[1] = VALUE;", "", all)),
		options: [2][]string{{"-DVALUE=2.0f"}, {"-DVALUE=3.0f"}}, stale: true},
	{name: "a macro used for all archs (control)", before: cu(guarded("", "", "p[1] = VALUE;")), after: cu(guarded("", "", "p[1] = VALUE;")),
		options: [2][]string{{"-DVALUE=2.0f"}, {"-DVALUE=3.0f"}}},
}

// cu is k.cu with a text, and further files in pairs of name and text.
func cu(text string, more ...string) map[string]string {
	out := map[string]string{"k.cu": text}
	for i := 0; i+1 < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// BenchmarkStale: after each edit the object of a cache is compared with a clean build's. ccache preprocesses for the first arch only
// and, in direct mode, does not know what was absent: it gives old objects. cupel may not.
func BenchmarkStale(b *testing.B) {
	testbed.Root(b, "ccache")
	testbed.Root(b, "ccache-4.11")
	eachToolkit(b, func(t *testing.B, tk toolkit) {
		all := launchers(t)
		var report strings.Builder
		for _, e := range edits {
			fmt.Fprintf(&report, "%-38s", e.name)
			for i, stale := range e.stales(t, tk, all) {
				name := all[i].name
				fmt.Fprintf(&report, "  %s: %-5s", name, map[bool]string{false: "right", true: "STALE"}[stale])
				if want := e.stale && strings.HasPrefix(name, "ccache"); stale != want {
					t.Errorf("%s, %s: stale is %t, want %t", e.name, name, stale, want)
				}
			}
			report.WriteString("\n")
		}
		fmt.Printf("objects for sm_80 and sm_86, CUDA %s, after an edit:\n%s", tk.release, report.String())
	})
}

// stales says of each launcher whether it gives the old object after the edit.
func (e edit) stales(t testing.TB, tk toolkit, all []launcher) []bool {
	t.Helper()
	s := set{kind: "object", archs: []string{"80", "86"}, dir: t.TempDir(), sources: []string{"k.cu"}}
	build := func(l launcher, options []string) map[string][]byte {
		s.clean(t)
		s.flags = options
		run(t, s.dir, l.env, l.call(tk, s, "k.cu")...)
		return content(t, filepath.Join(s.dir, s.output("k.cu")))
	}
	e.write(t, s.dir, e.before, -2*time.Hour)
	old := build(launcher{}, e.options[0])
	for _, l := range all {
		if !same(build(l, e.options[0]), old) {
			t.Fatalf("%s, %s: the first object is not a clean build's", e.name, l.name)
		}
	}
	e.write(t, s.dir, e.after, -time.Hour)
	clean := build(launcher{}, e.options[1])
	if same(old, clean) {
		t.Fatalf("%s changes nothing in the object: the edit proves nothing", e.name)
	}
	out := make([]bool, len(all))
	for i, l := range all {
		cached := build(l, e.options[1])
		out[i] = !same(cached, clean)
		if out[i] && !same(cached, old) {
			t.Errorf("%s, %s: the object is neither the old one nor a clean build's", e.name, l.name)
		}
	}
	return out
}

// write makes the folder hold these files, with times of long ago: caches do not trust what has just been written.
func (e edit) write(t testing.TB, dir string, files map[string]string, ago time.Duration) {
	t.Helper()
	for name := range maps.Keys(e.before) {
		if _, stays := files[name]; !stays {
			removeAll(t, filepath.Join(dir, name))
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if had, err := os.ReadFile(path); err == nil && string(had) == text {
			continue // an edit leaves the times of other files
		}
		write(t, path, text)
		then := time.Now().Add(ago)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
}

// content is what a linker takes into the program: symbol tables hold the name of nvcc's temporary file, which is another at each call.
func content(t testing.TB, object string) map[string][]byte {
	t.Helper()
	f, err := elf.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string][]byte{}
	for i, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOBITS {
			continue
		}
		data, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		out[fmt.Sprintf("%d %s", i, s.Name)] = data
	}
	return out
}

func same(a, b map[string][]byte) bool {
	return slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) &&
		!slices.ContainsFunc(slices.Collect(maps.Keys(a)), func(name string) bool { return !bytes.Equal(a[name], b[name]) })
}
