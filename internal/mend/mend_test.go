package mend

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// archs124 is what nvcc 12.4 knows, near enough for tables.
func archs124() *Archs {
	return &Archs{Toolkit: "CUDA 12.4.1", Known: strings.Fields("50 52 60 61 70 75 80 86 87 89 90 90a"),
		Later: map[string]string{"88": "13.0", "100": "12.8", "100a": "12.8", "120": "12.8", "120a": "12.8", "120f": "12.9"}}
}

func msvc() Plan {
	return Plan{Windows: true, Flags: map[string]string{ZcPreprocessor: "zc", MathDefines: "math", NoFPIC: "fpic"}}
}

func gcc() Plan {
	return Plan{Compilers: &Compilers{Use: "/usr/bin/g++-11", Default: "gcc 12.2.0 is newer",
		Refused: map[string]string{"g++-12": "12", "gcc-12": "12", "/usr/bin/g++-12": "12", "/usr/bin": "12"}}}
}

// check applies twice: a repaired call has nothing left to repair.
func check(t *testing.T, p Plan, in, want string) {
	t.Helper()
	args := strings.Fields(in)
	out, changes := p.Apply("nvcc", args)
	if diff := cmp.Diff(strings.Fields(want), out); diff != "" {
		t.Fatalf("Apply(%q) (-want +got):\n%s", in, diff)
	}
	if (in == want) != (len(changes) == 0) {
		t.Errorf("Apply(%q) made the changes %+v", in, changes)
	}
	for _, c := range changes {
		if c.Why == "" || c.Fix == "" || len(c.Before)+len(c.After) == 0 {
			t.Errorf("Apply(%q): %+v does not say what or why", in, c)
		}
	}
	if again, more := p.Apply("nvcc", out); len(more) > 0 || !slices.Equal(again, out) {
		t.Errorf("applied again to %q: %q, %+v", out, again, more)
	}
}

type row struct{ name, in, want string }

func run(t *testing.T, p Plan, rows []row) {
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) { check(t, p, tt.in, tt.want) })
	}
}

func TestArch(t *testing.T) {
	run(t, Plan{Archs: archs124()}, []row{
		{"known", "-arch=sm_90 -c k.cu", "-arch=sm_90 -c k.cu"},
		{"known with a suffix", "-arch=sm_90a -c k.cu", "-arch=sm_90a -c k.cu"},
		{"one word", "-arch=sm_120 -c k.cu", "-arch=compute_90 -c k.cu"},
		{"two words", "-arch sm_120 -c k.cu", "-arch compute_90 -c k.cu"},
		{"long name", "--gpu-architecture=sm_120a --ptx k.cu", "--gpu-architecture=compute_90 --ptx k.cu"},
		{"virtual", "--gpu-architecture compute_100a -c k.cu", "--gpu-architecture compute_90 -c k.cu"},
		{"of no table, above all", "-arch=sm_130f -c k.cu", "-arch=compute_90 -c k.cu"},
		{"later release, lower number", "-arch=sm_88 -c k.cu", "-arch=compute_87 -c k.cu"},
		{"of nobody, between others", "-arch=sm_85 -c k.cu", "-arch=sm_85 -c k.cu"},
		{"dropped", "-arch=sm_35 -c k.cu", "-arch=sm_35 -c k.cu"},
		{"words", "-arch=native -arch=all-major -c k.cu", "-arch=native -arch=all-major -c k.cu"},
		{"codes beside it", "-arch=compute_120 -code=sm_120,compute_120 -c k.cu", "-arch=compute_90 -code=compute_90 -c k.cu"},
		{"codes of a known one", "-arch=compute_80 -code=sm_80,sm_120 -c k.cu", "-arch=compute_80 -code=sm_80,compute_80 -c k.cu"},
		{"codes alone", "-code=sm_120 -c k.cu", "-code=sm_120 -c k.cu"},
		{"gencode", "-gencode arch=compute_120,code=sm_120 -c k.cu", "-gencode arch=compute_90,code=compute_90 -c k.cu"},
		{"gencode joined", "-gencode=arch=compute_120a,code=sm_120a -c k.cu", "-gencode=arch=compute_90,code=compute_90 -c k.cu"},
		{"gencode list", "--generate-code=arch=compute_120,code=[sm_120,compute_120] -c k.cu", "--generate-code=arch=compute_90,code=compute_90 -c k.cu"},
		{"gencode, part of a list", "-gencode arch=compute_90,code=[sm_90,sm_120] -c k.cu", "-gencode arch=compute_90,code=[sm_90,compute_90] -c k.cu"},
		{"gencode in quotes", `-gencode arch=compute_90,code="sm_90,sm_120" -c k.cu`, `-gencode arch=compute_90,code="sm_90,compute_90" -c k.cu`},
		{"gencode turned round", "-gencode=code=sm_120,arch=compute_120 -c k.cu", "-gencode=code=compute_90,arch=compute_90 -c k.cu"},
		{"gencode of an older virtual one", "-gencode arch=compute_80,code=sm_120 -c k.cu", "-gencode arch=compute_80,code=compute_80 -c k.cu"},
		{"two become one", "-gencode=arch=compute_100,code=sm_100 -gencode=arch=compute_120,code=sm_120 -c k.cu", "-gencode=arch=compute_90,code=compute_90 -c k.cu"},
		{"said already, later", "-gencode arch=compute_120,code=sm_120 -gencode arch=compute_90,code=[sm_90,compute_90] -c k.cu", "-gencode arch=compute_90,code=[sm_90,compute_90] -c k.cu"},
		{"beside others", "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_120,code=sm_120 -c k.cu", "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=compute_90 -c k.cu"},
		{"malformed", "-gencode arch=compute_120 -gencode code=sm_120 -c k.cu", "-gencode arch=compute_120 -gencode code=sm_120 -c k.cu"},
		{"device link", "-arch=sm_120 -dlink a.o b.o -o d.o", "-arch=compute_90 -dlink a.o b.o -o d.o"},
		{"a cubin needs machine code", "-cubin -arch=sm_120 k.cu", "-cubin -arch=sm_120 k.cu"},
		{"so does link-time optimisation", "-dlto -arch=sm_120 -c k.cu", "-dlto -arch=sm_120 -c k.cu"},
		{"and its code", "-gencode arch=compute_120,code=lto_120 -rdc=true -c k.cu", "-gencode arch=compute_120,code=lto_120 -rdc=true -c k.cu"},
		{"a question", "-arch=sm_120 --list-gpu-arch", "-arch=sm_120 --list-gpu-arch"},
		{"the version", "--version -arch=sm_120 k.cu", "--version -arch=sm_120 k.cu"},
		{"nothing to work on", "-arch=sm_120", "-arch=sm_120"},
		{"no value", "k.cu -arch", "k.cu -arch"},
		{"value of another option", "-o -arch=sm_120 -c k.cu", "-o -arch=sm_120 -c k.cu"},
	})
}

func TestArchSaysWhy(t *testing.T) {
	p := Plan{Archs: archs124()}
	for _, tt := range []struct{ in, want string }{
		{"sm_120", "CUDA 12.4.1 does not know sm_120 (CUDA 12.8 is the first that does): PTX for compute_90 instead, which the driver compiles for newer GPUs"},
		{"sm_130", "CUDA 12.4.1 does not know sm_130 (its newest is sm_90): PTX for compute_90 instead, which the driver compiles for newer GPUs"},
	} {
		_, changes := p.Apply("nvcc", []string{"-arch", tt.in, "k.cu"})
		if len(changes) != 1 || changes[0].Why != tt.want || !slices.Equal(changes[0].Before, []string{"-arch", tt.in}) || !slices.Equal(changes[0].After, []string{"-arch", "compute_90"}) {
			t.Errorf("%s: %+v, want one change because %q", tt.in, changes, tt.want)
		}
	}
}

func TestFlagsForMSVC(t *testing.T) {
	const all = "-Xcompiler=/Zc:preprocessor -D_USE_MATH_DEFINES "
	run(t, msvc(), []row{
		{"both are missing", "-c k.cu", all + "-c k.cu"},
		{"both are there", "-Xcompiler /Zc:preprocessor -D _USE_MATH_DEFINES -c k.cu", "-Xcompiler /Zc:preprocessor -D _USE_MATH_DEFINES -c k.cu"},
		{"defined in a list", "-Xcompiler=/Zc:preprocessor -DA=1,_USE_MATH_DEFINES -c k.cu", "-Xcompiler=/Zc:preprocessor -DA=1,_USE_MATH_DEFINES -c k.cu"},
		{"in a list", "--compiler-options=/O2,-Zc:preprocessor -D_USE_MATH_DEFINES=1 -c k.cu", "--compiler-options=/O2,-Zc:preprocessor -D_USE_MATH_DEFINES=1 -c k.cu"},
		{"the old one is asked for", "-Xcompiler=/Zc:preprocessor- -D_USE_MATH_DEFINES -c k.cu", "-Xcompiler=/Zc:preprocessor- -D_USE_MATH_DEFINES -c k.cu"},
		{"the check is off", "-DCCCL_IGNORE_MSVC_TRADITIONAL_PREPROCESSOR_WARNING -D_USE_MATH_DEFINES -c k.cu", "-DCCCL_IGNORE_MSVC_TRADITIONAL_PREPROCESSOR_WARNING -D_USE_MATH_DEFINES -c k.cu"},
		{"a link", "-o a.exe a.obj b.lib", "-o a.exe a.obj b.lib"},
		{"a library", "--lib -o a.lib a.obj", "--lib -o a.lib a.obj"},
		{"fPIC in two words", "-Xcompiler -fPIC -o a.dll a.obj", "-o a.dll a.obj"},
		{"fPIC in one", "-Xcompiler=-fPIC -o a.dll a.obj", "-o a.dll a.obj"},
		{"fPIC first of a list", "-Xcompiler -fPIC,-O3 -o a.dll a.obj", "-Xcompiler -O3 -o a.dll a.obj"},
		{"fPIC within a list", "-Xcompiler=-O3,-fPIC,-DX=1 -o a.dll a.obj", "-Xcompiler=-O3,-DX=1 -o a.dll a.obj"},
		{"fPIC by the long name", "--compiler-options -fPIC a.obj", "a.obj"},
		{"fPIC alone", "-fPIC a.obj -fpic", "a.obj"},
		{"fPIC twice", "-Xcompiler=-fPIC,-fpic a.obj", "a.obj"},
		{"fPIC as a name", "-o -fPIC a.obj", "-o -fPIC a.obj"},
		{"fPIC as part of a flag", "-Xcompiler=-fPICKY,x-fPIC a.obj", "-Xcompiler=-fPICKY,x-fPIC a.obj"},
	})
}

func TestFPICKeepsBlanksAndQuotes(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"blanks", "-O2 -fPIC -Wall", "-O2 -Wall"},
		{"blank at the start", " -fPIC -O2", "-O2"},
		{"quoted comma", `-DX="a,-fPIC",-fPIC`, `-DX="a,-fPIC"`},
		{"comma behind a backslash", `-DX=a\,-fPIC,-fPIC,-O2`, `-DX=a\,-fPIC,-O2`},
		{"quoted flag", `"-fPIC",-O2`, "-O2"},
		{"none", "-O2,,-O3", "-O2,,-O3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := withoutFPIC(tt.in); got != tt.want {
				t.Errorf("withoutFPIC(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestHostCompiler(t *testing.T) {
	run(t, gcc(), []row{
		{"none named", "-c k.cu", "-ccbin=/usr/bin/g++-11 -c k.cu"},
		{"a link too", "-o a a.o", "-ccbin=/usr/bin/g++-11 -o a a.o"},
		{"one that fits", "-ccbin g++-11 -c k.cu", "-ccbin g++-11 -c k.cu"},
		{"one of which nothing is known", "-ccbin=/opt/g++ -c k.cu", "-ccbin=/opt/g++ -c k.cu"},
		{"one that does not fit", "-ccbin g++-12 -c k.cu", "-ccbin /usr/bin/g++-11 -c k.cu"},
		{"joined", "--compiler-bindir=/usr/bin/g++-12 -c k.cu", "--compiler-bindir=/usr/bin/g++-11 -c k.cu"},
		{"a folder", "-ccbin=/usr/bin/ -c k.cu", "-ccbin=/usr/bin/g++-11 -c k.cu"},
		{"the last counts", "-ccbin g++-12 -ccbin g++-11 -c k.cu", "-ccbin g++-12 -ccbin g++-11 -c k.cu"},
		{"a question", "--version", "--version"},
		{"bindgen_cuda with NVCC_CCBIN", "--gpu-architecture=sm_80 -c -o k.o --default-stream per-thread -allow-unsupported-compiler -ccbin gcc-12 k.cu",
			"--gpu-architecture=sm_80 -c -o k.o --default-stream per-thread -allow-unsupported-compiler -ccbin /usr/bin/g++-11 k.cu"},
	})
}

func TestHostCompilerOnWindows(t *testing.T) {
	p := Plan{Windows: true, Compilers: &Compilers{Use: `C:\VS\14.40\cl.exe`, Refused: map[string]string{`c:\vs\14.50\cl.exe`: "50", `c:\vs\14.50`: "50"}}}
	run(t, p, []row{
		{"the default fits", "-c k.cu", "-c k.cu"},
		{"a folder, any case", `-ccbin=C:/VS/14.50/ -c k.cu`, `-ccbin=C:\VS\14.40\cl.exe -c k.cu`},
		{"the program", `-ccbin C:\vs\14.50\CL.EXE -c k.cu`, `-ccbin C:\VS\14.40\cl.exe -c k.cu`},
	})
}

func TestUnderAnEnvironment(t *testing.T) {
	for _, tt := range []struct {
		name     string
		env      map[string]string
		in, want string
	}{
		{"prepended, fits", map[string]string{"NVCC_PREPEND_FLAGS": "-ccbin=/usr/bin/g++-11"}, "-c k.cu", "-c k.cu"},
		{"prepended, does not", map[string]string{"NVCC_PREPEND_FLAGS": "-ccbin g++-12"}, "-c k.cu", "-ccbin=/usr/bin/g++-11 -c k.cu"},
		{"appended wins whatever is said", map[string]string{"NVCC_APPEND_FLAGS": "-ccbin g++-12"}, "-c k.cu", "-c k.cu"},
		{"NVCC_CCBIN fits", map[string]string{"NVCC_CCBIN": "/opt/g++-10"}, "-c k.cu", "-ccbin=/opt/g++-10 -c k.cu"},
		{"NVCC_CCBIN does not", map[string]string{"NVCC_CCBIN": "g++-12"}, "-c k.cu", "-ccbin=/usr/bin/g++-11 -c k.cu"},
		{"the call's own comes first", map[string]string{"NVCC_PREPEND_FLAGS": "-ccbin=/usr/bin/g++-11"}, "-ccbin g++-12 k.cu", "-ccbin /usr/bin/g++-11 k.cu"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check(t, gcc().Under(func(name string) string { return tt.env[name] }), tt.in, tt.want)
		})
	}
	flags := msvc().Under(func(name string) string {
		return map[string]string{"NVCC_APPEND_FLAGS": "-Xcompiler=/Zc:preprocessor", "NVCC_PREPEND_FLAGS": "-D_USE_MATH_DEFINES"}[name]
	})
	check(t, flags, "-c k.cu", "-c k.cu")
}

func TestOtherTools(t *testing.T) {
	p := Plan{Archs: archs124()}
	if out, changes := p.Apply("ptxas", []string{"-arch=sm_120", "k.ptx"}); len(changes) > 0 || out[0] != "-arch=sm_120" {
		t.Errorf("ptxas: %q, %+v", out, changes)
	}
}

// TestText: what is written is read back, and a plan of nothing is small.
func TestText(t *testing.T) {
	for _, p := range []Plan{{}, msvc(), gcc(), {Archs: archs124()}} {
		text, err := p.Text()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, got, cmp.AllowUnexported(Plan{})); diff != "" {
			t.Errorf("read back (-want +got):\n%s", diff)
		}
	}
	if text, _ := (Plan{}).Text(); string(text) != "{}" {
		t.Errorf("empty plan is %s", text)
	}
	if _, err := Parse([]byte("{")); err == nil || !strings.Contains(err.Error(), "read plan of repairs") {
		t.Errorf("half a plan: %v", err)
	}
}

// BenchmarkCall is what every compiler call pays for repairs: the plan is read and applied.
func BenchmarkCall(b *testing.B) {
	p := msvc()
	p.Compilers, p.Archs = gcc().Compilers, archs124()
	text, err := p.Text()
	if err != nil {
		b.Fatal(err)
	}
	args := strings.Fields("-gencode=arch=compute_120a,code=sm_120a -c -o k.o --default-stream per-thread -ccbin g++-12 -Xcompiler -fPIC --threads=2 k.cu")
	for b.Loop() {
		p, err := Parse(text)
		if _, changes := p.Apply("nvcc", args); err != nil || len(changes) != 5 {
			b.Fatalf("%+v, %v", changes, err)
		}
	}
}
