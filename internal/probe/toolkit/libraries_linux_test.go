package toolkit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/testbed"
)

// TestRealLibraries: the parts of the test bed hold compiler, runtime and headers; the mathematical libraries were left
// out of them, and Debian's stubs must not be taken for those.
func TestRealLibraries(t *testing.T) {
	none := func(more map[string]string) map[string]string {
		out := map[string]string{}
		for _, word := range strings.Fields("cublas cublaslt cufft curand cusolver cusparse nvrtc nvtx nvjpeg npp cupti nvjitlink nvml-stub cccl") {
			out[word] = "-"
		}
		for word, path := range more {
			out[word] = path
		}
		return out
	}
	pip := none(map[string]string{"cccl": "/include/cccl/thrust/version.h"})
	root := none(map[string]string{"cccl": "/include/thrust/version.h", "nvtx": "/include/nvtx3/nvToolsExt.h", "nvml-stub": "/lib64/stubs/libnvidia-ml.so"})
	debian := none(map[string]string{"cccl": "/include/thrust/version.h", "nvtx": "/include/nvtx3/nvToolsExt.h", "nvml-stub": "/lib/x86_64-linux-gnu/stubs/libnvidia-ml.so"})
	for _, tt := range []struct {
		part, below string
		want        map[string]string
	}{
		{"cuda-13.0", "/nvidia/cu13", pip}, {"cuda-13.4", "/nvidia/cu13", pip}, {"cuda-12.4", "", root}, {"cuda-11.8", "", root}, {"debian-12.4", "/usr", debian},
	} {
		t.Run(tt.part, func(t *testing.T) {
			root := testbed.Root(t, tt.part) + tt.below
			a := look.New(host.Here())
			got := map[string]string{}
			for word, f := range libraries(a, root) {
				got[word] = strings.TrimPrefix(told(f), root)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("libraries of %s (-want +got):\n%s", tt.part, diff)
			}
			if a.Processes() != 0 {
				t.Errorf("%d processes were started to read files", a.Processes())
			}
		})
	}
}
