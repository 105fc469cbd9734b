package conda

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// made is a package of the made-up channel; its files have their own names as text. A name with = is a link.
type made struct{ subdir, name, version, depends, files string }

// channelParts are in the form of conda-forge's: names, folders and dependencies are as in its recipes.
func channelParts(release, nvcc string) []made {
	short := release[:strings.LastIndex(release, ".")]
	parts := []made{
		{"noarch", "cuda-version", short, "", ""},
		{"noarch", "cuda-toolkit", release, "cuda-version " + short + ",cuda-nvcc-dev_<subdir> " + nvcc, ""},
		{"<subdir>", "libcublas", nvcc, "cuda-version " + short, "<lib>/libcublas.so.13.0 lib/libcublas.so.13=../<lib>/libcublas.so.13.0"},
		{"<subdir>", "libcublas-dev", nvcc, "libcublas " + nvcc + ",libgcc", "<include>/cublas_v2.h lib/pkgconfig/cublas.pc"},
		{"<subdir>", "cuda-crt-tools", nvcc, "", "bin/crt/link.stub"},
		{"noarch", "cuda-crt-dev_<subdir>", nvcc, "", "<include>/crt/host_config.h"},
		{"noarch", "cuda-cccl_<subdir>", nvcc, "", "<include>/cccl/nv/target <include>/nv/target"},
		{"noarch", "cuda-cudart-dev_<subdir>", nvcc, "", "<include>/cuda_runtime.h <include>/cuda.h"},
		{"<subdir>", "libgcc", "15.2.0", "", "lib/libgcc_s.so.1"},
	}
	linux := []made{
		{"linux-64", "cuda-nvcc-tools", nvcc, "", "bin/nvcc bin/ptxas bin/nvcc.profile"},
		{"noarch", "cuda-nvcc-dev_linux-64", nvcc, "libgcc", "<include>/fatbinary_section.h targets/x86_64-linux/bin/nvcc=../../../bin/nvcc"},
		{"linux-64", "cuda-nvvm-tools", nvcc, "", "nvvm/bin/cicc nvvm/libdevice/libdevice.10.bc"},
		{"linux-64", "cuda-nvvm-impl", nvcc, "", "nvvm/lib64/libnvvm.so.4"},
		{"noarch", "cuda-nvvm-dev_linux-64", nvcc, "", "targets/x86_64-linux/nvvm=../../nvvm"},
		{"noarch", "cuda-cudart_linux-64", nvcc, "", "<lib>/libcudart.so.13.0 <lib>/libcudart.so.13=libcudart.so.13.0"},
		{"noarch", "cuda-cudart-static_linux-64", nvcc, "", "<lib>/libcudart_static.a <lib>/libcudadevrt.a <lib>/libculibos.a"},
		{"noarch", "cuda-driver-dev_linux-64", nvcc, "", "<lib>/stubs/libcuda.so"},
	}
	windows := []made{
		{"noarch", "cuda-nvcc-dev_win-64", nvcc, "", "Library/bin/nvcc.exe Library/bin/ptxas.exe Library/bin/nvcc.profile"},
		{"win-64", "cuda-nvvm-tools", nvcc, "", "Library/nvvm/bin/cicc.exe Library/nvvm/libdevice/libdevice.10.bc"},
		{"win-64", "cuda-nvvm-impl", nvcc, "", "Library/nvvm/lib/x64/nvvm.lib"},
		{"win-64", "cuda-cudart", nvcc, "", "Library/bin/cudart64_13.dll"},
		{"noarch", "cuda-cudart-static_win-64", nvcc, "", "Library/lib/cudart_static.lib"},
	}
	// The other components that --full asks for: one file each.
	for _, name := range strings.Fields("libcufft libcufft-dev libcurand libcurand-dev libcusolver libcusolver-dev libcusparse libcusparse-dev libnpp libnpp-dev libnvjpeg libnvjpeg-dev " +
		"cuda-nvrtc cuda-nvrtc-dev libnvjitlink libnvjitlink-dev libnvfatbin libnvfatbin-dev cuda-cupti cuda-cupti-dev cuda-nvtx-dev cuda-profiler-api cuda-nvml-dev " +
		"cuda-cuobjdump cuda-nvdisasm cuda-nvprune cuda-cuxxfilt cuda-sanitizer-api cuda-opencl cuda-opencl-dev libnvptxcompiler-dev_<subdir>") {
		parts = append(parts, made{"<subdir>", name, nvcc, "", "<include>/" + name + ".h"})
	}
	for _, name := range strings.Fields("cuda-nvtx cuda-gdb libcufile libcufile-dev") {
		linux = append(linux, made{"linux-64", name, nvcc, "", "<include>/" + name + ".h"})
	}
	var all []made
	for _, p := range parts {
		if p.name == "cuda-toolkit" { // one for each system, told apart by what they need; the stand-in takes the first that fits
			p.subdir = "<subdir>"
		}
		lib := "<lib>/cudart.lib <lib>/cudadevrt.lib <lib>/cuda.lib"
		all = append(all, fill(p, "linux-64", "targets/x86_64-linux/lib", "targets/x86_64-linux/include"))
		w := fill(p, "win-64", "Library/lib", "Library/include")
		if p.name == "cuda-cudart-dev_<subdir>" {
			w.files += " " + strings.ReplaceAll(lib, "<lib>", "Library/lib")
		}
		if p.name == "cuda-cccl_<subdir>" {
			w.files = "Library/include/targets/x64/cccl/nv/target Library/lib/x64/cmake/cccl.cmake"
		}
		all = append(all, w)
	}
	for _, p := range linux {
		all = append(all, fill(p, "linux-64", "targets/x86_64-linux/lib", "targets/x86_64-linux/include"))
	}
	return append(all, windows...)
}

func fill(m made, subdir, lib, include string) made {
	r := strings.NewReplacer("<subdir>", subdir, "<lib>", lib, "<include>", include)
	return made{r.Replace(m.subdir), r.Replace(m.name), m.version, r.Replace(m.depends), r.Replace(m.files)}
}

// makeChannel writes packages and their index into a folder.
func makeChannel(t testing.TB, parts []made) string {
	t.Helper()
	dir := t.TempDir()
	index := map[string]map[string]entry{}
	for _, m := range parts {
		file := m.name + "-" + m.version + "-h0_0.conda"
		b := pack(t, strings.TrimSuffix(file, ".conda"), m)
		write(t, filepath.Join(dir, m.subdir, file), b)
		sum := sha256.Sum256(b)
		if index[m.subdir] == nil {
			index[m.subdir] = map[string]entry{}
		}
		e := entry{Name: m.name, Version: m.version, Build: "h0_0", Subdir: m.subdir, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(b)), License: "LicenseRef-NVIDIA-End-User-License-Agreement"}
		if m.depends != "" {
			e.Depends = strings.Split(m.depends, ",")
		}
		index[m.subdir][file] = e
	}
	for subdir, packages := range index {
		b, err := json.Marshal(map[string]any{"info": map[string]any{"subdir": subdir}, "packages": map[string]any{}, "packages.conda": packages})
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, subdir, "repodata.json"), b)
	}
	return dir
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// pack makes a .conda file: a zip of metadata.json and two tars, as conda-package-handling writes it.
func pack(t testing.TB, stem string, m made) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range []struct {
		name string
		body []byte
	}{
		{"metadata.json", []byte(`{"conda_pkg_format_version": 2}`)},
		{"pkg-" + stem + ".tar.zst", tarball(t, m.files)},
		{"info-" + stem + ".tar.zst", tarball(t, "info/index.json info/licenses/LICENSE")},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(part.body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func tarball(t testing.TB, files string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range strings.Fields(files) {
		name, link, isLink := strings.Cut(f, "=")
		h := &tar.Header{Name: name, Mode: 0o755, Typeflag: tar.TypeReg, Size: int64(len(name))}
		body := []byte(name)
		if isLink {
			h.Typeflag, h.Linkname, h.Size, body = tar.TypeSymlink, link, 0, nil
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return compress().EncodeAll(out.Bytes(), nil)
}

// compress is one for all: making it costs more than using it.
var compress = sync.OnceValue(func() *zstd.Encoder {
	c, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err)
	}
	return c
})
