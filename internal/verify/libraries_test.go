package verify_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/verify"
)

// unlooked makes the machine one of a snapshot from before libraries were looked for.
func unlooked(in *verify.Input) {
	t := in.Machine.Toolkits[0]
	t.Libraries = nil
	in.Machine.Toolkits = []fact.Toolkit{t}
}

// TestToolkitLibraries: there, under a name that does not link, not there, and not told are four answers.
func TestToolkitLibraries(t *testing.T) {
	link := func(path string) fact.Fact[fact.Link] { return fact.Of(fact.Link{Path: path}, "") }
	shared := func(path string) fact.Fact[fact.Link] { return fact.Of(fact.Link{Shared: path}, "") }
	none := fact.None[fact.Link]("")
	shut := fact.Bad[fact.Link]("/opt/x/lib64", errors.New("permission denied"))
	for _, tt := range []struct {
		name, host, words string
		libs              map[string]fact.Fact[fact.Link]
		want              verify.Status
		found, why        string
	}{
		{"there", ci, `"cufft", "nvtx"`, map[string]fact.Fact[fact.Link]{"cufft": link("/l/libcufft.so"), "nvtx": link("/i/nvtx3/nvToolsExt.h")}, verify.Pass, "all of them", ""},
		{"one is missing", ci, `"nvcc", "cufft"`, map[string]fact.Fact[fact.Link]{"cufft": none}, verify.Fail,
			"lacks cufft", "the contract needs it from the toolkit in /usr/local/cuda-12.4"},
		{"only the shared library", ci, `"cufft"`, map[string]fact.Fact[fact.Link]{"cufft": shared("/l/libcufft.so.11")}, verify.Fail,
			"cannot link cufft", "the contract needs it from the toolkit in /usr/local/cuda-12.4; only the shared library libcufft.so.11 is there, not the name that the linker takes"},
		{"only the DLL", win, `"curand"`, map[string]fact.Fact[fact.Link]{"curand": shared(`C:\x\bin\x86_64\curand64_10.dll`)}, verify.Fail,
			"cannot link curand", "only the shared library curand64_10.dll is there, not the import library that the linker takes"},
		{"everything at once", ci, `"npp", "cufft", "cublas", "nvrtc", "nvcc"`,
			map[string]fact.Fact[fact.Link]{"npp": none, "cufft": shared("/l/libcufft.so.11"), "cublas": shared("/l/libcublas.so.12"), "nvrtc": shut}, verify.Fail,
			"lacks npp and cannot link cufft, cublas", "the contract needs them from the toolkit in /usr/local/cuda-12.4; only the shared libraries libcufft.so.11, libcublas.so.12 are there, " +
				"not the names that the linker takes. The probe cannot tell: nvrtc"},
		{"a folder could not be looked at", ci, `"nvrtc"`, map[string]fact.Fact[fact.Link]{"nvrtc": shut}, verify.Skipped, "", "the probe cannot tell: nvrtc"},
		{"a word that the snapshot does not have", ci, `"nvcc", "cufft"`, map[string]fact.Fact[fact.Link]{"npp": none}, verify.Pass, "all that can be told", "the probe cannot tell: cufft"},
		{"an old snapshot knows cuBLAS", ci, `"cublas", "nvtx"`, nil, verify.Pass, "all that can be told", "the probe cannot tell: nvtx"},
		{"an old snapshot without cuBLAS", "conda", `"cublas"`, nil, verify.Fail, "lacks cublas", "the contract needs it"},
		{"an old snapshot knows CCCL since 13", "ubuntu-l4", `"cccl"`, nil, verify.Pass, "all of them", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := input(t, tt.host, "[toolkit]\ncomponents = ["+tt.words+"]\n")
			in.Machine.Toolkits = slices.Clone(in.Machine.Toolkits) // other tests see the same machine
			for i := range in.Machine.Toolkits {
				in.Machine.Toolkits[i].Libraries = tt.libs
			}
			c := find(verify.Judge(in).Findings, "toolkit-components")
			if c == nil || c.Status != tt.want || c.Found != tt.found || !strings.Contains(c.Why, tt.why) || tt.why == "" && c.Why != "" {
				t.Errorf("%s of %s: %+v\nwant %s, found %q, why %q", tt.words, tt.host, c, tt.want, tt.found, tt.why)
			}
		})
	}
}

// TestLibrariesOfHosts: what the probe tells of real and recorded toolkits reaches the check.
func TestLibrariesOfHosts(t *testing.T) {
	const all = "[toolkit]\ncomponents = [\"cublas\", \"cublaslt\", \"cufft\", \"curand\", \"cusolver\", \"cusparse\", \"nvrtc\", \"nvtx\", \"nvjpeg\", \"npp\", \"cupti\", \"nvml-stub\", \"cccl\"]\n"
	for _, tt := range []struct {
		host string
		want verify.Status
	}{
		{"ubuntu-l4", verify.Pass}, {five, verify.Pass}, {"wsl2-rtx4090", verify.Pass}, {win, verify.Pass}, {ci, verify.Pass}, {"h200-server", verify.Pass},
		{"container-gpu", verify.Pass}, {"jetson-orin", verify.Pass}, {"conda", verify.Fail},
	} {
		t.Run(tt.host, func(t *testing.T) {
			if c := find(verify.Judge(input(t, tt.host, all)).Findings, "toolkit-components"); c == nil || c.Status != tt.want {
				t.Errorf("%+v, want %s", c, tt.want)
			}
		})
	}
}
