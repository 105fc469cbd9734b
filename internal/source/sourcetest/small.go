package sourcetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupel/internal/resolve"
	"cupel/internal/version"
)

// made is a component of a made-up release: its files for Linux and for Windows, each with its own name as text.
type made struct {
	name        string
	first, last string // X.Y
	linux       string
	windows     string
}

// smallParts are those of a small mirror. Before 13.0 the compiler's archive held what is apart since then.
var smallParts = []made{
	{name: "cuda_nvcc", last: "12.9", linux: "LICENSE bin/nvcc bin/ptxas bin/nvlink bin/fatbinary bin/cudafe++ bin/nvcc.profile include/crt/host_config.h include/fatbinary_section.h " +
		"nvvm/bin/cicc nvvm/libdevice/libdevice.10.bc nvvm/lib64/libnvvm.so.4.0.0 lib/libnvptxcompiler_static.a",
		windows: "LICENSE bin/nvcc.exe bin/ptxas.exe bin/nvlink.exe bin/fatbinary.exe bin/cudafe++.exe bin/nvcc.profile include/crt/host_config.h include/fatbinary_section.h nvvm/bin/cicc.exe nvvm/libdevice/libdevice.10.bc lib/x64/nvptxcompiler_static.lib"},
	{name: "cuda_nvcc", first: "13.0", linux: "LICENSE bin/nvcc bin/ptxas bin/nvlink bin/fatbinary bin/cudafe++ bin/nvcc.profile include/fatbinary_section.h",
		windows: "LICENSE bin/nvcc.exe bin/ptxas.exe bin/nvlink.exe bin/fatbinary.exe bin/cudafe++.exe bin/nvcc.profile include/fatbinary_section.h"},
	{name: "cuda_crt", first: "13.0", linux: "LICENSE include/crt/host_config.h", windows: "LICENSE include/crt/host_config.h"},
	{name: "libnvvm", first: "13.0", linux: "LICENSE nvvm/bin/cicc nvvm/libdevice/libdevice.10.bc nvvm/lib64/libnvvm.so.4.0.0", windows: "LICENSE nvvm/bin/cicc.exe nvvm/bin/x64/nvvm64_40_0.dll nvvm/libdevice/libdevice.10.bc"},
	{name: "cuda_cudart", linux: "LICENSE include/cuda_runtime.h include/cuda.h lib/libcudart.so.<V> lib/libcudart.so.<X>=libcudart.so.<V> lib/libcudart.so=libcudart.so.<X> lib/libcudart_static.a lib/libcudadevrt.a lib/stubs/libcuda.so pkg-config/cudart-<X>.<Y>.pc",
		windows: "LICENSE include/cuda_runtime.h include/cuda.h bin/x64/cudart64_<X>.dll lib/x64/cudart.lib lib/x64/cudart_static.lib lib/x64/cudadevrt.lib lib/x64/cuda.lib"},
	{name: "cuda_cccl", last: "13.2", linux: "LICENSE include/cccl/cub/cub.cuh include/nv/target", windows: "LICENSE include/cccl/cub/cub.cuh include/nv/target"},
	{name: "cccl", first: "13.3", linux: "LICENSE include/cccl/cub/cub.cuh include/nv/target", windows: "LICENSE include/cccl/cub/cub.cuh include/nv/target"},
	{name: "libcublas", linux: "LICENSE include/cublas_v2.h lib/libcublas.so.<V> lib/libcublas.so.<X>=libcublas.so.<V> lib/libcublas.so=libcublas.so.<X>", windows: "LICENSE include/cublas_v2.h bin/x64/cublas64_<X>.dll lib/x64/cublas.lib"},
	{name: "cuda_cupti", linux: "LICENSE include/cupti.h lib/libcupti.so.<V> samples/README", windows: "LICENSE include/cupti.h lib/cupti64_<X>.dll lib/cupti.lib samples/README"},
	{name: "cuda_sandbox_dev", linux: "LICENSE include/sandbox.h"}, // has no word
	{name: "nvidia_driver", linux: "LICENSE kernel/nvidia.ko"},     // is no part of a toolkit
}

// Small is a mirror of made-up files, a few kilobytes, in a folder of the test: the names are NVIDIA's, the contents are
// not. It needs nothing of the test bed.
func Small(t testing.TB, p resolve.Platform, release string) string {
	t.Helper()
	dir := t.TempDir()
	AddSmall(t, dir, p, release)
	return dir
}

// AddSmall puts a made-up release for a platform into a mirror that may hold other releases.
func AddSmall(t testing.TB, dir string, p resolve.Platform, release string) {
	t.Helper()
	v := version.MustParse(release)
	var parts []component
	for _, m := range smallParts {
		names := m.linux
		if p.Windows() {
			names = m.windows
		}
		if names == "" || m.first != "" && v.Short().Less(version.MustParse(m.first)) || m.last != "" && version.MustParse(m.last).Less(v.Short()) {
			continue
		}
		parts = append(parts, m.component(names, v))
	}
	if err := writeMirror(dir, p, release, parts); err != nil {
		t.Fatalf("make a small mirror: %v", err)
	}
}

func (m made) component(names string, v version.V) component {
	short := strings.SplitN(v.String(), ".", 3)
	c := component{name: m.name, version: v.Short().String() + ".88"}
	names = strings.NewReplacer("<X>", short[0], "<Y>", short[1], "<V>", c.version).Replace(names)
	for _, n := range strings.Fields(names) {
		path, link, _ := strings.Cut(n, "=")
		c.files = append(c.files, file{path: path, link: link, text: m.name + " " + path + "\n" + strings.Repeat(v.String()+" ", 64)})
	}
	return c
}

// Manifests copies lists alone into a folder, as a mirror without archives.
func Manifests(t testing.TB, from map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range from {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
