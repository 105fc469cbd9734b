package nvcc

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// spellings are single options as people write them: what nvcc takes them for. An empty name is an option that it refuses.
// TestSpellings holds them against the real one.
var spellings = []struct {
	words  string // between blanks
	name   string
	values []string
}{
	{"-O3", "optimize", []string{"3"}},
	{"-O 3", "optimize", []string{"3"}},
	{"-O=3", "optimize", []string{"3"}},
	{"--optimize=3", "optimize", []string{"3"}},
	{"--optimize 3", "optimize", []string{"3"}},
	{"--optimize3", "", nil},
	{"-optimize=3", "", nil},
	{"-Ofc=max", "Ofast-compile", []string{"max"}},
	{"-Ifoo", "include-path", []string{"foo"}},
	{"-I foo", "include-path", []string{"foo"}},
	{"-I=foo", "include-path", []string{"foo"}},
	{"-Ifoo,bar", "include-path", []string{"foo", "bar"}},
	{"-Ia,,b,", "include-path", []string{"a", "b"}},
	{`-I"a,b"`, "include-path", []string{"a,b"}},
	{`-Ia\,b`, "include-path", []string{`a\`, "b"}},
	{"-isystem=foo", "system-include", []string{"foo"}},
	{"-isystemfoo", "", nil},
	{"-DX", "define-macro", []string{"X"}},
	{"-DX=1", "define-macro", []string{"X=1"}},
	{"-D X=1", "define-macro", []string{"X=1"}},
	{"-D=X", "define-macro", []string{"X"}},
	{"-DX=1,2", "define-macro", []string{"X=1", "2"}},
	{`-DX=1\,2`, "define-macro", []string{"X=1,2"}},
	{`-DX="a,b"`, "define-macro", []string{`X="a,b"`}},
	{`-DX=\"a\"`, "define-macro", []string{`X="a"`}},
	{`-DX=\"a,b\"`, "define-macro", []string{`X="a`, `b"`}},
	{"-DX='a,b'", "define-macro", []string{"X='a", "b'"}},
	{"-UX", "undefine-macro", []string{"X"}},
	{"-lfoo", "library", []string{"foo"}},
	{"-l foo", "library", []string{"foo"}},
	{"-Lfoo", "library-path", []string{"foo"}},
	{"-lineinfo", "generate-line-info", nil},
	{"-t0", "threads", []string{"0"}},
	{"-t 0", "threads", []string{"0"}},
	{"--threads=0", "threads", []string{"0"}},
	{"-time=x", "time", []string{"x"}},
	{"-m64", "m64", nil},
	{"-m 64", "machine", []string{"64"}},
	{"-m=64", "machine", []string{"64"}},
	{"--machine64", "", nil},
	{"-std=c++17", "std", []string{"c++17"}},
	{"-std c++17", "std", []string{"c++17"}},
	{"--std=c++17", "std", []string{"c++17"}},
	{"-stdc++17", "", nil},
	{"-arch=sm_80", "gpu-architecture", []string{"sm_80"}},
	{"-arch sm_80", "gpu-architecture", []string{"sm_80"}},
	{"--gpu-architecture=sm_80", "gpu-architecture", []string{"sm_80"}},
	{"--gpu-architecture sm_80", "gpu-architecture", []string{"sm_80"}},
	{"--arch=sm_80", "", nil},
	{"-archsm_80", "", nil},
	{"-gencode=arch=compute_80,code=sm_80", "generate-code", []string{"arch=compute_80,code=sm_80"}},
	{"-gencode arch=compute_80,code=[sm_80,compute_80]", "generate-code", []string{"arch=compute_80,code=[sm_80,compute_80]"}},
	{"--generate-code=arch=compute_80,code=sm_80", "generate-code", []string{"arch=compute_80,code=sm_80"}},
	{"-o=x.o", "output-file", []string{"x.o"}},
	{"-o x.o", "output-file", []string{"x.o"}},
	{"-ox.o", "", nil},
	{"-x cu", "x", []string{"cu"}},
	{"-x=cu", "x", []string{"cu"}},
	{"-xcu", "", nil},
	{"-MD", "generate-dependencies-with-compile", nil},
	{"-MFf", "", nil},
	{"-ccbin=g++", "compiler-bindir", []string{"g++"}},
	{"-ccbin g++", "compiler-bindir", []string{"g++"}},
	{"-ccbing++", "", nil},
	{"-Xcompiler=-O1,-Wall", "compiler-options", []string{"-O1", "-Wall"}},
	{"-Xcompiler -Wall", "compiler-options", []string{"-Wall"}},
	{`-Xcompiler "-O1,-W"`, "compiler-options", []string{`"-O1,-W"`}},
	{`-Xcompiler -Wl\,-a`, "compiler-options", []string{"-Wl,-a"}},
	{"-Xcompiler-O1", "", nil},
	{"-Xptxas=-v", "ptxas-options", []string{"-v"}},
	{"-Xcudafe --diag_suppress=1", "cudafe-options", []string{"--diag_suppress=1"}},
	{"-rdc=true", "relocatable-device-code", []string{"true"}},
	{"-rdc true", "relocatable-device-code", []string{"true"}},
	{"-ftz=true", "ftz", []string{"true"}},
	{"-G", "device-debug", nil},
	{"-G=true", "", nil},
	{"-use_fast_math", "use_fast_math", nil},
	{"--use_fast_math", "use_fast_math", nil},
	{"-hls", "host-linker-script", nil},
	{"-maxrregcount=32", "maxrregcount", []string{"32"}},
	{"-maxrregcount32", "", nil},
	{"-fPIC", "", nil},
	{"-Wall", "", nil},
	{"--", "", nil},
}

func TestParseSpellings(t *testing.T) {
	for _, tt := range spellings {
		t.Run(tt.words, func(t *testing.T) {
			args := append(strings.Fields(tt.words), "-c", "k.cu")
			i := Parse(args)
			if tt.name == "" {
				if !slices.Equal(i.Unknown, args[:1]) {
					t.Errorf("Parse(%q).Unknown = %q, want %q", args, i.Unknown, args[:1])
				}
				return
			}
			want := []Given{{tt.name, tt.values, 0, len(args) - 2}, {"compile", nil, len(args) - 2, 1}}
			if diff := cmp.Diff(want, i.Given); diff != "" || len(i.Unknown) > 0 || !slices.Equal(i.Inputs, []string{"k.cu"}) {
				t.Errorf("Parse(%q): inputs %q, unknown %q, given (-want +got):\n%s", args, i.Inputs, i.Unknown, diff)
			}
		})
	}
}

func TestParseWords(t *testing.T) {
	for _, tt := range []struct {
		name, args      string
		inputs, unknown []string
	}{
		{"a value that looks like an option", "-o -c k.cu", []string{"k.cu"}, nil},
		{"an option at the end without its value", "k.cu -o", []string{"k.cu"}, nil},
		{"standard input", "-x cu -", []string{"-"}, nil},
		{"several inputs", "a.cu -lfoo b.o -L x libc.a", []string{"a.cu", "b.o", "libc.a"}, nil},
		{"options for the host compiler", "-forward-unknown-to-host-compiler -fPIC -Wl,-rpath k.cu", []string{"k.cu"}, []string{"-fPIC", "-Wl,-rpath"}},
		{"a path of Unix", "/src/k.cu", []string{"/src/k.cu"}, nil},
		{"slashes for cl", "-forward-slash-prefix-opts /O2 k.cu", []string{"k.cu"}, []string{"/O2"}},
		{"@file is no response file", "@f", []string{"@f"}, nil},
		{"nothing", "", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i := Parse(strings.Fields(tt.args))
			if !slices.Equal(i.Inputs, tt.inputs) || !slices.Equal(i.Unknown, tt.unknown) {
				t.Errorf("Parse(%q): inputs %q, unknown %q; want %q, %q", tt.args, i.Inputs, i.Unknown, tt.inputs, tt.unknown)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		args              string
		queries, compiles bool
		source            string
		archs             []string
	}{
		{"--version", true, false, "", nil},
		{"-V", true, false, "", nil},
		{"--help", true, false, "", nil},
		{"--list-gpu-arch", true, false, "", nil},
		{"--dryrun -c k.cu", true, false, "k.cu", nil},
		{"-c k.cu", false, true, "k.cu", nil},
		{"-E k.cu", false, true, "k.cu", nil},
		{"-clean k.cu", false, false, "k.cu", nil},
		{"-arch=sm_80", false, false, "", []string{"sm_80"}},
		{"-arch=compute_80 -code=sm_80,compute_80 a.o k.cu", false, true, "k.cu", []string{"compute_80", "sm_80"}},
		{"-gencode=arch=compute_80,code=[sm_80,compute_80] -gencode code=sm_90a,arch=compute_90a k.cu", false, true, "k.cu", []string{"compute_80", "sm_80", "sm_90a", "compute_90a"}},
		{`-gencode=arch=compute_80,code="sm_80,sm_86" -dlink a.o k.ptx`, false, true, "k.ptx", []string{"compute_80", "sm_80", "sm_86"}},
		{"-arch=native a.o b.o", false, true, "a.o", []string{"native"}},
		{"-x cu a.o", false, true, "a.o", nil},
	} {
		t.Run(tt.args, func(t *testing.T) {
			i := Parse(strings.Fields(tt.args))
			if i.Queries() != tt.queries || i.Compiles() != tt.compiles || i.Source() != tt.source || !slices.Equal(i.Archs(), tt.archs) {
				t.Errorf("%q: queries %v, compiles %v, source %q, archs %q; want %v, %v, %q, %q", tt.args, i.Queries(), i.Compiles(), i.Source(), i.Archs(), tt.queries, tt.compiles, tt.source, tt.archs)
			}
		})
	}
}

// TestTable: a name stands for one option, or for the same one in another release.
func TestTable(t *testing.T) {
	for _, o := range options {
		for _, name := range []string{"--" + o.Long, "-" + o.Short} {
			if name == "-" || name == "--" {
				continue
			}
			if p := named(name); p.Kind != o.Kind || p.Role != o.Role {
				t.Errorf("%s is %+v and %+v", name, *p, o)
			}
		}
		if o.First == "" || o.Name() == "" {
			t.Errorf("%+v has no release or no name", o)
		}
	}
	if size := unsafe.Sizeof(options); size > 64<<10 {
		t.Errorf("the table has %d bytes: the shim carries it", size)
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range spellings {
		f.Add(strings.ReplaceAll(tt.words, " ", "\n"))
	}
	f.Add("-x\ncu\n-MD\n-o\na/b.c/d\n-dlink\n-cubin\nk.cu")
	f.Fuzz(func(t *testing.T, lines string) {
		args := strings.Split(lines, "\n")
		i := Parse(args)
		words := len(i.Inputs) + len(i.Unknown)
		for _, g := range i.Given {
			if g.At < 0 || g.N < 1 || g.N > 2 || g.At+g.N > len(args) {
				t.Errorf("%q: %+v is outside", args, g)
			}
			words += g.N
		}
		if words != len(args) {
			t.Errorf("%q: %d words are accounted for in %+v", args, words, i)
		}
		for _, windows := range []bool{false, true} {
			if slices.Contains(i.Outputs(windows), "") {
				t.Errorf("%q writes a file without a name: %q", args, i.Outputs(windows))
			}
		}
		_ = fmt.Sprint(i.Source(), i.Archs(), i.Compiles(), Paste(args, true), Paste(args, false))
	})
}

func BenchmarkParse(b *testing.B) {
	var args []string
	for k := range 100 {
		args = append(args, fmt.Sprintf("-DNAME_%d=%d", k, k), fmt.Sprintf("-I/some/where/include/%d", k))
	}
	for b.Loop() {
		Parse(args)
	}
}
