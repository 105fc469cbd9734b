package choose

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// TestRealNvccUnderWine: what NVIDIA's nvcc.exe says to the calls, and what it starts cl.exe with once they are repaired.
func TestRealNvccUnderWine(t *testing.T) {
	p := testbed.Wine(t)
	testbed.Root(t, "vs")
	testbed.Root(t, "win-cuda-13.4")
	dir := folder(t, map[string]string{"k.cu": kernel, "p.cu": "#include <cuda/std/__cccl/preprocessor.h>\n" + kernel})
	nvcc := func(args ...string) (string, error) {
		cmd := p.Command(limit(t), testbed.CUDAFolder+`\v13.4\bin\nvcc.exe`, args...)
		cmd.Dir, cmd.Env = dir, append(cmd.Env, "WINEPATH="+testbed.HostX64)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	m := windows(cl("14.40", "19.40.33811", true))
	for _, tt := range []struct{ fix, call, trouble, reaches, not string }{
		// The stand-in for cl.exe has one preprocessor only: that the header is content is Microsoft's to show.
		{"zc-preprocessor", "-c p.cu", "MSVC/cl.exe with traditional preprocessor is used", "/Zc:preprocessor", ""},
		{"math-defines", "-c k.cu", "", `-D "_USE_MATH_DEFINES"`, ""},
		{"no-fpic", "-fPIC -Xcompiler -fPIC,-O2 -c k.cu", "Unknown option '-fPIC'", "-O2", "-fPIC"},
	} {
		t.Run(tt.fix, func(t *testing.T) {
			args := strings.Fields(tt.call)
			if tt.trouble != "" {
				if out, err := nvcc(args...); err == nil || !strings.Contains(out, tt.trouble) {
					t.Fatalf("nvcc.exe %q: %v\n%s\nwant %s", args, err, out, tt.trouble)
				}
			}
			args = repaired(t, m, "13.4.0", tt.fix, args...)
			out, err := nvcc(append(slices.Clone(args), "--dryrun")...)
			if err != nil || !strings.Contains(out, tt.reaches) || tt.not != "" && strings.Contains(out, tt.not) {
				t.Errorf("nvcc.exe %q --dryrun: %v\n%s\nwant %s for cl and no %q", args, err, out, tt.reaches, tt.not)
			}
		})
	}
}
