package toolkit

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/apt"
	"cupel/internal/source/pip"
	"cupel/internal/source/redist"
	"cupel/internal/source/sourcetest"
	"cupel/internal/testbed"
	"cupel/internal/version"
)

// real installs a release from a source and says how long it took.
func real(t *testing.T, i Installer, src source.Source, release string, with ...string) Outcome {
	t.Helper()
	began := time.Now()
	plan, err := src.Resolve(ctx, resolve.Request{Release: version.MustParse(release), Platform: i.Here, With: with})
	if err != nil {
		t.Fatal(err)
	}
	resolved := time.Since(began)
	out, err := i.Install(ctx, src, plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("CUDA %s from %s with %v: resolved in %s, installed in %s; fetched %d MB, unpacked %d MB, root of %d MB; phases %v", plan.Release, plan.Source, with,
		resolved.Round(time.Millisecond), (time.Since(began) - resolved).Round(time.Millisecond), out.Fetched/1e6, out.Unpacked/1e6, out.Installed.Manifest.Size/1e6, out.Times)
	t.Logf("proof: %s", strings.Join(out.Proof, "; "))
	visible(t, i)
	return out
}

const program = `#include <cstdio>
#include <cuda.h>
#include <cuda_fp16.h>
#include <thrust/version.h>
#ifdef CUBLAS
#include <cublas_v2.h>
#endif
__global__ void add(const float *a, const float *b, float *c, __half *h) { int i = threadIdx.x; c[i] = a[i] + b[i]; h[i] = __float2half(c[i]); }
int main() {
	int n = 0, v = 0;
	cudaRuntimeGetVersion(&v);
#ifdef DRIVER
	cuDriverGetVersion(&n);
#endif
#ifdef CUBLAS
	cublasHandle_t handle;
	n += cublasCreate(&handle);
#endif
	add<<<1, 32>>>(nullptr, nullptr, nullptr, nullptr);
	std::printf("runtime %d thrust %d\n", v, THRUST_VERSION);
	return n;
}
`

// archs are three that every release of the tests has.
var archs = []string{"-gencode=arch=compute_75,code=sm_75", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_86,code=[sm_86,compute_86]"}

// useReal compiles a kernel for three architectures and links it in every way that projects do.
func useReal(t *testing.T, root, compiler string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.cu"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	nvcc := func(args ...string) {
		t.Helper()
		cmd := exec.Command(filepath.Join(root, "bin", "nvcc"), append([]string{"-ccbin", compiler}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("nvcc %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	nvcc(append(archs, "-c", "k.cu", "-o", "k.o")...)
	nvcc("k.o", "-o", "static")
	nvcc("k.o", "-cudart", "shared", "-o", "shared")
	nvcc(append(archs, "-DDRIVER", "k.cu", "-lcuda", "-o", "driver")...)
	nvcc(append(archs, "-rdc=true", "k.cu", "-o", "rdc")...)
	for _, name := range []string{"static", "shared", "rdc"} {
		cmd := exec.Command(filepath.Join(dir, name))
		cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(root, "lib64"))
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "runtime ") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

const cmakeProject = `cmake_minimum_required(VERSION 3.20)
project(x LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
message(STATUS "toolkit ${CUDAToolkit_VERSION} at ${CUDAToolkit_BIN_DIR}")
add_executable(x k.cu)
target_link_libraries(x CUDA::cudart CUDA::cuda_driver LIBRARIES)
if(TARGET CUDA::cublas AND "LIBRARIES" MATCHES cublas)
  target_compile_definitions(x PRIVATE CUBLAS)
endif()
`

// cmake configures and builds a project with the root.
func cmake(t *testing.T, root, compiler string, libraries ...string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"CMakeLists.txt": strings.ReplaceAll(cmakeProject, "LIBRARIES", strings.Join(libraries, " ")), "k.cu": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	testbed.Root(t, "cmake")
	for _, args := range [][]string{
		{"-S", ".", "-B", "b", "-DCMAKE_CUDA_ARCHITECTURES=75;80;86", "-DCMAKE_CUDA_COMPILER=" + filepath.Join(root, "bin", "nvcc"), "-DCMAKE_CUDA_HOST_COMPILER=" + compiler},
		{"--build", "b"},
	} {
		cmd := exec.Command("cmake", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("cmake %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		if args[0] == "-S" && !strings.Contains(string(out), "at "+filepath.Join(root, "bin")) {
			t.Errorf("cmake took another toolkit than %s:\n%s", root, out)
		}
	}
}

// TestRealPip installs from the package index.
func TestRealPip(t *testing.T) {
	testbed.Long(t)
	for _, release := range []string{"13.0", "13.4"} {
		t.Run(release, func(t *testing.T) {
			i, src := newInstaller(t), pip.New(pip.Config{})
			if err := src.Reach(ctx); err != nil {
				t.Skipf("the package index cannot be reached: %v", err)
			}
			out := real(t, i, src, release)
			useReal(t, out.Installed.Dir, "g++")
			cmake(t, out.Installed.Dir, "g++")
			out = real(t, i, src, release, "cublas")
			cmake(t, out.Installed.Dir, "g++", "CUDA::cublas")
		})
	}
}

// TestRealApt installs the distribution's packages, with the host compiler that each accepts.
func TestRealApt(t *testing.T) {
	testbed.Long(t)
	for _, tt := range []struct{ release, compiler string }{{"12.4", "gcc-12"}, {"11.8", "gcc-11"}} {
		t.Run(tt.release, func(t *testing.T) {
			compiler := hostCompiler(t, tt.compiler)
			i := newInstaller(t)
			i.Compiler = compiler
			src := apt.New(apt.Config{State: filepath.Join(i.Depot.Cache, "apt")})
			if err := src.Reach(ctx); err != nil {
				t.Skipf("the distribution's mirror cannot be reached: %v", err)
			}
			out := real(t, i, src, tt.release)
			useReal(t, out.Installed.Dir, compiler)
			cmake(t, out.Installed.Dir, compiler)
			out = real(t, i, src, tt.release, "cublas")
			cmake(t, out.Installed.Dir, compiler, "CUDA::cublas")
		})
	}
}

// hostCompiler is g++ of a part of the test bed.
func hostCompiler(t *testing.T, part string) string {
	t.Helper()
	testbed.Root(t, part)
	name := strings.Replace(part, "gcc", "g++", 1)
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("the test bed's %s has no %s", part, name)
	}
	return path
}

// TestRealRedist installs from a mirror of NVIDIA's archives on disk, with the real files.
func TestRealRedist(t *testing.T) {
	i := newInstaller(t)
	src := redist.New(redist.Config{Base: sourcetest.Mirror(t, here, "13.0.2")})
	out := real(t, i, src, "13.0")
	useReal(t, out.Installed.Dir, "g++")
	if testing.Short() {
		return
	}
	cmake(t, out.Installed.Dir, "g++")
	unpackAgain(t, i, src)
	useReal(t, out.Installed.Dir, "g++")
}

// unpackAgain asks for everything, which the mirror's minimum is, and then for more of each parcel: NVIDIA's own profile,
// which was changed, comes once more.
func unpackAgain(t *testing.T, i Installer, src source.Source) {
	t.Helper()
	plan, err := src.Resolve(ctx, resolve.Request{Release: version.MustParse("13.0"), Platform: here, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []bool{false, true} {
		for n := range plan.Parcels {
			if more {
				plan.Parcels[n].Brings = append(plan.Parcels[n].Brings, "cufft")
			}
		}
		out, err := i.Install(ctx, src, plan)
		if err != nil || out.Already == more || more && len(out.Added) != len(plan.Parcels) {
			t.Fatalf("more of each parcel %t: already %t, added %q, %v", more, out.Already, out.Added, err)
		}
		visible(t, i)
	}
}

// TestRealWindowsRoot is made on Linux; the testbed's wine runs its nvcc.exe.
func TestRealWindowsRoot(t *testing.T) {
	wine := filepath.Join(testbed.Repo(t), "scripts", "wine-exec")
	testbed.Root(t, "wine")
	p := resolve.Platform{OS: "windows", Arch: "amd64"}
	i, src := newInstaller(t), redist.New(redist.Config{Base: sourcetest.Mirror(t, p, "13.0.2")})
	plan, err := src.Resolve(ctx, resolve.Request{Release: version.MustParse("13.0"), Platform: p})
	if err != nil {
		t.Fatal(err)
	}
	got, err := i.Install(ctx, src, plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("proof: %s", strings.Join(got.Proof, "; "))
	visible(t, i)
	out, err := exec.Command(wine, filepath.Join(got.Installed.Dir, "bin", "nvcc.exe"), "--version").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "release 13.0") {
		t.Errorf("nvcc.exe --version under wine: %v\n%s", err, out)
	}
}

// TestRealKilled kills installs of the real wheels of 13.0, which were fetched once. TestKilled does so fifty times with small ones.
func TestRealKilled(t *testing.T) {
	testbed.Long(t)
	src := pip.New(pip.Config{})
	if err := src.Reach(ctx); err != nil {
		t.Skipf("the package index cannot be reached: %v", err)
	}
	plan, err := src.Resolve(ctx, request(here))
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{dir: t.TempDir()}
	for n, p := range plan.Parcels {
		path, err := src.Fetch(ctx, plan, p, s.dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		plan.Parcels[n].File = filepath.Base(path)
	}
	text, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, planName), text, 0o644); err != nil {
		t.Fatal(err)
	}
	kill(t, s, 20)
}
