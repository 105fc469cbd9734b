package realbuilds

import (
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/testbed"
)

// LightGBM 4.7.0 as the package index hands it out. Three of its kernels are compiled: the whole takes a quarter of an hour.
func TestCMakeLightGBM(t *testing.T) {
	testbed.Long(t)
	for _, tt := range []struct {
		name, generator string
		build           []string // of the objects that follow
		object          string   // how the generator names an object, before the source's path
	}{
		{"Ninja", "-GNinja", []string{"ninja", "-C", "build"}, "CMakeFiles/lightgbm_objs.dir/"},
		{"Makefiles", "-GUnix Makefiles", []string{"make", "-C", "build", "-j2"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			nccl := testbed.Root(t, "nccl")
			from := filepath.Join(testbed.Root(t, "sources"), "lightgbm-4.7.0")
			testbed.Root(t, "gcc-12")
			p := copied(t, from, counted(t, testbed.Toolkit(t, "cuda-12.4")), builders(t), "NCCL_ROOT="+nccl, "CXX=g++-12", "CC=gcc-12")
			r := p.exec(t, "cmake", "-B", "build", tt.generator, "-DUSE_CUDA=ON", "-DCMAKE_CUDA_ARCHITECTURES=80", "-DBUILD_WITH_SHARED_NCCL=ON")
			p.wantOneRecordEach(t, r)
			objects := func(sources ...string) []string {
				out := tt.build
				for _, s := range sources {
					out = append(out[:len(out):len(out)], tt.object+s+".o")
				}
				return out
			}
			argv := objects("src/io/cuda/cuda_tree.cu", "src/cuda/cuda_algorithms.cu", "src/treelearner/cuda/cuda_leaf_splits.cu")
			built := p.exec(t, argv...)
			if calls := p.wantOneRecordEach(t, built); len(calls) != 3 {
				t.Errorf("want three compiles: %+v", calls)
			}
			contains(t, "the ending", ending(t, built), "3 nvcc calls (lightgbm_objs: 3)")
			message := p.breakFile(t, "src/io/cuda/cuda_tree.cu")
			one := objects("src/io/cuda/cuda_tree.cu")
			broken := p.exec(t, one...)
			wantFailure(t, broken, p.plain(t, one...), message)
			evidence(t, "exec-cmake-lightgbm-"+strings.ToLower(tt.name)+".txt", "$ cupel exec --toolkit "+p.root+" -- "+tt.build[0]+" …/cuda_tree.cu.o\n"+broken.all)
		})
	}
}
