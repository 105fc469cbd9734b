package diagnose

import (
	"strings"
	"testing"
)

// TestArchAlternatives: where the tables say that a release dropped an architecture, it cannot be too new for it; a release
// that cupel cannot install is not offered; an architecture of no release is not said to have come with one.
func TestArchAlternatives(t *testing.T) {
	set := whole(t)
	const built = "Cuda compilation tools, release 13.0, V13.0.88\n"
	for _, tt := range []struct {
		arch, label, why string
		install          string // part of the command that is offered; empty: none is
	}{
		{"sm_30", "arch-dropped-by-toolkit", "CUDA 10.2 was the last", ""},
		{"sm_60", "arch-dropped-by-toolkit", "CUDA 12.9 was the last", "cupel toolkit install 12.9"},
		{"sm_999", "arch-newer-than-toolkit", "sm_999 stands in no release that cupel knows", ""},
	} {
		t.Run(tt.arch, func(t *testing.T) {
			f := answer(t, set, built+"nvcc fatal   : Unsupported gpu architecture '"+tt.arch+"'\n", "linux").Findings[0]
			install := ""
			for _, n := range f.Next {
				if strings.HasPrefix(n.Command, "cupel toolkit install") {
					install = n.Command
				}
			}
			if f.Label != tt.label || !strings.Contains(f.Why, tt.why) || install != tt.install || len(f.Alternatives) != 0 && tt.label == "arch-dropped-by-toolkit" {
				t.Errorf("%s: %s, why %q, install %q, alternatives %+v", tt.arch, f.Label, f.Why, install, f.Alternatives)
			}
		})
	}
}
