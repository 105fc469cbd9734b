package choose

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/mend"
	"cupel/internal/version"
)

func toolkit(release string) fact.Toolkit {
	return fact.Toolkit{Root: "/cuda", Release: fact.Of(release, "version.json"), Parts: map[string]string{fact.PartNvcc: "/cuda/bin/nvcc"}}
}

func gxx(command, version string, def bool) fact.Compiler {
	return fact.Compiler{Family: "gcc", Path: "/usr/bin/" + command, Command: command, Version: fact.Of(version, command), Default: def, Cxx: true}
}

func linux(compilers ...fact.Compiler) fact.Machine {
	return fact.Machine{System: fact.System{OS: "linux", Platform: fact.Linux, Arch: "amd64"}, Compilers: compilers}
}

func cl(toolset, version string, def bool) fact.Compiler {
	path := `C:\VS\` + toolset + `\bin\Hostx64\x64\cl.exe`
	return fact.Compiler{Family: "msvc", Path: path, Command: path, Version: fact.Of(version, path), Target: "x64", Default: def, Cxx: true}
}

func windows(compilers ...fact.Compiler) fact.Machine {
	return fact.Machine{System: fact.System{OS: "windows", Platform: fact.Windows, Arch: "amd64"}, Compilers: compilers}
}

// TestPlanRepairs: what a machine's plan makes of a call.
func TestPlanRepairs(t *testing.T) {
	two := linux(gxx("g++", "12.2.0", true), gxx("g++-12", "12.2.0", false), gxx("g++-11", "11.3.0", false))
	named := gxx("g++-10", "10.2.1", false)
	cls := windows(cl("14.50", "19.50.35717", true), cl("14.40", "19.40.33811", false))
	for _, tt := range []struct {
		name     string
		m        fact.Machine
		release  string
		host     *fact.Compiler
		wanted   string
		in, want string
	}{
		{"default gcc too new", two, "11.8.0", nil, "", "-c k.cu", "-ccbin=/usr/bin/g++-11 -c k.cu"},
		{"named by its command", two, "11.8.0", nil, "", "-ccbin g++-12 -c k.cu", "-ccbin /usr/bin/g++-11 -c k.cu"},
		{"named by its C side", two, "11.8.0", nil, "", "-ccbin /usr/bin/gcc-12 -c k.cu", "-ccbin /usr/bin/g++-11 -c k.cu"},
		{"named by its folder", two, "11.8.0", nil, "", "-ccbin /usr/bin -c k.cu", "-ccbin /usr/bin/g++-11 -c k.cu"},
		{"one that fits", two, "11.8.0", nil, "", "-ccbin gcc-11 -c k.cu", "-ccbin gcc-11 -c k.cu"},
		{"default fits", two, "12.4.1", nil, "", "-c k.cu", "-c k.cu"},
		{"the compiler that was asked for", two, "11.8.0", &named, "", "-c k.cu", "-ccbin=/usr/bin/g++-10 -c k.cu"},
		{"not wanted", two, "11.8.0", nil, "arch", "-c k.cu", "-c k.cu"},
		{"none on PATH", linux(gxx("g++-11", "11.3.0", false)), "11.8.0", nil, "", "-c k.cu", "-ccbin=/usr/bin/g++-11 -c k.cu"},
		{"arch", two, "12.4.1", nil, "", "-arch=sm_120 -c k.cu", "-arch=compute_90 -c k.cu"},
		{"arch of a family", two, "12.8.1", nil, "", "-arch=sm_120f -c k.cu", "-arch=compute_120 -c k.cu"},
		{"arch known", two, "13.0.2", nil, "", "-arch=sm_121 -c k.cu", "-arch=sm_121 -c k.cu"},
		{"arch of no table", two, "13.0.2", nil, "", "-arch=sm_130a -c k.cu", "-arch=compute_121 -c k.cu"},
		{"arch dropped", two, "13.0.2", nil, "", "-arch=sm_50 -c k.cu", "-arch=sm_50 -c k.cu"},
		{"arch renamed", two, "13.0.2", nil, "", "-arch=sm_101 -c k.cu", "-arch=sm_101 -c k.cu"},
		{"fPIC stays on Linux", two, "12.4.1", nil, "", "-Xcompiler -fPIC -c k.cu", "-Xcompiler -fPIC -c k.cu"},
		{"cl too new", cls, "13.0.2", nil, "host-compiler", "-c k.cu", `-ccbin=C:\VS\14.40\bin\Hostx64\x64\cl.exe -c k.cu`},
		{"cl's folder, as CMake names it", cls, "13.0.2", nil, "host-compiler", `-ccbin=C:/VS/14.50/bin/HostX64/x64 -c k.cu`, `-ccbin=C:\VS\14.40\bin\Hostx64\x64\cl.exe -c k.cu`},
		{"MSVC", cls, "13.2.0", nil, "zc-preprocessor,math-defines,no-fpic", "-Xcompiler -fPIC -c k.cu", "-Xcompiler=/Zc:preprocessor -D_USE_MATH_DEFINES -c k.cu"},
		{"MSVC before 13.2", cls, "13.1.1", nil, "zc-preprocessor", "-c k.cu", "-c k.cu"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wanted := strings.FieldsFunc(tt.wanted, func(r rune) bool { return r == ',' })
			p, _, err := For(tt.m, toolkit(tt.release), tt.host, wanted)
			if err != nil {
				t.Fatal(err)
			}
			if out, changes := p.Apply("nvcc", strings.Fields(tt.in)); strings.Join(out, " ") != tt.want {
				t.Errorf("%s becomes %q (%+v), want %s", tt.in, out, changes, tt.want)
			}
		})
	}
}

func TestNotes(t *testing.T) {
	new14 := linux(gxx("g++", "14.2.0", true))
	asked := gxx("g++-14", "14.2.0", false)
	for _, tt := range []struct {
		name    string
		m       fact.Machine
		release string
		host    *fact.Compiler
		wanted  string
		want    string
	}{
		{"not this platform", new14, "13.2.0", nil, "math-defines", "math-defines: nothing to do: it is for windows"},
		{"release before", windows(), "13.1.1", nil, "zc-preprocessor", "zc-preprocessor: nothing to do: 13.2 and newer need it, this is CUDA 13.1.1"},
		{"release not known", windows(), "?", nil, "zc-preprocessor", "zc-preprocessor: left out: the release of the toolkit in /cuda is not known"},
		{"no compiler fits", new14, "12.4.1", nil, "host-compiler", "host-compiler: left out: no installed host compiler is known to fit: gcc 14.2.0 is newer than CUDA 12.4.1 accepts"},
		{"every compiler fits", linux(gxx("g++", "12.2.0", true)), "12.4.1", nil, "host-compiler", "host-compiler: nothing to do: CUDA 12.4.1 takes every host compiler here"},
		{"nothing is known of the toolkit", new14, "99.1", nil, "host-compiler", "host-compiler: left out: it is not known which gcc"},
		{"the asked one does not fit", new14, "12.4.1", &asked, "host-compiler", "no other is put in its place: gcc 14.2.0 is newer"},
		{"archs of no table", new14, "99.1", nil, "arch", "arch: left out: it is not known which architectures CUDA 99.1 has"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, notes, err := For(tt.m, toolkit(tt.release), tt.host, []string{tt.wanted})
			if err != nil || len(notes) != 1 || !strings.Contains(notes[0], tt.want) {
				t.Errorf("notes %q, %v, want %q", notes, err, tt.want)
			}
			if !p.Empty() {
				t.Errorf("the plan is not empty: %+v", p)
			}
		})
	}
}

func TestDroppedArchsAreNoted(t *testing.T) {
	_, notes, err := For(linux(), toolkit("13.0.2"), nil, []string{"arch"})
	if want := "arch: what CUDA 13.0.2 no longer knows (older than sm_75) stays as it is"; err != nil || len(notes) != 1 || !strings.HasPrefix(notes[0], want) {
		t.Errorf("notes %q, %v, want %q", notes, err, want)
	}
}

func TestUnknownName(t *testing.T) {
	_, _, err := For(linux(), toolkit("12.4.1"), nil, []string{"arch", "compiler"})
	if err == nil || !strings.Contains(err.Error(), `"compiler": they are host-compiler, zc-preprocessor, math-defines, no-fpic, arch`) {
		t.Errorf("error is %v", err)
	}
}

// TestNamesAreMade: every row of the table is a repair of package mend, and has its permanent fix.
func TestNamesAreMade(t *testing.T) {
	want := []string{mend.HostCompiler, mend.ZcPreprocessor, mend.MathDefines, mend.NoFPIC, mend.Arch}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("Names = %q, want %q", got, want)
	}
	for _, name := range want {
		if text, paste := Permanent(name, false); text == "" || paste == "" {
			t.Errorf("Permanent(%s, false) = %q, %q", name, text, paste)
		}
	}
	if text, paste := Permanent("soap", false); text != "" || paste != "" {
		t.Errorf("Permanent(soap, false) = %q, %q", text, paste)
	}
}

// TestPlanIsSmall: every compiler call reads the plan.
func TestPlanIsSmall(t *testing.T) {
	m := windows(cl("14.50", "19.50.35717", true), cl("14.40", "19.40.33811", false))
	p, _, err := For(m, toolkit("13.2.0"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Text()
	if err != nil || len(text) > 4<<10 {
		t.Errorf("plan has %d bytes, %v:\n%s", len(text), err, text)
	}
}

// TestEveryReleaseHasArchs: for each target that a later release has, the plan of a release has an answer.
func TestEveryReleaseHasArchs(t *testing.T) {
	for _, release := range []string{"11.0", "11.8", "12.0", "12.4", "12.8", "12.9", "13.0", "13.2"} {
		a, note := archs(toolkit(release))
		if a == nil {
			t.Errorf("%s: %s", release, note)
			continue
		}
		v, _ := version.Parse(release)
		for digits, first := range a.Later {
			out, changes := mend.Plan{Archs: a}.Apply("nvcc", []string{"-arch=sm_" + digits, "k.cu"})
			if len(changes) != 1 || !strings.HasPrefix(out[0], "-arch=compute_") {
				t.Errorf("%s: sm_%s of %s becomes %q", release, digits, first, out)
			}
			if f, _ := version.Parse(first); f.Compare(v) <= 0 {
				t.Errorf("%s: sm_%s is later, of %s", release, digits, first)
			}
		}
		for _, k := range compat.ArchsOf(v) {
			if _, changes := (mend.Plan{Archs: a}).Apply("nvcc", []string{"-arch=" + k.String(), "k.cu"}); len(changes) > 0 {
				t.Errorf("%s: %s is known and changed: %+v", release, k, changes)
			}
		}
	}
}
