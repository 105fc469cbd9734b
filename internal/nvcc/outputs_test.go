package nvcc

import (
	"slices"
	"strings"
	"testing"
)

// writes are calls and the files that they write. TestRealOutputs compares those of Linux with what nvcc leaves behind, and
// TestWindowsOutputs those of Windows with a dry run of nvcc.exe. The inputs there: k.cu, a.b.cu, sub/s.cu, m.cpp, noext.
var writes = []struct {
	args           string
	linux, windows string // between blanks; = in windows: as on Linux
	quick          bool   // tried in make test too
}{
	{"-c k.cu", "k.o", "k.obj", true},
	{"-c a.b.cu", "a.b.o", "a.b.obj", false},
	{"-c sub/s.cu", "s.o", "s.obj", false},
	{"-c k.cu m.cpp", "k.o m.o", "k.obj m.obj", false},
	{"-c k.cu -odir od", "od/k.o", "od/k.obj", true},
	{"-c k.cu -o od/x.o", "od/x.o", "=", false},
	{"-c k.cu -odir od -o x.o", "x.o", "=", false},
	{"-dc k.cu", "k.o", "k.obj", false},
	{"-dw k.cu", "k.o", "k.obj", false},
	{"-ptx k.cu", "k.ptx", "=", true},
	{"-ptx -odir od sub/s.cu", "od/s.ptx", "=", false},
	{"-ptx m.cpp", "", "=", false},
	{"-ptx -o - k.cu", "", "=", false},
	{"-cubin k.cu", "k.cubin", "=", false},
	{"-cubin k.cu m.cpp", "k.cubin", "=", false},
	{"-fatbin k.cu", "k.fatbin", "=", false},
	{"-cuda k.cu", "k.cu.cpp.ii", "=", false},
	{"-optix-ir k.cu", "k.optixir", "=", false},
	{"-E k.cu", "", "=", false},
	{"-E k.cu -o e.i", "e.i", "=", false},
	{"-M k.cu", "", "=", false},
	{"-M k.cu -o m.d", "m.d", "=", false},
	{"-M k.cu -MF f.d", "f.d", "=", false},
	{"-M -MF f.d k.cu -o x.d", "x.d", "=", false},
	{"-MD -c k.cu", "k.d k.o", "k.d k.obj", true},
	{"-MD -c k.cu -o od/x.cu.o", "od/x.cu.d od/x.cu.o", "=", true},
	{"-MD -c k.cu -o od/x", "od/x od/x.d", "=", false},
	{"-MD -MF f.d -c k.cu", "f.d k.o", "f.d k.obj", false},
	{"-MMD -c k.cu -odir od", "od/k.d od/k.o", "od/k.d od/k.obj", false},
	{"-MD -ptx k.cu -o y.ptx", "y.d y.ptx", "=", false},
	{"-MD -c k.cu m.cpp", "k.d k.o m.d m.o", "k.d k.obj m.d m.obj", false},
	{"-lib k.cu", "a.a", "a.lib", true},
	{"-lib k.cu -odir od", "od/a.a", "od/a.lib", false},
	{"-lib -MD k.cu", "a.a k.d", "a.lib k.d", false},
	{"-dlink -rdc=true k.cu", "a_dlink.o", "a_dlink.obj", true},
	{"-dlink -rdc=true k.cu -odir od", "od/a_dlink.o", "od/a_dlink.obj", false},
	{"-dlink -rdc=true k.cu -o z.o", "z.o", "=", false},
	{"-dlink -cubin -rdc=true k.cu", "a_dlink.cubin", "=", false},
	{"-dlink -fatbin -rdc=true k.cu", "a_dlink.fatbin", "=", false},
	{"-r k.cu", "a.out", "a.exe", false},
	{"-x cu -c noext", "noext.o", "noext.obj", false},
	{"-c -ptx k.cu", "k.ptx", "=", false},
	{"-cubin -ptx k.cu", "k.ptx", "=", false},
	{"-c k.cu -dlink", "k.o", "k.obj", false},
	{"-c k.cu k.cu", "k.o", "k.obj", false},
	{"-clean -c k.cu", "", "=", false},
	{"--time t.csv -c k.cu", "k.o t.csv", "k.obj t.csv", false},
	{"--dryrun -c k.cu", "", "=", false},
	{"-hls=gen-lcs -o s.ld", "s.ld", "=", false},
}

func TestOutputs(t *testing.T) {
	for _, tt := range writes {
		t.Run(tt.args, func(t *testing.T) {
			i := Parse(strings.Fields(tt.args))
			if got := i.Outputs(false); !slices.Equal(got, strings.Fields(tt.linux)) {
				t.Errorf("%q on Linux writes %q, want %q", tt.args, got, tt.linux)
			}
			windows := tt.windows
			if windows == "=" {
				windows = tt.linux
			}
			if got := i.Outputs(true); !slices.Equal(got, strings.Fields(windows)) {
				t.Errorf("%q on Windows writes %q, want %q", tt.args, got, windows)
			}
		})
	}
}

// TestLinkedOutputs: what needs a whole toolkit to link, taken from dry runs.
func TestLinkedOutputs(t *testing.T) {
	for _, tt := range []struct{ args, linux, windows string }{
		{"k.cu", "a.out", "a.exe"},
		{"k.cu -odir od", "od/a.out", "od/a.exe"},
		{"-shared k.cu", "a.out", "a.exe"},
		{"-run k.cu", "a.out", "a.exe"},
		{"a.o b.a -o prog", "prog", "prog"},
		{`-dc C:\src\k.cu`, `C:\src\k.o`, "k.obj"},
	} {
		i := Parse(strings.Fields(tt.args))
		if l, w := i.Outputs(false), i.Outputs(true); !slices.Equal(l, []string{tt.linux}) || !slices.Equal(w, []string{tt.windows}) {
			t.Errorf("%q writes %q and on Windows %q, want %q and %q", tt.args, l, w, tt.linux, tt.windows)
		}
	}
}
