package toolkit

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/testbed"
)

// TestRealToolkits reads the real thing: what was unpacked from pip and Debian.
func TestRealToolkits(t *testing.T) {
	for _, tt := range []struct {
		part, release, nvcc, origin string
		gcc                         int
		missing                     []string
	}{
		{"cuda-13.0", "13.0", "13.0.88", "pip", 15, []string{fact.PartCudart, fact.PartStub, fact.PartLib64}},
		{"cuda-13.4", "13.4", "13.4.", "pip", 16, []string{fact.PartCudart, fact.PartStub, fact.PartLib64}},
		{"cuda-12.4", "12.4.1", "12.4.131", "unknown", 13, nil},
		{"cuda-11.8", "11.8.0", "11.8.89", "unknown", 11, nil},
	} {
		t.Run(tt.part, func(t *testing.T) {
			root := testbed.Toolkit(t, tt.part)
			a := look.New(host.Here())
			got := Survey(context.Background(), a, []Candidate{{Root: root, How: "test", Env: siteOf(a, root)}})
			if len(got) != 1 {
				t.Fatalf("no toolkit in %s", root)
			}
			k := got[0]
			if !strings.HasPrefix(k.Release.Value, tt.release) || !strings.HasPrefix(k.Nvcc.Value, tt.nvcc) || k.Ptxas.Value != k.Nvcc.Value || k.Origin != tt.origin {
				t.Errorf("release %q nvcc %q ptxas %q origin %q, want %q %q %q", k.Release.Value, k.Nvcc.Value, k.Ptxas.Value, k.Origin, tt.release, tt.nvcc, tt.origin)
			}
			if k.Bounds.Value.GCCMax != tt.gcc || !cmp.Equal(k.Missing, tt.missing) {
				t.Errorf("gcc up to %d, missing %q, want %d, %q", k.Bounds.Value.GCCMax, k.Missing, tt.gcc, tt.missing)
			}
			if a.Processes() != 0 {
				t.Errorf("%d processes were started to read files", a.Processes())
			}
		})
	}
}

// TestRealDistribution reads Debian's own packages as a root file system would hold them below usr.
func TestRealDistribution(t *testing.T) {
	root := testbed.Root(t, "debian-12.4") + "/usr"
	got := Survey(context.Background(), look.New(host.Here()), []Candidate{{Root: root, How: "test"}})
	if len(got) != 1 || got[0].Nvcc.Value != "12.4.131" || len(got[0].Missing) > 0 || len(got[0].OwnGCC) < 2 || got[0].OwnGCC[0] != "gcc-13" {
		t.Errorf("toolkits = %+v, want 12.4.131, whole, with gcc-13 first", got)
	}
}
