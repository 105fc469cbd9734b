package pip

import (
	"path/filepath"
	"runtime"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/sourcetest"
	"cupel/internal/testbed"
)

// TestSuiteUV is the suite with the real uv.
func TestSuiteUV(t *testing.T) {
	testbed.Long(t)
	if runtime.GOOS != "linux" {
		t.Skip("no uv here")
	}
	uv := filepath.Join(testbed.Root(t, "uv"), "bin", "uv")
	src := New(Config{Env: small(t).env(), UV: uv})
	sourcetest.Run(t, sourcetest.Harness{
		New: func(*testing.T) source.Source { return src }, Platform: linux, Release: "13.0.7", Component: "cublas", Lacks: "gdb", Elsewhere: windows, Unsummed: true,
	})
}

// live is the source with the user's own settings.
func live(t *testing.T) *Source {
	t.Helper()
	if testing.Short() {
		t.Skip("reads the package index and downloads wheels")
	}
	src := New(Config{})
	if err := src.Reach(t.Context()); err != nil {
		t.Skip("the package index cannot be reached")
	}
	return src
}

// TestLive: the real index has 13.0 and 13.4 for every platform, with checksums, and small wheels of each come.
func TestLive(t *testing.T) {
	src := live(t)
	for _, tt := range []struct {
		release  string
		platform resolve.Platform
		parcels  int
		with     []string
	}{
		{"13.0", linux, 9, []string{"cublas", "nvjitlink", "cudnn"}},
		{"13.0", arm, 9, []string{"cublas", "nvjitlink", "cudnn"}},
		{"13.0", windows, 7, []string{"nvjitlink", "nvfatbin"}},
		{"13.4", winARM, 7, []string{"tileiras"}}, // which wants nvjitlink,
		{"13.4", linux, 6, []string{"nvdisasm"}},
	} {
		t.Run(tt.release+" "+tt.platform.String(), func(t *testing.T) {
			plan, err := src.Resolve(t.Context(), request(tt.release, tt.platform, tt.with...))
			if err != nil || len(plan.Parcels) != tt.parcels {
				t.Fatalf("Resolve = %d parcels, %v, want %d", len(plan.Parcels), err, tt.parcels)
			}
			for _, p := range plan.Parcels {
				if p.SHA256 == "" || p.File == "" {
					t.Errorf("%s has no checksum: %+v", p.Name, p)
				}
				if p.Component != "crt" {
					continue
				}
				if path, err := src.Fetch(t.Context(), plan, p, t.TempDir(), nil); err != nil || sum(path) != p.SHA256 {
					t.Errorf("Fetch of %s = %s, %v", p.Name, path, err)
				}
			}
		})
	}
	plan, err := src.Resolve(t.Context(), full("13.4", linux))
	if err != nil || len(plan.Parcels) != 26 {
		t.Errorf("everything of 13.4 is %d parcels, %v, want 26", len(plan.Parcels), err)
	}
}
