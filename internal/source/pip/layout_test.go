package pip

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"cupel/internal/resolve"
)

// leftOut are the files that no toolkit needs: Python's own, leftovers of NVIDIA's build, pages, a second copy.
var leftOut = regexp.MustCompile(`\.dist-info/(METADATA|RECORD|WHEEL|top_level\.txt)$|/\.metadata/|/compute-sanitizer/docs/|/lib/libsanitizer-collection\.so$`)

// places are where a CUDA root has files.
var places = map[bool][]string{
	false: {"bin/*", "bin/crt/*", "nvvm/bin/*", "nvvm/lib64/*", "nvvm/include/*", "nvvm/libdevice/*", "targets/*/include/**", "targets/*/lib/**", "licenses/*/*", "compute-sanitizer/**"},
	true: {"bin/*", "bin/crt/*", "bin/x64/*", "bin/arm64/*", "nvvm/bin/*", "nvvm/bin/x64/*", "nvvm/bin/arm64/*", "nvvm/include/*", "nvvm/libdevice/*", "include/**",
		"lib/x64/*", "lib/arm64/*", "lib/Win32/*", "lib/cmake/**", "licenses/*/*", "compute-sanitizer/**"},
}

// TestLayout: every file of every wheel has a place in the root or is left out on purpose, and no two have the same.
func TestLayout(t *testing.T) {
	text, err := os.ReadFile("testdata/wheels.txt")
	if err != nil {
		t.Fatal(err)
	}
	var layout resolve.Layout
	var platform resolve.Platform
	var word string
	taken := map[string]string{}
	files := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		name, isFile := strings.CutPrefix(line, "  ")
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case !isFile:
			p, w, _ := strings.Cut(line, " ")
			if platform, err = resolve.ParsePlatform(p); err != nil {
				t.Fatal(err)
			}
			word = w
			layout = resolve.LayoutOf(resolve.Plan{Source: sourceName, Release: "13.4.3", Platform: platform}, resolve.Parcel{Component: word})
			continue
		}
		files++
		to, ok := layout.Place(name)
		if ok == leftOut.MatchString(name) {
			t.Errorf("%s %s: Place(%s) = %q, %t", platform, word, name, to, ok)
		}
		if ok && !hasPlace(to, platform) {
			t.Errorf("%s %s: %s goes to %s, where no root has files", platform, word, name, to)
		}
		// The same wheel has a file in different folders in different releases; different wheels must not share one.
		if owner := taken[platform.String()+to]; ok && owner != "" && owner != word {
			t.Errorf("%s: %s of %s goes to %s, which %s has", platform, name, word, to, owner)
		}
		taken[platform.String()+to] = word
	}
	if files < 500 {
		t.Errorf("only %d names were looked at", files)
	}
}

func hasPlace(to string, p resolve.Platform) bool {
	for _, pattern := range places[p.Windows()] {
		if dir, ok := strings.CutSuffix(pattern, "/**"); ok {
			parts := strings.Split(to, "/")
			n := strings.Count(dir, "/") + 1
			if fits, _ := path.Match(dir, strings.Join(parts[:min(n, len(parts))], "/")); fits && len(parts) > n {
				return true
			}
		}
		if fits, _ := path.Match(pattern, to); fits {
			return true
		}
	}
	return false
}

func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		platform   resolve.Platform
		word, name string
		want       string
	}{
		{linux, "nvcc", "nvidia/cu13/bin/crt/link.stub", "bin/crt/link.stub"},
		{linux, "cudart", "nvidia/cu13/lib/libcudart.so.13", "targets/x86_64-linux/lib/libcudart.so.13"},
		{arm, "cudart", "nvidia/cu13/include/cuda_runtime.h", "targets/sbsa-linux/include/cuda_runtime.h"},
		{linux, "nvvm", "nvidia/cu13/lib/libnvvm.so.4", "nvvm/lib64/libnvvm.so.4"},
		{linux, "nvvm", "nvidia/cu13/include/nvvm.h", "nvvm/include/nvvm.h"},
		{linux, "nvvm", "nvidia_nvvm-13.0.88.dist-info/licenses/License.txt", "licenses/nvvm/License.txt"},
		{linux, "cccl", "nvidia/cu13/cccl/lib/cmake/cub/cub-config.cmake", "targets/x86_64-linux/lib/cmake/cub/cub-config.cmake"},
		{linux, "cccl", "nvidia/cu13/cuda_cccl/lib/cmake/cub/cub-config.cmake", "targets/x86_64-linux/lib/cmake/cub/cub-config.cmake"},
		{linux, "sanitizer", "nvidia/cu13/include/generated_cuda_meta.h", "compute-sanitizer/include/generated_cuda_meta.h"},
		{linux, "cupti", "nvidia/cu13/include/generated_cuda_meta.h", "targets/x86_64-linux/include/generated_cuda_meta.h"},
		{linux, "cudnn", "nvidia/cudnn/lib/libcudnn.so.9", "targets/x86_64-linux/lib/libcudnn.so.9"},
		{windows, "cublas", "nvidia/cu13/bin/x86_64/cublas64_13.dll", "bin/x64/cublas64_13.dll"},
		{windows, "nvvm", "nvidia/cu13/bin/x86_64/nvvm64_40_0.dll", "nvvm/bin/x64/nvvm64_40_0.dll"},
		{windows, "cudart", "nvidia/cu13/lib/x64/cudart.lib", "lib/x64/cudart.lib"},
		{windows, "cudnn", "nvidia/cudnn/bin/cudnn64_9.dll", "bin/x64/cudnn64_9.dll"},
		{winARM, "cublas", "nvidia/cu13/bin/arm64/cublas64_13.dll", "bin/arm64/cublas64_13.dll"},
		{winARM, "crt", "nvidia/cu13/include/crt/host_config.h", "include/crt/host_config.h"},
		{linux, "nvcc", "nvidia/__init__.py", ""},
		{linux, "nvcc", "evil.pth", ""},
	} {
		layout := resolve.LayoutOf(resolve.Plan{Source: sourceName, Release: "13.0.3", Platform: tt.platform}, resolve.Parcel{Component: tt.word})
		if got, _ := layout.Place(tt.name); got != tt.want {
			t.Errorf("%s %s: Place(%s) = %q, want %q", tt.platform, tt.word, tt.name, got, tt.want)
		}
	}
}
