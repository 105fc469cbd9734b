package redist_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/source/redist"
	"cupel/internal/source/sourcetest"
	"cupel/internal/version"
)

// TestDropsOfRealArchives: every archive of a real toolkit over a network that breaks each connection after 64 KiB.
func TestDropsOfRealArchives(t *testing.T) {
	for _, p := range realPlatforms() {
		t.Run(p.String(), func(t *testing.T) {
			web := sourcetest.Server(t, sourcetest.Mirror(t, p, "13.0.2"), sourcetest.Fault{DropEvery: 64 << 10})
			src := redist.New(redist.Config{Base: web.URL})
			plan, err := src.Resolve(t.Context(), resolve.Request{Release: version.MustParse("13.0"), Platform: p})
			if err != nil {
				t.Fatal(err)
			}
			for _, parcel := range plan.Parcels {
				at, err := src.Fetch(t.Context(), plan, parcel, t.TempDir(), nil)
				if err != nil {
					t.Fatal(err)
				}
				content, err := os.ReadFile(at)
				sum := sha256.Sum256(content)
				if err != nil || hex.EncodeToString(sum[:]) != parcel.SHA256 {
					t.Errorf("%s is not what the list says (%v)", parcel.File, err)
				}
			}
			t.Logf("%d archives, %d bytes, %d requests", len(plan.Parcels), plan.Size.Download, web.Requests())
			if web.Requests() < plan.Size.Download>>16 {
				t.Errorf("%d requests for %d bytes: the connections did not break", web.Requests(), plan.Size.Download)
			}
		})
	}
}
