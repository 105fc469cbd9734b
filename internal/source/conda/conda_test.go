package conda

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/sourcetest"
	"cupel/internal/unpack"
	"cupel/internal/version"
)

var (
	linux   = resolve.Platform{OS: "linux", Arch: "amd64"}
	windows = resolve.Platform{OS: "windows", Arch: "amd64"}
)

// asked is a source whose client is the stand-in, speaking one dialect.
func asked(t testing.TB, dialect, channel string) *Source {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Client: self, Channel: channel, Env: append(without(os.Environ(), "CONDA_PKGS_DIRS"), standIn+"="+dialect)})
}

func bothReleases(t testing.TB) string {
	return makeChannel(t, slices.Concat(channelParts("13.0.2", "13.0.88"), channelParts("12.9.1", "12.9.86"), []made{
		{"linux-64", "cuda-toolkit", "12.0.0", "", ""}, {"win-64", "cuda-toolkit", "12.0.0", "", ""}, // older than the table
	}))
}

// some is fewer dialects where starting a program is slow.
func some(dialects ...string) []string {
	if runtime.GOOS == "windows" {
		return dialects[1:2]
	}
	return dialects
}

func few() []string {
	if runtime.GOOS == "windows" {
		return []string{"nvcc"}
	}
	return nil
}

func TestConformance(t *testing.T) {
	channel := bothReleases(t)
	for _, dialect := range some("conda", "mamba-2.6") { // the others differ in what TestResolve looks at
		t.Run(dialect, func(t *testing.T) {
			sourcetest.Run(t, sourcetest.Harness{
				New:      func(t *testing.T) source.Source { return asked(t, dialect, channel) },
				Platform: linux, Release: "13.0.2", Component: "cublas", Elsewhere: windows, Few: few(),
			})
		})
	}
	t.Run("for windows", func(t *testing.T) {
		sourcetest.Run(t, sourcetest.Harness{
			New:      func(t *testing.T) source.Source { return asked(t, "conda", channel) },
			Platform: windows, Release: "12.9.1", Component: "cublas", Lacks: "gdb", Elsewhere: linux, Few: few(),
		})
	})
}

func TestOffers(t *testing.T) {
	channel := bothReleases(t)
	for _, dialect := range some(dialects...) {
		offers, err := asked(t, dialect, channel).Offers(context.Background(), linux)
		var got []string
		for _, o := range offers {
			got = append(got, o.Release)
		}
		if want := []string{"13.0.2", "12.9.1"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s offers %v, %v, want %v", dialect, got, err, want)
		}
		none, err := asked(t, dialect, t.TempDir()).Offers(context.Background(), linux)
		if err != nil || len(none) > 0 {
			t.Errorf("%s offers %v, %v of an empty channel", dialect, none, err)
		}
	}
}

// TestResolve: only the toolkit's own packages come out of a solution, wherever the client tells about them.
func TestResolve(t *testing.T) {
	channel := bothReleases(t)
	for _, dialect := range some(dialects...) {
		plan, err := asked(t, dialect, channel).Resolve(context.Background(), resolve.Request{Release: version.MustParse("13.0"), Platform: linux, With: []string{"cublas"}})
		if err != nil {
			t.Errorf("%s: %v", dialect, err)
			continue
		}
		var got []string
		for _, p := range plan.Parcels {
			got = append(got, p.Name)
			if p.Format != resolve.Conda || !strings.HasPrefix(p.Place, "file://") || p.License == "" {
				t.Errorf("%s: parcel %+v", dialect, p)
			}
		}
		want := strings.Fields("cuda-nvcc-tools cuda-nvcc-dev_linux-64 cuda-crt-tools cuda-crt-dev_linux-64 cuda-nvvm-tools cuda-nvvm-impl cuda-cudart-dev_linux-64 " +
			"cuda-cudart_linux-64 cuda-cudart-static_linux-64 cuda-driver-dev_linux-64 cuda-cccl_linux-64 libcublas libcublas-dev")
		if !slices.Equal(got, want) || plan.Release != "13.0.2" || plan.Size.Download == 0 {
			t.Errorf("%s: release %s, %d bytes, parcels\n%v, want\n%v", dialect, plan.Release, plan.Size.Download, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	full := bothReleases(t)
	partial := makeChannel(t, slices.DeleteFunc(channelParts("13.0.2", "13.0.88"), func(m made) bool { return m.name == "cuda-nvvm-impl" }))
	for _, tt := range []struct {
		name, channel, release string
		platform               resolve.Platform
		want                   string
	}{
		{"a release that the channel does not have", full, "13.1", linux, "conda has no CUDA 13.1 for linux-x86_64: it has 13.0.2 and 12.9.1"},
		{"an update that it does not have", full, "13.0.1", linux, "conda has no CUDA 13.0.1 for linux-x86_64"},
		{"a release before the table", full, "12.0", linux, "conda has no CUDA 12.0 for linux-x86_64: it has 13.0.2 and 12.9.1"},
		{"no packages for the platform", full, "13.0", resolve.Platform{OS: "windows", Arch: "arm64"}, "conda has no CUDA 13.0 for windows-arm64"},
		{"a package is missing", partial, "13.0", linux, "create: nothing provides requested cuda-nvvm-impl"},
	} {
		for _, dialect := range some("conda", "micromamba") { // each kind of refusal
			t.Run(tt.name+" "+dialect, func(t *testing.T) {
				_, err := asked(t, dialect, tt.channel).Resolve(context.Background(), resolve.Request{Release: version.MustParse(tt.release), Platform: tt.platform})
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want %q", err, tt.want)
				}
			})
		}
	}
}

func TestFetchFailures(t *testing.T) {
	channel := bothReleases(t)
	s := asked(t, "micromamba", channel)
	plan, err := s.Resolve(context.Background(), resolve.Request{Release: version.MustParse("13.0"), Platform: linux})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		with func(*resolve.Parcel)
		want string
	}{
		{"gone from the channel", func(p *resolve.Parcel) { p.Place = fileURL(filepath.Join(channel, "none.conda")) }, "fetch cuda-nvcc-tools: "},
		{"no address", func(p *resolve.Parcel) { p.Place = "" }, "does not say where it is"},
		{"a path for a name", func(p *resolve.Parcel) { p.File = "../x.conda" }, "does not say where it is"},
		{"another file than promised", func(p *resolve.Parcel) { p.File = "other.conda" }, "there is no other.conda"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, dir := plan.Parcels[0], t.TempDir()
			tt.with(&p)
			at, err := s.Fetch(context.Background(), plan, p, dir, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Fetch gave %s, %v, want %q", at, err, tt.want)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestNoClient(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, v := range variables {
		t.Setenv(v, "")
	}
	var unreachable source.Unreachable
	if err := New(Config{}).Reach(context.Background()); !errors.As(err, &unreachable) || unreachable.Next == "" {
		t.Errorf("Reach without a client: %v, want Unreachable with a next step", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CONDA_EXE", self)
	if got, err := New(Config{}).client(); got != self {
		t.Errorf("client is %q, %v, want CONDA_EXE's %q", got, err, self)
	}
	t.Setenv("MAMBA_EXE", filepath.Join(t.TempDir(), "gone"))
	if got, err := New(Config{}).client(); got != self {
		t.Errorf("client is %q, %v, want CONDA_EXE's %q, because MAMBA_EXE's is gone", got, err, self)
	}
}

func TestEnv(t *testing.T) {
	base := []string{"PATH=x", "conda_subdir=old", "CONDA_OVERRIDE_CUDA=11", "CONDA_PKGS_DIRS=mine"}
	got := call{platform: windows, release: "13.0"}.env(base)
	want := []string{"PATH=x", "CONDA_PKGS_DIRS=mine", "CONDA_SUBDIR=win-64", "MAMBA_NO_BANNER=1", "CONDA_OVERRIDE_CUDA=13.0"}
	if !slices.Equal(got, want) {
		t.Errorf("with the user's cache: %q, want %q", got, want)
	}
	if got := (call{platform: linux, hurry: true}).env(base); !slices.Contains(got, "CONDA_REMOTE_MAX_RETRIES=1") || !slices.Contains(got, "MAMBA_REMOTE_CONNECT_TIMEOUT_SECS=3") {
		t.Errorf("env of a question that must not wait = %q", got)
	}
	got = call{platform: windows, packages: "own"}.env(base)
	want = []string{"PATH=x", "CONDA_SUBDIR=win-64", "MAMBA_NO_BANNER=1", "CONDA_PKGS_DIRS=own"}
	if !slices.Equal(got, want) {
		t.Errorf("with an own cache: %q, want %q", got, want)
	}
}

// TestRoot: the parcels of a plan lie in one root without being in each other's way: links stay within it, and licences
// that several packages bring are one file.
func TestRoot(t *testing.T) {
	s := asked(t, "micromamba", bothReleases(t))
	platforms := []resolve.Platform{windows, linux}
	if runtime.GOOS == "windows" { // and links cannot be made everywhere
		platforms = platforms[:1]
	}
	for _, platform := range platforms {
		t.Run(platform.String(), func(t *testing.T) {
			plan, err := s.Resolve(t.Context(), resolve.Request{Release: version.MustParse("13.0"), Platform: platform})
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			for _, p := range plan.Parcels {
				at, err := s.Fetch(t.Context(), plan, p, t.TempDir(), nil)
				if err != nil {
					t.Fatal(err)
				}
				place := resolve.LayoutOf(plan, p).Place
				if _, err := unpack.Unpack(t.Context(), at, root, unpack.Options{Format: p.Format, Place: place, NoLinks: platform.Windows()}); err != nil {
					t.Fatalf("unpack %s: %v", p.File, err)
				}
			}
			want := []string{"bin/nvcc", "nvvm/bin/cicc", "targets/x86_64-linux/lib/libcudart.so.13", "targets/x86_64-linux/lib/stubs/libcuda.so", "licenses/nvcc/LICENSE"}
			if platform.Windows() {
				want = []string{"bin/nvcc.exe", "bin/cudart64_13.dll", "nvvm/bin/cicc.exe", "include/cccl/nv/target", "lib/x64/cudart.lib", "lib/x64/cmake/cccl.cmake", "licenses/nvcc/LICENSE"}
			}
			for _, w := range want {
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(w))); err != nil {
					t.Errorf("the root has no %s: %v", w, err)
				}
			}
			for _, w := range []string{"lib/pkgconfig", "info"} {
				if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(w))); err == nil {
					t.Errorf("the root has conda's own %s", w)
				}
			}
		})
	}
}
