package apt

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/sourcetest"
	"cupel/internal/version"
)

var (
	here      = resolve.Platform{OS: "linux", Arch: "amd64"}
	elsewhere = resolve.Platform{OS: "linux", Arch: "arm64"}
)

// TestSource: the suite of all sources, with the real apt and a made-up mirror.
func TestSource(t *testing.T) {
	r := withToolkit(t)
	sourcetest.Run(t, sourcetest.Harness{
		New:      func(t *testing.T) source.Source { return r.source() },
		Platform: here, Release: "12.4.1", Component: "cublas", Lacks: "cudnn", Elsewhere: elsewhere,
	})
}

// TestPlatforms: no packages are made for Windows.
func TestPlatforms(t *testing.T) {
	r := withToolkit(t)
	windows := resolve.Platform{OS: "windows", Arch: "amd64"}
	if offers, err := r.source().Offers(t.Context(), windows); err != nil || len(offers) != 0 {
		t.Errorf("Offers for windows = %v, %v", offers, err)
	}
	var none source.NoRelease
	if _, err := r.source().Resolve(t.Context(), resolve.Request{Release: version.MustParse("12.4"), Platform: windows}); !errors.As(err, &none) {
		t.Errorf("Resolve for windows = %v, want source.NoRelease", err)
	}
}

// TestLayout: what a minimal root gets of the packages, and where.
func TestLayout(t *testing.T) {
	for _, tt := range []struct {
		name, file, want string
		with             []string
		full             bool
	}{
		{name: "the compiler itself", file: "usr/lib/nvidia-cuda-toolkit/bin/nvcc", want: "bin/nvcc"},
		{name: "not what Debian puts before it", file: "usr/bin/nvcc"},
		{name: "nor its choice of gcc", file: "usr/lib/nvidia-cuda-toolkit/bin/g++"},
		{name: "nor its profile", file: "etc/nvcc.profile"},
		{name: "cicc", file: "usr/lib/nvidia-cuda-toolkit/bin/cicc", want: "nvvm/bin/cicc"},
		{name: "a tool of the compiler", file: "usr/bin/ptxas", want: "bin/ptxas"},
		{name: "disassembler, not asked", file: "usr/bin/nvdisasm"},
		{name: "disassembler, asked", file: "usr/bin/nvdisasm", with: []string{"nvdisasm"}, want: "bin/nvdisasm"},
		{name: "runtime", file: "usr/lib/x86_64-linux-gnu/libcudart_static.a", want: "targets/x86_64-linux/lib/libcudart_static.a"},
		{name: "math library, not everything", file: "usr/lib/x86_64-linux-gnu/libcublas_static.a"},
		{name: "math library, everything", file: "usr/lib/x86_64-linux-gnu/libcublas_static.a", full: true, want: "targets/x86_64-linux/lib/libcublas_static.a"},
		{name: "driver's stub", file: "usr/lib/x86_64-linux-gnu/stubs/libcuda.so", want: "targets/x86_64-linux/lib/stubs/libcuda.so"},
		{name: "another stub", file: "usr/lib/x86_64-linux-gnu/stubs/libcublas.so"},
		{name: "libnvvm", file: "usr/lib/x86_64-linux-gnu/libnvvm.so.4.0.0", want: "nvvm/lib64/libnvvm.so.4.0.0"},
		{name: "header", file: "usr/include/crt/host_config.h", want: "targets/x86_64-linux/include/crt/host_config.h"},
		{name: "licence", file: "usr/share/doc/nvidia-cuda-dev/copyright", want: "licenses/nvidia-cuda-dev/copyright"},
		{name: "no other document", file: "usr/share/doc/nvidia-cuda-dev/changelog.Debian.gz"},
		{name: "no example", file: "usr/share/doc/libcub-dev/examples/copyright"},
		{name: "out of the folder", file: "../etc/passwd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := resolve.Plan{Source: Name, Release: "12.4.1", Platform: here, Asked: tt.with, Full: tt.full}
			layout := resolve.LayoutOf(plan, resolve.Parcel{Component: "nvcc", Brings: append([]string{"nvcc", "cudart"}, tt.with...)})
			if got, ok := layout.Place("./" + tt.file); got != tt.want || ok != (tt.want != "") {
				t.Errorf("Place(%q) = %q, %t, want %q", tt.file, got, ok, tt.want)
			}
		})
	}
}

// TestGone: a mirror that is away, and a machine without sources, are said as such.
func TestGone(t *testing.T) {
	r := newRepository(t, "trixie") // nothing was published
	err := r.source().Reach(t.Context())
	var gone source.Unreachable
	if !errors.As(err, &gone) || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("Reach of a mirror that is away = %v", err)
	}
	if _, err := r.source().Offers(t.Context(), here); err == nil {
		t.Error("Offers of a mirror that is away gives no error")
	}
	r.write("etc/apt/sources.list.d/debian.sources", "")
	if err := r.source().Reach(t.Context()); !errors.As(err, &gone) || !strings.Contains(err.Error(), "no mirror is known") {
		t.Errorf("Reach without sources = %v", err)
	}
}

// TestOldList: a version that the mirror replaced since is looked for once more, and the wish fails clearly.
func TestOldList(t *testing.T) {
	r := withToolkit(t)
	src := r.source()
	plan, err := src.Resolve(t.Context(), resolve.Request{Release: version.MustParse("12.4"), Platform: here})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(r.dir, "pool")); err != nil {
		t.Fatal(err)
	}
	if _, err := src.Fetch(t.Context(), plan, plan.Parcels[0], t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "download "+plan.Parcels[0].Name) {
		t.Errorf("Fetch of a file that is gone = %v", err)
	}
}

// TestTogether: several at once use one state; apt's own lock lets one fetch the lists and the others wait.
func TestTogether(t *testing.T) {
	r := withToolkit(t)
	done := make(chan error)
	for range 4 {
		go func() {
			_, err := r.source().Resolve(t.Context(), resolve.Request{Release: version.MustParse("12.4"), Platform: here})
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Errorf("Resolve beside others: %v", err)
		}
	}
}

// TestBeside: what a package would bring here depends on what is installed, and the system's own state stays as it is.
func TestBeside(t *testing.T) {
	r := newRepository(t, "trixie")
	r.add(madePackage{suite: "trixie", area: "main", arch: "amd64", name: "g++-13", version: "13.3.0-16", depends: "libold (>= 1:2), libnew"})
	r.add(madePackage{suite: "trixie", area: "main", arch: "amd64", name: "libold", version: "1:2.1-3"})
	r.add(madePackage{suite: "trixie", area: "main", arch: "amd64", name: "libnew", version: "1.0-1"})
	r.publish("trixie", "trixie-updates")
	r.write("var/lib/dpkg/status", "Package: libold\nStatus: install ok installed\nVersion: 1:1.9-1\nArchitecture: amd64\nMaintainer: x\nDescription: x\n")
	src := r.source()
	m, err := src.Machine()
	if err != nil {
		t.Fatal(err)
	}
	key, state, err := src.Beside(m, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := state.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	steps, err := state.Simulate(t.Context(), "g++-13")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range steps {
		got = append(got, s.Name+" "+s.Old+" "+s.New)
	}
	slices.Sort(got)
	if want := []string{"g++-13  13.3.0-16", "libnew  1.0-1", "libold 1:1.9-1 1:2.1-3"}; !slices.Equal(got, want) {
		t.Errorf("Simulate = %q, want %q", got, want)
	}
	known, err := state.Show(t.Context(), "libold=1:2.1-3", "nothing-like-that")
	if err != nil || len(known) != 1 || len(known["libold"]) != 1 {
		t.Fatalf("Show = %v, %v", known, err)
	}
	again, err := src.Open(known["libold"][0].Parcel(key, "gcc", nil).Place)
	if err != nil {
		t.Fatal(err)
	}
	path, err := again.Fetch(t.Context(), known["libold"][0].Parcel(key, "gcc", nil), t.TempDir(), nil)
	if err != nil || filepath.Base(path) != "libold_2.1-3_amd64.deb" {
		t.Errorf("Fetch of a version with an epoch = %q, %v", path, err)
	}
	if _, err := src.Open("sid:x=1"); err == nil {
		t.Error("Open of a state that is none gives no error")
	}
}
