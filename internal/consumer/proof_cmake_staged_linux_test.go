package consumer

import (
	"os"
	"path/filepath"
	"testing"
)

// staged are machines on which two steps of CMake's search point to two toolkits, so that their order shows.
// Made-up machines out of a seed meet such a pair too rarely.
var staged = []struct {
	name string
	kits []string
	mark map[string]string // root without nvcc → version file
	env  map[string]string
	path []string
	cc   string
}{
	{name: "PATH before CUDA_PATH", kits: []string{"/srv/a", "/srv/b"}, env: map[string]string{"CUDA_PATH": "/srv/a"}, path: []string{"/srv/b/bin"}},
	{name: "CUDA_PATH alone", kits: []string{"/srv/a"}, env: map[string]string{"CUDA_PATH": "/srv/a"}, path: []string{"/none"}},
	{name: "CUDA_PATH before the usual folder", kits: []string{"/srv/a", "/usr/local/cuda"}, env: map[string]string{"CUDA_PATH": "/srv/a"}, path: []string{"/none"}},
	{name: "system folders before CUDA_PATH", kits: []string{"/srv/a", "/usr/local"}, env: map[string]string{"CUDA_PATH": "/srv/a"}, path: []string{"/none"}},
	{name: "/opt is a system folder", kits: []string{"/srv/a", "/opt"}, env: map[string]string{"CUDA_PATH": "/srv/a"}, path: []string{"/none"}},
	{name: "beside the C compiler before PATH", kits: []string{"/usr", "/srv/b"}, path: []string{"/srv/b/bin", "/usr/bin"}, cc: "/usr/bin"},
	{name: "beside a C compiler that is off PATH", kits: []string{"/usr", "/srv/b"}, path: []string{"/srv/b/bin"}, cc: "/usr/bin"},
	{name: "without a C compiler PATH decides", kits: []string{"/usr", "/srv/b"}, path: []string{"/srv/b/bin", "/usr/bin"}},
	{name: "CUDACXX before everything", kits: []string{"/usr", "/srv/a", "/srv/b"}, env: map[string]string{"CUDACXX": "/srv/a/bin/nvcc", "CUDAToolkit_ROOT": "/srv/b"}, path: []string{"/srv/b/bin", "/usr/bin"}, cc: "/usr/bin"},
	{name: "CUDACXX by name", kits: []string{"/srv/a", "/srv/b"}, env: map[string]string{"CUDACXX": "nvcc", "CUDA_PATH": "/srv/a"}, path: []string{"/srv/b/bin"}},
	{name: "CUDACXX leads nowhere", kits: []string{"/srv/b"}, env: map[string]string{"CUDACXX": "/gone/bin/nvcc"}, path: []string{"/srv/b/bin"}},
	{name: "CUDACXX is empty", kits: []string{"/srv/b"}, env: map[string]string{"CUDACXX": ""}, path: []string{"/srv/b/bin"}},
	{name: "CUDAToolkit_ROOT before PATH", kits: []string{"/srv/a", "/srv/b"}, env: map[string]string{"CUDAToolkit_ROOT": "/srv/a"}, path: []string{"/srv/b/bin"}},
	{name: "CUDAToolkit_ROOT leads nowhere, PATH has one", kits: []string{"/srv/b"}, env: map[string]string{"CUDAToolkit_ROOT": "/gone"}, path: []string{"/srv/b/bin"}},
	{name: "CUDAToolkit_ROOT leads nowhere, the usual folder has one", kits: []string{"/usr/local/cuda"}, env: map[string]string{"CUDAToolkit_ROOT": "/gone"}, path: []string{"/none"}},
	{name: "CUDAToolkit_ROOT holds a version file only", mark: map[string]string{"/srv/a": "version.json"}, kits: []string{"/srv/b"}, env: map[string]string{"CUDAToolkit_ROOT": "/srv/a"}, path: []string{"/srv/b/bin"}},
	{name: "CMAKE_PREFIX_PATH before PATH", kits: []string{"/srv/a", "/srv/b"}, env: map[string]string{"CMAKE_PREFIX_PATH": "/gone:/srv/a"}, path: []string{"/srv/b/bin"}},
	{name: "CUDA_HOME is not read", kits: []string{"/srv/a", "/srv/b"}, env: map[string]string{"CUDA_HOME": "/srv/a"}, path: []string{"/srv/b/bin"}},
	{name: "a root on PATH instead of its bin", kits: []string{"/srv/b"}, path: []string{"/srv/b"}},
	{name: "the usual folder before the newest", kits: []string{"/usr/local/cuda", "/usr/local/cuda-13.0"}, path: []string{"/none"}},
	{name: "the newest by number, not by letters", kits: []string{"/usr/local/cuda-9.2", "/usr/local/cuda-12.4", "/usr/local/cuda-11.8"}, path: []string{"/none"}},
	{name: "a version file where no nvcc is", mark: map[string]string{"/usr/local/cuda-12.4": "version.txt"}, path: []string{"/none"}},
	{name: "version.json counts in newer ones", mark: map[string]string{"/usr/local/cuda-12.4": "version.json"}, path: []string{"/none"}},
	{name: "a root with a space", kits: []string{"/srv/my cuda"}, env: map[string]string{"CUDACXX": "/srv/my cuda/bin/nvcc", "CUDA_PATH": "/srv/my cuda"}, path: []string{"/none"}},
}

// stage builds one of these machines.
func stage(t *testing.T, dir, nvcc string, i int) *tree {
	t.Helper()
	s := staged[i]
	tr := &tree{dir: dir, env: map[string]string{}, pathDirs: s.path, releases: map[string]string{}}
	tr.clear(t)
	for name, value := range s.env {
		tr.env[name] = value
	}
	tr.setPath()
	for _, root := range s.kits {
		tr.add(t, nvcc, kit{root: root, release: "12.4", nvcc: true, header: true, profile: true})
	}
	for root, file := range s.mark {
		tr.add(t, nvcc, kit{root: root, marker: file})
	}
	must(t, os.RemoveAll(filepath.Join(dir, "usr/bin/cc")))
	if s.cc != "" {
		must(t, os.Link(nvcc, filepath.Join(dir, s.cc, "cc")))
		tr.text = append(tr.text, s.cc+"/cc")
	}
	return tr
}
