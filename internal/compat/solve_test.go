package compat

import (
	"strings"
	"testing"

	"cupel/internal/gpu"
	"cupel/internal/version"
)

func TestSolve(t *testing.T) {
	for _, tt := range []struct {
		name    string
		q       Query
		best    string // "" when nothing fits
		caveat  string // part of a caveat of the best
		out     string // a release that falls out …
		because string // … and part of its reason
	}{
		{"RTX 50 with a fresh driver and gcc 14", Query{GPU: "RTX 5060 Ti", Driver: v("575.57.08"), GCC: v("14.2")}, "12.9.2", "", "12.6.3", "does not know sm_120: 12.8 is the first"},
		{"driver too old for CUDA 13", Query{GPU: "RTX 4090", Driver: v("550.54.15"), GCC: v("12")}, "12.4.1", "", "13.0.3", "older than 580"},
		{"gcc 14 with an old driver leaves a caveat", Query{GPU: "L4", Driver: v("550.54.15"), GCC: v("14")}, "12.9.2", "error 222", "12.6.3", "gcc 14 is too new"},
		{"Volta ends with 12.9", Query{GPU: "V100"}, "12.6.3", "", "13.0.3", "12.9 was the last"},
		{"deprecated Volta when only 12.8 is asked", Query{CC: gpu.MustCC("7.0"), Toolkit: v("12.8")}, "12.8.2", "deprecated", "", ""},
		{"code of a lower minor is named", Query{GPU: "RTX 4090", Toolkit: v("11.7")}, "", "", "11.7.1", "its sm_87 code would run there"},
		{"Windows with VS 2022 17.10", Query{OS: "windows", MSVC: v("14.40"), Toolkit: v("12.3")}, "", "", "12.3.2", "_MSC_VER 1910 to 1939"},
		{"VS 2026 needs 13.2", Query{OS: "windows", MSVC: v("14.50.35717")}, "13.4.3", "", "13.1.2", "too new"},
		{"forward compatibility is named", Query{GPU: "H200", Driver: v("535.183.01"), Toolkit: v("13.0")}, "", "", "13.0.3", "cuda-compat-13-0"},
		{"no forward compatibility on windows", Query{OS: "windows", Driver: v("536.25"), Toolkit: v("13.0")}, "", "", "13.0.3", "older than 580"},
		{"the listed driver is a caveat only", Query{Driver: v("550.54.14"), Toolkit: v("12.4.1")}, "12.4.1", "lists driver 550.54.15", "", ""},
		{"a card newer than the driver", Query{GPU: "RTX 5090", Driver: v("550.54.15"), Toolkit: v("12.8")}, "12.8.2", "may not know this GPU", "", ""},
		{"the driver's own word beats the table", Query{Driver: v("550.54.15"), Level: v("12.8"), Toolkit: v("12.8.0")}, "12.8.0", "lists driver 570.26", "", ""},
		{"nothing asked", Query{}, "13.4.3", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Solve(tt.q)
			if err != nil {
				t.Fatal(err)
			}
			checkBest(t, s, tt.best, tt.caveat)
			if tt.out != "" && !strings.Contains(reasonOf(s, tt.out), tt.because) {
				t.Errorf("%s is out because %q, want %q in it", tt.out, reasonOf(s, tt.out), tt.because)
			}
		})
	}
}

func checkBest(t *testing.T, s Solution, best, caveat string) {
	t.Helper()
	if best == "" {
		if len(s.Fits) != 0 {
			t.Errorf("%v fits, want nothing", s.Fits[0])
		}
		return
	}
	if len(s.Fits) == 0 || s.Fits[0].Release.String() != best {
		t.Fatalf("best is not %s: fits %v, out %v", best, s.Fits, s.Out)
	}
	got := strings.Join(s.Fits[0].Caveats, "; ")
	if !strings.Contains(got, caveat) || (caveat == "" && got != "") {
		t.Errorf("caveats of %s are %q, want %q", best, got, caveat)
	}
}

func reasonOf(s Solution, release string) string {
	for _, o := range s.Out {
		if o.Release.String() == release {
			return o.Reason
		}
	}
	return ""
}

func TestSolveRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		q    Query
		want string
	}{
		{"never released", Query{Toolkit: v("12.7")}, "never released"},
		{"unknown card", Query{GPU: "Voodoo 2"}, "no GPU"},
		{"no such MSVC", Query{MSVC: v("12.0")}, "no MSVC 12.0"},
		{"a distribution is no system", Query{OS: "ubuntu"}, "not one of linux, windows, wsl2"},
		{"macOS", Query{OS: "macos", Driver: v("550.54.15")}, "not one of"},
		{"Windows' form on linux", Query{OS: "linux", Driver: v("31.0.15.5161")}, "551.61"},
		{"a name that several GPUs have", Query{GPU: "RTX 6000"}, "8.9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Solve(tt.q); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Solve(%+v) gives %v, want %q", tt.q, err, tt.want)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	tk, err := ToolkitAnswer(v("12.4"))
	if err != nil || tk.Release != v("12.4.1") || tk.Nvcc != v("12.4.131") || tk.PTX != v("8.4") || tk.Host.GCCMax != 13 || len(tk.Updates) != 2 {
		t.Errorf("ToolkitAnswer(12.4) = %+v, %v", tk, err)
	}
	if _, err := ToolkitAnswer(v("12.7")); err == nil || !strings.Contains(err.Error(), "never released") {
		t.Errorf("ToolkitAnswer(12.7) gives %v", err)
	}
	g, err := GPUAnswer("RTX 5060 Ti")
	if err != nil || g.Arch.String() != "sm_120" || g.First != v("12.8") || !g.Last.IsZero() || g.FoundBy != "name" {
		t.Errorf("GPUAnswer(RTX 5060 Ti) = %+v, %v", g, err)
	}
	d, err := DriverAnswer(v("550.54.15"), "linux")
	if err != nil || d.Level != v("12.4") || len(d.Majors) != 2 {
		t.Errorf("DriverAnswer(550.54.15) = %+v, %v", d, err)
	}
	c, err := CompilerAnswer("gcc", v("14"))
	if err != nil || c.First != v("12.8") {
		t.Errorf("CompilerAnswer(gcc 14) starts at %s, %v, want 12.8", c.First, err)
	}
	if _, err := CompilerAnswer("tcc", version.Of(1)); err == nil {
		t.Error("CompilerAnswer(tcc) gives no error")
	}
}
