package infer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupel/internal/contract"
	"cupel/internal/fact"
)

// clue reads "key = value @ file:line ? note".
func clue(t *testing.T, text string) fact.Clue {
	t.Helper()
	rest, note, _ := strings.Cut(text, " ? ")
	rest, at, _ := strings.Cut(rest, " @ ")
	key, value, ok := strings.Cut(rest, " = ")
	if !ok {
		t.Fatalf("%q is no clue", text)
	}
	c := fact.Clue{Key: key, Value: value, Note: note}
	c.File, _, _ = strings.Cut(at, ":")
	_, _ = fmt.Sscanf(at[min(len(at), len(c.File)):], ":%d", &c.Line)
	return c
}

func drafted(t *testing.T, name string, texts ...string) Answer {
	t.Helper()
	var clues []fact.Clue
	for _, text := range texts {
		clues = append(clues, clue(t, text))
	}
	a := Draft(name, clues)
	if _, found := contract.Parse("cupel.toml", a.Text); len(found) > 0 {
		t.Fatalf("%s: %s\n%s", found[0].Where, found[0].What, a.Text)
	}
	return a
}

// squeezed takes the alignment out, so that a case can name a line.
func squeezed(text []byte) []string {
	var out []string
	for _, l := range strings.Split(string(text), "\n") {
		out = append(out, strings.Join(strings.Fields(l), " "))
	}
	return out
}

func TestDraft(t *testing.T) {
	for _, tt := range []struct {
		name  string
		clues []string
		want  []string // lines of the draft
	}{
		{"nothing", nil, []string{`name = "unnamed"`, `# [toolkit]`, `# min = "12.0" # the oldest CUDA release that builds it`, `# [arch]`, `# [[config]]`}},
		{"a value with its place", []string{"toolkit.min = 12.4 @ CMakeLists.txt:12"}, []string{`[toolkit]`, `min = "12.4" # from CMakeLists.txt:12`}},
		{"two places that agree", []string{"toolkit.min = 11.8 @ a:1", "toolkit.min = 11.8 @ b:2"}, []string{`min = "11.8" # from a:1, b:2`}},
		{"the stricter wins and names the other", []string{"toolkit.min = 11.8 @ a:1", "toolkit.min = 12.4 @ b:2"}, []string{`min = "12.4" # from b:2: a:1 says 11.8`}},
		{"certain before uncertain", []string{"toolkit.min = 12.8 @ a:1 ? only when X", "toolkit.min = 11.8 @ b:2"}, []string{`min = "11.8" # from b:2: a:1 says 12.8 (only when X)`}},
		{"uncertain alone", []string{"toolkit.min = 12.4 @ a:1 ? only when X"}, []string{`# [toolkit]`, `# maybe: min = "12.4" # from a:1: only when X`}},
		{"a release that never was", []string{"toolkit.min = 12.7 @ a:1"}, []string{`# [toolkit]`}},
		{"bands in the wrong order", []string{"toolkit.min = 12.4 @ a:1", "toolkit.recommended = 11.8 @ b:2"}, []string{`min = "12.4" # from a:1`, `# maybe: recommended = "11.8" # from b:2: older than min, which a:1 sets`}},
		{"the floor of the driver by the table", []string{"toolkit.min = 12.0 @ a:1"}, []string{`# [driver]`, `# maybe: linux = "525.60.13" # the oldest driver that runs programs of CUDA 12.0, by cupel's table`}},
		{"a list from several places", []string{"toolkit.components = nvcc @ a:1", "toolkit.components = cublas @ b:2", "toolkit.components = npp @ c:3 ? only when X", "toolkit.components = soap @ d:4"},
			[]string{`components = [`, `"nvcc", # from a:1`, `"cublas", # from b:2`, `# maybe: "npp", # from c:3: only when X`}},
		{"targets in any spelling", []string{"arch.targets = 70 8.0 90a compute_90a @ a:1"}, []string{`targets = ["sm_70", "sm_80", "sm_90a"] # from a:1`, `ptx = "highest" # from a:1`}},
		{"lists that differ", []string{"arch.targets = 80 @ a:1", "arch.targets = 80 90 @ b:2"},
			[]string{`# [arch]`, `# maybe: targets = ["sm_80"] # from a:1: sources differ: b:2 says sm_80 sm_90`, `# maybe: targets = ["sm_80", "sm_90"] # from b:2: sources differ: a:1 says sm_80`}},
		{"one list in two spellings", []string{"arch.targets = 90 8.0 @ a:1", "arch.targets = sm_80 sm_90 @ b:2"}, []string{`targets = ["sm_90", "sm_80"] # from a:1, b:2`}},
		{"a list and one that may hold", []string{"arch.targets = 86 @ p:1 ? of a preset", "arch.targets = 80 @ a:1"},
			[]string{`# maybe: targets = ["sm_80"] # from a:1: sources differ: p:1 says sm_86`, `# maybe: targets = ["sm_86"] # from p:1: of a preset; sources differ: a:1 says sm_80`}},
		{"PTX that only one asks for", []string{"arch.targets = 80 90 @ a:1", "arch.targets = 8.0 9.0+PTX @ b:2"}, []string{`targets = ["sm_80", "sm_90"] # from a:1, b:2`, `# maybe: ptx = "highest" # from b:2: not every place that gives the list asks for it`}},
		{"PTX in a variable's spelling", []string{"arch.targets = 8.0 9.0+PTX @ b:2"}, []string{`targets = ["sm_80", "sm_90"] # from b:2`, `ptx = "highest" # from b:2`}},
		{"a list, and the GPUs found", []string{"arch.targets = 80 @ a:1", "arch.detect = true @ b:2"}, []string{`# maybe: targets = ["sm_80"] # from a:1: sources differ: b:2 builds for the GPUs found`, `# maybe: detect = true # from b:2: sources differ: a:1 says sm_80`}},
		{"rows that overlap", []string{"arch.by-toolkit = <12.8: 80 @ a:1", "arch.by-toolkit = >=12.0: 80 90 @ b:2"}, []string{`# [[arch.by-toolkit]] # sources differ: a:1 and b:2 give other lists for the same releases`}},
		{"rows, and a list that none of them has", []string{"arch.by-toolkit = <12.8: 80 @ a:1", "arch.by-toolkit = >=12.8: 80 120 @ a:2", "arch.targets = 86 @ c:1"},
			[]string{`# [[arch.by-toolkit]] # sources differ: c:1 says sm_86`, `# maybe: targets = ["sm_86"] # from c:1: the rows by toolkit say more`}},
		{"rows, and a list that one of them has", []string{"arch.by-toolkit = <12.8: 80 @ a:1", "arch.by-toolkit = >=12.8: 80 120 @ a:2", "arch.targets = 120 80 @ c:1"},
			[]string{`[[arch.by-toolkit]]`, `# maybe: targets = ["sm_120", "sm_80"] # from c:1: the rows by toolkit say more`}},
		{"rows, and the GPUs found", []string{"arch.by-toolkit = <12.8: 80 @ a:1", "arch.detect = true @ b:2"},
			[]string{`# [[arch.by-toolkit]] # sources differ: b:2 builds for the GPUs found`, `# maybe: detect = true # from b:2: sources differ: a:1 has a list for CUDA <12.8`}},
		{"releases that differ", []string{"toolkit.recommended = 12.4.1 @ a:1", "toolkit.recommended = 12.8.0 @ b:1"},
			[]string{`# maybe: recommended = "12.4.1" # from a:1: sources differ: b:1 says 12.8.0`, `# maybe: recommended = "12.8.0" # from b:1: sources differ: a:1 says 12.4.1`}},
		{"a release, less exact elsewhere", []string{"toolkit.recommended = 12.4 @ a:1 ? bindings", "toolkit.recommended = 12.4.1 @ b:1"}, []string{`recommended = "12.4.1" # from b:1, a:1`}},
		{"either variable", []string{"env = CUDA_HOME @ a:1", "env = CUDA_PATH @ a:1 ? read only where CUDA_HOME is not set"}, []string{`"CUDA_HOME", # from a:1`, `# maybe: "CUDA_PATH", # from a:1: read only where CUDA_HOME is not set`}},
		{"torch and how to get it", []string{"components.torch = any @ setup.py:2"}, []string{`[components.torch] # from setup.py:2`, `install = "python3 -m pip install torch" # its name on PyPI`}},
		{"torch in a range", []string{"components.torch = any @ setup.py:2", "components.torch = >=2.4, <2.7 @ setup.py:7"}, []string{`version = ">=2.4, <2.7" # from setup.py:7`, `install = "python3 -m pip install \"torch>=2.4,<2.7\"" # its name on PyPI`}},
		{"torch perhaps", []string{"components.torch = any @ setup.py:2 ? pip fetches it"}, []string{`# [components.torch] # setup.py:2: pip fetches it`}},
		{"torch, perhaps in a range", []string{"components.torch = =2.5.1 @ a:2 ? pip fetches it"}, []string{`# [components.torch]`, `# maybe: version = "=2.5.1" # from a:2: pip fetches it`}},
		{"targets below the minimum", []string{"arch.targets = 60 80 @ a:1", "arch.min = 7.0 @ b:2"}, []string{`# maybe: targets = ["sm_60", "sm_80"] # from a:1: left out: sm_60 is below arch.min 7.0`, `min = "7.0" # from b:2`}},
		{"rows by toolkit, newest first", []string{"arch.by-toolkit = <12.8: 80 @ a:1", "arch.by-toolkit = >=12.8: 80 120 @ a:2"}, []string{`[[arch.by-toolkit]]`, `toolkit = ">=12.8"`, `targets = ["sm_80", "sm_120"] # from a:2`, `toolkit = "<12.8"`}},
		{"variables by what they hold", []string{"env = CUDA_HOME @ a:1", "env = CUDACXX @ a:2", "env = MY_CUDA_THING @ a:3", "env = CUDA_COMPUTE_CAP @ a:4"},
			[]string{`toolkit.root = ["CUDA_HOME"] # from a:1`, `toolkit.nvcc = ["CUDACXX"] # from a:2`, `# MY_CUDA_THING = "…" # read at a:3; what it must hold is not told`, `env = ["CUDA_COMPUTE_CAP"] # from a:4`, `spelling = "86" # from cupel's table of variables`}},
		{"components", []string{"components.cudnn = any @ a:1", "components.cmake = >=3.18 @ a:2", "components.cmake = >=3.24 @ b:2", "components.rust.toolchain = nightly-2025-01-02 @ c:1", "components.ninja = any @ d:1 ? pip fetches it", "components.nccl.only-for = nccl @ e:1"},
			[]string{`[components.cudnn] # from a:1`, `version = ">=3.24" # from b:2: a:2 says >=3.18`, `toolchain = "nightly-2025-01-02" # from c:1`, `# [components.ninja] # d:1: pip fetches it`, `only-for = ["nccl"] # from e:1`}},
		{"kernels of a build script", []string{"kernels.k.sources = src/a.cu @ build.rs:1", "kernels.k.kinds = ptx @ build.rs:2", "kernels.k.flags = -fPIC @ build.rs:3 ? under a condition", "kernels.sources = src/*.cu @ x:1 ? all"},
			[]string{`[[kernels]]`, `name = "k"`, `sources = ["src/a.cu"] # from build.rs:1`, `kinds = ["ptx"] # from build.rs:2`, `# maybe: flags = ["-fPIC"] # from build.rs:3: under a condition`}},
		{"kernels by their files only", []string{"kernels.sources = src/*.cu @ src/a.cu:1 ? all of it"}, []string{`# [[kernels]]`, `# maybe: sources = ["src/*.cu"] # from src/a.cu:1: all of it`}},
		{"a path of one machine", []string{"kernels.k.sources = /home/u/a.cu @ a:1", "kernels.k.sources = b.cu @ a:2"}, []string{`"b.cu", # from a:2`}},
		{"a flag of one machine", []string{"kernels.k.sources = b.cu @ a:2", "kernels.k.flags = -I/usr/local/cuda/include @ a:3"}, []string{`sources = ["b.cu"] # from a:2`}},
		{"a way to build", []string{"config = cargo build --features cuda @ Cargo.toml:3 ? yours"}, []string{`# [[config]]`, `# name = "cuda"`, `# command = "cargo build --features cuda" # from Cargo.toml:3: yours`}},
		{"Windows only where something speaks of it", []string{"host.std = c++17 @ a:1", "host.windows.unsupported-compiler = allow @ b:1"}, []string{`[host.linux]`, `[host.windows]`, `std = "c++17" # from a:1`, `unsupported-compiler = "allow" # from b:1`}},
		{"a builder with a range says more", []string{"project.builders = cudaforge @ Cargo.lock:3", "project.builders = cudaforge >=0.1.2, <0.2 @ Cargo.toml:4"}, []string{`builders = ["cudaforge >=0.1.2, <0.2"] # from Cargo.toml:4`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := drafted(t, "", tt.clues...)
			lines := squeezed(a.Text)
			for _, w := range tt.want {
				if w != "" && !slices.Contains(lines, w) {
					t.Errorf("missing line: %s\n%s", w, a.Text)
				}
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ name, given, clue, want string }{
		{"what the files say", "", "vec", "vec"}, {"what is asked for", "mine", "vec", "mine"}, {"nothing", "", "", "unnamed"},
		{"quotes", "", `a "b" \c`, `a "b" \c`}, {"lines and bells", "", "a\nb\x07", "a b?"}, {"blank", "  ", "vec", "vec"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := Draft(tt.given, []fact.Clue{{Key: "project.name", Value: tt.clue}})
			c, found := contract.Parse("cupel.toml", a.Text)
			if len(found) > 0 || c.Project.Name != tt.want {
				t.Errorf("name of (%q, %q) = %v %v, want %q\n%s", tt.given, tt.clue, c, found, tt.want, a.Text)
			}
		})
	}
}

func TestInferredAndUnknown(t *testing.T) {
	a := drafted(t, "", "toolkit.min = 12.4 @ CMakeLists.txt:12", "kernels.k.sources = a.cu @ build.rs:3", "kernels.k.sources = b.cu @ build.rs:9", "components.nccl = any @ c:4", "host.std = c++17 @ d:5 ? only when X")
	var got []string
	for _, l := range a.Inferred {
		got = append(got, fmt.Sprintf("%s=%s from %s %v", l.Key, l.Value, l.From, l.Maybe))
	}
	for _, want := range []string{"toolkit.min=12.4 from CMakeLists.txt:12 false", "kernels[k].sources=a.cu, b.cu from build.rs:3…9 false", "components.nccl=needed from c:4 false", "host.linux.std=c++17 from d:5 true"} {
		if !slices.Contains(got, want) {
			t.Errorf("inferred lacks %s:\n%s", want, strings.Join(got, "\n"))
		}
	}
	for _, u := range a.Unknown {
		if strings.HasPrefix(u, "toolkit.min") {
			t.Errorf("toolkit.min is known and told unknown: %q", a.Unknown)
		}
	}
	if !slices.Contains(a.Unknown, "toolkit.recommended: the release to use") {
		t.Errorf("unknown %q lacks toolkit.recommended", a.Unknown)
	}
}

// TestHintsCanBeTaken: with its comment marks taken off, an empty draft is a contract too.
func TestHintsCanBeTaken(t *testing.T) {
	_, body, _ := strings.Cut(string(Draft("p", nil).Text), "cupel = 1\n")
	text := "cupel = 1\n" + strings.ReplaceAll(body, "\n# ", "\n")
	if _, found := contract.Parse("cupel.toml", []byte(text)); len(found) > 0 {
		t.Errorf("%s: %s\n%s", found[0].Where, found[0].What, text)
	}
}

// TestDraftIsStable: the same clues give the same bytes.
func TestDraftIsStable(t *testing.T) {
	clues := []string{"env = CUDA_HOME @ a:1", "env = CUDA_PATH @ a:2", "components.nccl = any @ b:1", "components.cudnn = any @ b:2", "arch.targets = 80 90 @ c:1"}
	want := drafted(t, "p", clues...)
	for range 20 {
		if got := drafted(t, "p", clues...); string(got.Text) != string(want.Text) {
			t.Fatalf("two drafts differ:\n%s\n%s", got.Text, want.Text)
		}
	}
}

var fuzzKeys = []string{
	"project.name", "project.build", "project.builders", "toolkit.min", "toolkit.recommended", "toolkit.max-verified", "toolkit.exclude", "toolkit.components",
	"host.std", "host.linux.gcc", "host.linux.clang", "host.linux.unsupported-compiler", "host.windows.msvc", "host.windows.unsupported-compiler",
	"arch.targets", "arch.min", "arch.detect", "arch.env", "arch.by-toolkit", "env", "components.cudnn", "components.rust", "components.rust.toolchain", "components.nccl.only-for",
	"components.python", "kernels.sources", "kernels.a.sources", "kernels.a.exclude", "kernels.a.flags", "kernels.a.kinds", "kernels.b c.sources", "link.cuda.how", "config",
}

// FuzzDraft: no clue, however odd, makes a draft that is not a contract.
func FuzzDraft(f *testing.F) {
	f.Add("p", uint8(3), "12.4", "CMakeLists.txt", 3, "", uint8(4), "11.8", "")
	f.Add("p", uint8(14), "60 80 90a", "a", 1, "", uint8(15), "7.0", "")
	f.Add("p", uint8(18), ">=12.8, <13: 80 120", "a", 1, "", uint8(18), "<12.8: 60", "x")
	f.Add("", uint8(19), "CUDA_HOME", "a", 1, "", uint8(17), "CUDA_HOME", "")
	f.Add("\x00\"", uint8(26), "src/**/*.cu", "a\nb", -1, "# ]", uint8(28), "-I/usr/local/cuda", "")
	f.Fuzz(func(t *testing.T, name string, k1 uint8, v1, file string, line int, note string, k2 uint8, v2, note2 string) {
		clues := []fact.Clue{
			{Key: fuzzKeys[int(k1)%len(fuzzKeys)], Value: v1, File: file, Line: line, Note: note},
			{Key: fuzzKeys[int(k2)%len(fuzzKeys)], Value: v2, File: file, Line: line, Note: note2},
			{Key: "toolkit.min", Value: "11.8", File: "c", Line: 1}, {Key: "arch.targets", Value: "80 90", File: "c", Line: 2},
			{Key: "kernels.a.sources", Value: "a.cu", File: "c", Line: 3}, {Key: "env", Value: "CUDA_PATH", File: "c", Line: 4},
		}
		a := Draft(name, clues)
		if _, found := contract.Parse("cupel.toml", a.Text); len(found) > 0 {
			t.Errorf("%+v: %s: %s\n%s", clues, found[0].Where, found[0].What, a.Text)
		}
	})
}

// TestCluesThatContradict: whatever is thrown together, the draft is a contract, and what was certain and alone is in it.
func TestCluesThatContradict(t *testing.T) {
	values := []string{
		"12.4", "11.8", "13.0", "12.7", "99", ">=12.8", "<9", ">=9, <14", ">=5, <5", "nvcc", "cudart", "c++17", "c++98", "allow", "80 90", "60 61 70", "90a compute_90", "7.0", "9.0", "12.0",
		"true", "TORCH_CUDA_ARCH_LIST", "CUDA_COMPUTE_CAP", "CUDA_HOME", "NVCC", "any", ">=12.8: 80 120", "<12.8: 60 80", "a b", "src/*.cu", "../x.cu", "**/[", "-O3", "-I/home/u/x", "ptx", "static", "link", "cargo", "cudaforge >=0.1", "nightly", "",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		var clues []fact.Clue
		for range rng.IntN(24) {
			c := fact.Clue{Key: fuzzKeys[rng.IntN(len(fuzzKeys))], Value: values[rng.IntN(len(values))], File: "f", Line: rng.IntN(9)}
			if rng.IntN(3) == 0 {
				c.Note = "uncertain"
			}
			clues = append(clues, c)
		}
		a := Draft("p", clues)
		if _, found := contract.Parse("cupel.toml", a.Text); len(found) > 0 {
			t.Fatalf("%+v\n%s: %s\n%s", clues, found[0].Where, found[0].What, a.Text)
		}
	}
}
