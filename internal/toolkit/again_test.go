package toolkit

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cupel/internal/resolve"
)

// clashing is a shop with a release whose headers clash with newer C libraries, and with NVIDIA's own profile.
func clashing(t *testing.T, p resolve.Platform) *shop {
	t.Helper()
	s := newShop(t, p)
	if err := writeWheel(filepath.Join(s.dir, "nvidia-cuda-nvcc.whl"), append([]string{"=bin/nvcc.profile"}, without(wheels["nvidia-cuda-nvcc"][p.Windows()], "bin/nvcc.profile")...)...); err != nil {
		t.Fatal(err)
	}
	return s
}

func without(files []string, file string) []string {
	var out []string
	for _, f := range files {
		if f != file {
			out = append(out, f)
		}
	}
	return out
}

// TestUnpackAgain: a parcel of which more is wanted than before is unpacked over the root that it is in already, whose
// profile was changed.
func TestUnpackAgain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a root for Linux needs links")
	}
	const want = `"-isystem" "$(TOP)/include"`
	i, s := newInstaller(t), clashing(t, here)
	install := func(change func(*resolve.Plan), with ...string) Outcome {
		t.Helper()
		plan := s.plan(t, here, with...)
		change(&plan)
		missing, err := i.Missing(ctx, plan)
		if err != nil {
			t.Fatal(err)
		}
		out, err := i.Install(ctx, s, plan)
		if err != nil {
			t.Fatal(err)
		}
		if got := names(missing); got != strings.Join(out.Added, ",") {
			t.Errorf("missing were %q, added %q", got, out.Added)
		}
		visible(t, i)
		text, err := os.ReadFile(filepath.Join(out.Installed.Dir, profileName))
		if err != nil || strings.Count(string(text), want) != 1 || !strings.Contains(string(text), "NVIDIA") {
			t.Errorf("the profile is %q, %v, want NVIDIA's with %s", text, err, want)
		}
		if left, _ := filepath.Glob(filepath.Join(out.Installed.Dir, "bin", "*"+asideSuffix)); len(left) > 0 {
			t.Errorf("left aside: %q", left)
		}
		return out
	}
	install(func(*resolve.Plan) {})
	out := install(func(p *resolve.Plan) { p.Full = true }, "cublas")
	if got := strings.Join(out.Added, ","); got != "nvidia-cublas" || !out.Installed.Manifest.Full {
		t.Errorf("everything after the minimum: added %q, full %t; want nvidia-cublas alone", got, out.Installed.Manifest.Full)
	}
	more := func(p *resolve.Plan) {
		for n := range p.Parcels {
			if p.Parcels[n].Name == "nvidia-cuda-nvcc" {
				p.Parcels[n].Brings = append(p.Parcels[n].Brings, "nvdisasm")
			}
		}
	}
	if out := install(more); strings.Join(out.Added, ",") != "nvidia-cuda-nvcc" {
		t.Errorf("more of one parcel: added %q", out.Added)
	}
	if out := install(more); !out.Already {
		t.Errorf("the same again: added %q", out.Added)
	}
}

func names(parcels []resolve.Parcel) string {
	var out []string
	for _, p := range parcels {
		out = append(out, p.Name)
	}
	return strings.Join(out, ",")
}
