package apt

import (
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/sourcetest"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

// TestLive: the suite of all sources with the machine's own mirror, and every release of the table.
func TestLive(t *testing.T) {
	testbed.Long(t)
	src := New(Config{State: t.TempDir()})
	if err := src.Reach(t.Context()); err != nil {
		t.Skip("needs the network: " + err.Error())
	}
	m, err := src.Machine()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range src.rows(m) {
		for _, p := range []resolve.Platform{here, elsewhere} {
			for _, full := range []bool{false, true} {
				plan, err := src.Resolve(t.Context(), resolve.Request{Release: version.MustParse(row.Release), Platform: p, Full: full})
				if err != nil {
					t.Errorf("Resolve(%s, %s, full %t): %v", row.Release, p, full, err)
					continue
				}
				t.Logf("%s %s full %t: %d packages, %d bytes to fetch, %d kept", plan.Release, p, full, len(plan.Parcels), plan.Size.Download, plan.Size.Installed)
				if plan.Size.Download == 0 || plan.Size.Installed == 0 {
					t.Errorf("Resolve(%s, %s, full %t) does not know its size: the table is older than the suite", row.Release, p, full)
				}
			}
		}
	}
	sourcetest.Run(t, sourcetest.Harness{
		New:      func(*testing.T) source.Source { return src },
		Platform: here, Release: src.rows(m)[0].Release, Component: "cublas", Lacks: "cudnn", Elsewhere: elsewhere, Few: []string{"cccl", "nvvm"},
	})
}
