package choice

import (
	"strings"
	"testing"

	"cupel/internal/fact"
)

func TestCompilerFits(t *testing.T) {
	own := toolkit("/t", "12.4.1")
	own.Bounds = fact.Of(fact.Bounds{GCCMax: 11, ClangBelow: 14, MSCMin: 1910, MSCBelow: 1940}, "crt/host_config.h")
	table := toolkit("/t", "12.4.1")
	unheard := toolkit("/t", "99.1")
	compiler := func(family, version, target string) fact.Compiler {
		return fact.Compiler{Family: family, Path: "/c", Version: fact.Of(version, ""), Target: target, Cxx: true}
	}
	for _, tt := range []struct {
		name      string
		t         fact.Toolkit
		c         fact.Compiler
		ok, known bool
		why       string
	}{
		{"header before table", own, compiler("gcc", "12.2.0", ""), false, true, "gcc 12.2.0 is newer than CUDA 12.4.1 accepts: up to gcc 11 (its crt/host_config.h)"},
		{"same major as the bound", own, compiler("gcc", "11.4.0", ""), true, true, "up to gcc 11"},
		{"clang bound is exclusive", own, compiler("clang", "14.0.6", ""), false, true, "up to clang 13"},
		{"clang below it", own, compiler("clang", "13.0.1", ""), true, true, ""},
		{"cl at the bound", own, compiler("msvc", "19.40.33811", "x64"), false, true, "up to cl 19.39"},
		{"cl below it", own, compiler("msvc", "19.39.33523", "x64"), true, true, ""},
		{"32-bit cl", own, compiler("msvc", "19.39.33523", "x86"), false, true, "32-bit"},
		{"table when no header was read", table, compiler("gcc", "13.2.0", ""), true, true, "release table"},
		{"too new by the table", table, compiler("gcc", "14", ""), false, true, "gcc 14 is newer"},
		{"too old by the table", table, compiler("gcc", "4.8.5", ""), false, true, "older"},
		{"toolkit of no table", unheard, compiler("gcc", "14.1.0", ""), false, false, "not known which gcc"},
		{"compiler that did not answer", own, fact.Compiler{Family: "gcc", Path: "/c", Version: fact.Bad[string]("/c", nil)}, false, false, "version of /c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ok, known, why := CompilerFits(tt.t, tt.c)
			if ok != tt.ok || known != tt.known || !strings.Contains(why, tt.why) {
				t.Errorf("CompilerFits = %v, %v, %q, want %v, %v, %q", ok, known, why, tt.ok, tt.known, tt.why)
			}
		})
	}
}

func TestFittingCompiler(t *testing.T) {
	clang := fact.Compiler{Family: "clang", Path: "/usr/bin/clang++-15", Version: fact.Of("15.0.7", ""), Cxx: true}
	conda := fact.Compiler{Family: "gcc", Path: "/conda/g++", Version: fact.Of("13.3.0", ""), Cxx: true, Origin: "conda"}
	cross := fact.Compiler{Family: "gcc", Path: "/usr/bin/aarch64-linux-gnu-g++", Version: fact.Of("13.1.0", ""), Cxx: true, Target: "aarch64-linux-gnu"}
	mingw := fact.Compiler{Family: "gcc", Path: "/usr/bin/x86_64-w64-mingw32-g++", Version: fact.Of("13.1.0", ""), Cxx: true, Target: "x86_64-w64-mingw32"}
	conly := fact.Compiler{Family: "gcc", Path: "/usr/bin/gcc-13", Version: fact.Of("13.1.0", "")}
	for _, tt := range []struct {
		name      string
		compilers []fact.Compiler
		best      string
		fits      bool
	}{
		{"default fits", []fact.Compiler{gcc("12.2.0", true), gcc("13.1.0", false)}, "/usr/bin/g++-12.2.0", true},
		{"newest that fits", []fact.Compiler{gcc("14.2.0", true), gcc("11.4.0", false), gcc("13.1.0", false), gcc("12.2.0", false)}, "/usr/bin/g++-13.1.0", false},
		{"same family first", []fact.Compiler{gcc("14.2.0", true), clang, gcc("11.4.0", false)}, "/usr/bin/g++-11.4.0", false},
		{"another family when none else fits", []fact.Compiler{gcc("14.2.0", true), clang}, "/usr/bin/clang++-15", false},
		{"the system's before conda's", []fact.Compiler{gcc("14.2.0", true), conda, gcc("11.4.0", false)}, "/usr/bin/g++-11.4.0", false},
		{"cross, mingw and C compilers are not host compilers", []fact.Compiler{gcc("14.2.0", true), cross, mingw, conly}, "", false},
		{"no default at all", []fact.Compiler{gcc("12.2.0", false)}, "/usr/bin/g++-12.2.0", false},
		{"none installed", nil, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine()
			m.Compilers = tt.compilers
			best, fits, why := FittingCompiler(m, toolkit("/t", "12.4.1"))
			got := ""
			if best != nil {
				got = best.Path
			}
			if got != tt.best || fits != tt.fits || why == "" {
				t.Errorf("FittingCompiler = %q, %v, %q, want %q, %v and a reason", got, fits, why, tt.best, tt.fits)
			}
		})
	}
}

func TestUnknownBoundsReplaceNothing(t *testing.T) {
	m := machine()
	best, fits, why := FittingCompiler(m, toolkit("/t", "99.1"))
	if best != nil || fits || !strings.Contains(why, "not known") {
		t.Errorf("FittingCompiler = %v, %v, %q, want no compiler and that it is not known", best, fits, why)
	}
}

func TestFits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*fact.Machine)
		want   string
	}{
		{"nothing speaks against it", func(m *fact.Machine) {}, ""},
		{"no driver is no reason", func(m *fact.Machine) { m.Driver.UserMode = fact.None[string]("libcuda") }, ""},
		{"driver below the floor", func(m *fact.Machine) { m.Driver.UserMode = fact.Of("470.57.02", "") }, "driver 470.57.02 is older than"},
		{"GPU without machine code", func(m *fact.Machine) { m.GPUs = []fact.GPU{{Name: "RTX 5090", CC: fact.Of("12.0", "")}} }, "compute capability 12.0 (RTX 5090)"},
		{"GPU of unknown capability", func(m *fact.Machine) { m.GPUs = []fact.GPU{{Name: "?"}} }, ""},
		{"newer minor of a known major", func(m *fact.Machine) { m.GPUs = []fact.GPU{{Name: "x", CC: fact.Of("8.8", "")}} }, ""},
		{"no host compiler", func(m *fact.Machine) { m.Compilers = nil }, "no host compiler is installed"},
		{"none that fits", func(m *fact.Machine) { m.Compilers = []fact.Compiler{gcc("14.2.0", true)} }, "no installed host compiler fits: gcc 14.2.0"},
		{"no nvcc", func(m *fact.Machine) { m.Toolkits[0].Parts = nil }, "it has no nvcc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(toolkit("/t", "12.4.1"))
			tt.change(&m)
			got := strings.Join(Fits(m, m.Toolkits[0]), "; ")
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("Fits = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestDefaultFor: the compiler beside nvcc comes before the one on PATH.
func TestDefaultFor(t *testing.T) {
	m := machine(toolkit("/usr", "12.4"))
	m.Compilers = []fact.Compiler{gcc("14", true), gcc("13", false)}
	for _, tt := range []struct {
		name string
		own  []string
		want string
	}{
		{"none of its own", nil, "g++-14"},
		{"Debian's order, the first is not installed", []string{"gcc-12", "gcc-13"}, "g++-13"},
		{"a link to a compiler", []string{"/usr/bin/gcc-13"}, "g++-13"},
		{"one that is gone", []string{"gcc-9"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := m.Toolkits[0]
			k.OwnGCC = tt.own
			got := ""
			if c := DefaultFor(m, k); c != nil {
				got = c.Command
			}
			if got != tt.want {
				t.Errorf("DefaultFor = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestVersionOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   fact.Fact[string]
		want string
	}{
		{"plain", fact.Of("12.3.0", "x"), "12.3.0"}, {"one number", fact.Of("14", "x"), "14"}, {"among words", fact.Of("nightly 1.80.1-x", "x"), "1.80.1"},
		{"no number", fact.Of("soap", "x"), ""}, {"absent", fact.None[string]("x"), ""}, {"unreadable keeps no value", fact.Fact[string]{State: fact.Unreadable, Value: "12.3"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := VersionOf(tt.in); got.String() != tt.want {
				t.Errorf("VersionOf(%+v) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
