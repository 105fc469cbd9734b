package render

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cupel/internal/build"
)

// TestBuildStep: what a person reads of a step; slashes are of one kind, and reasons are sentences.
func TestBuildStep(t *testing.T) {
	for _, tt := range []struct {
		name string
		step build.Step
		want string
	}{
		{"a reason with a detail", build.Step{Source: "k.cu", Out: "o/k.ptx", How: build.Built, Why: "it is compiled each time", Uncached: "uses-date: k.cu"},
			"built k.cu → o/k.ptx: it is compiled each time (not cached: it uses __DATE__ or __TIME__; SOURCE_DATE_EPOCH would declare them: k.cu)"},
		{"a reason of the options", build.Step{Source: "k.cu", Out: "o/k.ptx", How: build.Built, Uncached: "verbose"}, "built k.cu → o/k.ptx (not cached: it tells its steps, with names that change)"},
		{"a reason in words", build.Step{Out: "o/libk.so", How: build.Built, Uncached: "the linker does not tell what it read"}, "built o/libk.so (not cached: the linker does not tell what it read)"},
		{"Windows", build.Step{Source: `src\k.cu`, Out: `build\k.obj`, How: build.ToBuild}, "would build src/k.cu → build/k.obj"},
		{"a link on Windows", build.Step{Out: `build\k.lib`, How: build.Cached}, "cached build/k.lib"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := BuildStep(tt.step, true); got != tt.want {
				t.Errorf("BuildStep(%+v)\n got %s\nwant %s", tt.step, got, tt.want)
			}
		})
	}
}

// TestUncachedNote: a build says of its own accord what it will compile again, in one line.
func TestUncachedNote(t *testing.T) {
	lost := build.Step{Source: "k.cu", Out: "o/k.ptx", How: build.Built, Uncached: "uses-date: k.cu"}
	const said = "note: not cached: k.cu: it uses __DATE__ or __TIME__; SOURCE_DATE_EPOCH would declare them"
	for _, tt := range []struct {
		name  string
		steps []build.Step
		o     BuildOptions
		want  string
	}{
		{"one", []build.Step{lost}, BuildOptions{}, said + "\nbuilt: 1 built → \n"},
		{"several", []build.Step{lost, {Source: "l.cu", How: build.Built}, lost, lost}, BuildOptions{}, said + "; and 2 more, which --why tells\nbuilt: 4 built → \n"},
		{"a link", []build.Step{{Out: "o/libk.so", How: build.Built, Uncached: "the linker does not tell what it read"}}, BuildOptions{}, "built: 1 built → \n"},
		{"the steps say it", []build.Step{lost}, BuildOptions{Why: true}, BuildStep(lost, true) + "\nbuilt: 1 built → \n"},
	} {
		if got := (Style{}).Build(Build{Result: build.Result{Steps: tt.steps}}, tt.o); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestPlainFunction(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                          "plain",
		"_Z3addPf":                       "add",
		"_Z4stopv":                       "stop",
		"_ZN2ns3addEPf":                  "ns::add",
		"_ZN1a1b1cEv":                    "a::b::c",
		"_Z2ttIiEvPT_":                   "",
		"_ZN2ns2ttIiEEvPT_":              "",
		"_ZNK2ns3addEPf":                 "",
		"_Z":                             "",
		"_ZN":                            "",
		"_ZN2ns3add":                     "",
		"_Z3add":                         "",
		"_Z9addPf":                       "",
		"_Z0Pf":                          "",
		"_Z99999999999999999999999addPf": "",
		"_ZN35_GLOBAL__N__27d1e951_4_k_cu__Z3nowv4anonEPf": "(anonymous namespace)::anon", // nvcc 12.4
	} {
		if got := plainFunction(in); got != want {
			t.Errorf("plainFunction(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestResources: kernels by their plain names, those that two have by the linker's.
func TestResources(t *testing.T) {
	said := func(names ...string) string {
		text := ""
		for _, n := range names {
			text += "ptxas info    : Compiling entry function '" + n + "' for 'sm_80'\nptxas info    : Used 8 registers\n"
		}
		return text
	}
	list := append(Resources("a.cu", said("_Z3addPf", "_Z3addPi", "_Z3subPf", "_Z1tIiEvv")), Resources(`b\b.cu`, said("_Z3addPf"))...)
	got := Style{}.Build(Build{Resources: list}, BuildOptions{})
	for _, want := range []string{"_Z3addPf   a.cu ", "_Z3addPi   a.cu ", "\nsub        a.cu ", "_Z1tIiEvv  a.cu ", "\nadd        b/b.cu  sm_80  8 "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if list[0].Name != "_Z3addPf" || list[0].Plain != "add" {
		t.Errorf("for programs: %+v", list[0])
	}
}

func TestCacheTexts(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"one result, one call", Style{}.CacheStats(CacheStats{Dir: "/s", Limit: 1 << 30, Blobs: 1, Misses: 1}), "store     /s\nsize      0 KB of 1.0 GB, 1 result\nhits      0 (0 % of 1 call that could be)\nmisses    1\nuncached  0\n"},
		{"nothing yet", Style{}.CacheStats(CacheStats{Dir: "/s", Limit: 1 << 30, Missing: true}), "store     /s (not there yet)\nsize      0 KB of 1.0 GB, no results\nhits      0\nmisses    0\nuncached  0\n"},
		{"one file", Style{}.CacheTrim(CacheTrim{Dir: "/s", Files: 1, Bytes: 1024}), "1 file, 1 KB taken away; 0 KB left in /s\n"},
		{"a difference", Style{}.CacheVerify(CacheVerify{Same: 1, Different: []CacheDifference{{Source: `a\k.cu`, Output: `o\k.o`, Args: []string{"-c"}, Why: "other content"}}}),
			"different: a/k.cu → o/k.o: other content\n  nvcc -c\nno files of the store read, 0 torn\n2 calls made again: 1 the same, 1 different\n"},
		{"the store's files alone", Style{}.CacheVerify(CacheVerify{Quick: true, Files: 7, Torn: []string{"/s/a"}, Kept: []CacheKept{{"/s/b", "permission denied"}}}),
			"torn and taken away: /s/a\nstill there: /s/b: permission denied\n7 files of the store read, 1 torn, 1 still there\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got\n%swant\n%s", tt.got, tt.want)
			}
		})
	}
}

// TestUntold: a number that the compiler did not say is a dash, and no key; one that it said is shown, also when it is 0.
func TestUntold(t *testing.T) {
	const frame = "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
	for _, tt := range []struct{ name, said, row, absent string }{
		{"all of it", "ptxas info    : Compiling entry function 'k' for 'sm_80'\nptxas info    : Function properties for k\n" + frame + "ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]\n", "k a.cu sm_80 8 0 0/0 0 360", ""},
		{"none of constant memory", "ptxas info    : Compiling entry function 'k' for 'sm_90'\nptxas info    : Function properties for k\n" + frame + "ptxas info    : Used 8 registers, used 0 barriers\n", "k a.cu sm_90 8 0 0/0 0 -", "constant_bytes"},
		{"a function that kernels call", "ptxas info    : Function properties for f\n" + frame, "f a.cu - 0 0/0 - -", "registers constant_bytes shared_bytes"},
		{"linked", "nvlink info    : Function properties for 'k':\nnvlink info    : used 16 registers, 40 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem\n", "k a.cu 16 40 - 0 360", "spill_store_bytes spill_load_bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := Resources("a.cu", tt.said)
			lines := strings.Split(Style{}.BuildResources(Build{Resources: list}), "\n")
			if got := strings.Join(strings.Fields(lines[1]), " "); got != tt.row {
				t.Errorf("row %q, want %q", got, tt.row)
			}
			text, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range strings.Fields("registers stack_bytes spill_store_bytes spill_load_bytes shared_bytes constant_bytes") {
				if got, want := strings.Contains(string(text), `"`+key+`"`), !slices.Contains(strings.Fields(tt.absent), key); got != want {
					t.Errorf("%s is there: %t, want %t, in %s", key, got, want, text)
				}
			}
		})
	}
}
