package project

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

func clues(t *testing.T, files string) []fact.Clue {
	t.Helper()
	h, err := host.Parse([]byte(head+files), nil)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := Clues(look.New(h), "/home/u/ws")
	return all
}

// told writes clues the way the tables below do: key = value @ file:line, with a ? before what is uncertain.
func told(all []fact.Clue) []string {
	var out []string
	for _, c := range all {
		mark := ""
		if c.Note != "" {
			mark = "? "
		}
		out = append(out, fmt.Sprintf("%s%s = %s @ %s:%d", mark, c.Key, c.Value, c.File, c.Line))
	}
	return out
}

// TestClues: one file of each kind, with comments that must not count.
func TestClues(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             []string
	}{
		{"cargo manifest", "Cargo.toml", `# [features] cuda = []
[package]
name = "kern"
rust-version = "1.80"
[features]
cuda = ["dep:cudarc"]
cudnn = []
metal = []
[dependencies]
cudarc = { version = "0.13", features = ["cuda-12040", "cublas", "nccl"] }
[build-dependencies]
cudaforge = "0.1.2"
`, []string{
			"project.build = cargo @ Cargo.toml:1", "project.name = kern @ Cargo.toml:3", "components.rust = >=1.80 @ Cargo.toml:4",
			"? config = cargo build --features cuda @ Cargo.toml:6", "? config = cargo build --features cudnn @ Cargo.toml:7", "components.cudnn.only-for = cudnn @ Cargo.toml:7",
			"project.builders = cudarc >=0.13, <0.14 @ Cargo.toml:10", "? toolkit.recommended = 12.4 @ Cargo.toml:10",
			"? toolkit.components = cublas @ Cargo.toml:10", "? components.nccl = any @ Cargo.toml:10",
			"project.builders = cudaforge >=0.1.2, <0.2 @ Cargo.toml:12", "? arch.env = CUDA_COMPUTE_CAP @ Cargo.toml:12",
		}},
		{"lock file", "Cargo.lock", "version = 4\n\n[[package]]\nname = \"bindgen_cuda\"\nversion = \"0.1.5\"\nsource = \"registry+x\"\n", []string{"project.builders = bindgen_cuda @ Cargo.lock:3"}},
		{"build script", "build.rs", `// env::var("CUDA_ROOT") -gencode arch=compute_50,code=sm_50
fn main() {
    let home = std::env::var("CUDA_HOME"); /* "old.cu" */
    println!("cargo:rerun-if-env-changed=MY_CUDA_PATH");
    println!("cargo:rustc-link-lib=dylib=cublas");
    println!("cargo:rustc-link-lib=cuda");
    if compute_cap < 70 {
        panic!("too old");
    }
    if compute_cap < 80 { b = b.arg("-DNO_BF16"); }
    cc::Build::new().cuda(true).flag("-std=c++14").flag("-gencode").flag("arch=compute_80,code=sm_80").flag("--use_fast_math")
        .file("kernels/a.cu").compile("libkern.a");
}
`, []string{
			"env = CUDA_HOME @ build.rs:3", "env = MY_CUDA_PATH @ build.rs:4", "toolkit.components = cublas @ build.rs:5", "link.cuda.how = link @ build.rs:6",
			"arch.min = 7.0 @ build.rs:8", "host.std = c++14 @ build.rs:11", "arch.targets = sm_80 @ build.rs:11",
			"kernels.kern.sources = kernels/a.cu @ build.rs:12", "? kernels.kern.flags = -DNO_BF16 @ build.rs:10", "kernels.kern.flags = --use_fast_math @ build.rs:11", "kernels.kern.kinds = static @ build.rs:12",
		}},
		{"CMake", "CMakeLists.txt", `cmake_minimum_required(VERSION 3.18...3.28)
project(vec LANGUAGES CXX CUDA)
# find_package(CUDAToolkit 99 REQUIRED)
#[[ set(CMAKE_CUDA_ARCHITECTURES 50) ]]
find_package(CUDAToolkit 12.4 REQUIRED)
find_package(CUDNN)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CUDA_ARCHITECTURES "70;80-real;90a")
target_link_libraries(vec PRIVATE CUDA::cublas CUDA::cuda_driver)
if(WIN32)
  target_link_libraries(vec PRIVATE CUDA::nvml)
endif()
if(NOT MSVC AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
  message(FATAL_ERROR "old")
endif()
message(STATUS "$ENV{CUDA_PATH}")
`, []string{
			"components.cmake = >=3.18 @ CMakeLists.txt:1", "project.name = vec @ CMakeLists.txt:2", "toolkit.components = nvcc @ CMakeLists.txt:2", "toolkit.min = 12.4 @ CMakeLists.txt:5",
			"? components.cudnn = any @ CMakeLists.txt:6", "host.std = c++17 @ CMakeLists.txt:7", "? host.std = c++20 @ CMakeLists.txt:8", "toolkit.components = cublas @ CMakeLists.txt:10",
			"link.cuda.how = link @ CMakeLists.txt:10", "? toolkit.components = nvml-stub @ CMakeLists.txt:12", "host.linux.gcc = >=11 @ CMakeLists.txt:15", "env = CUDA_PATH @ CMakeLists.txt:17",
			"project.build = cmake @ CMakeLists.txt:1", "arch.targets = 70 80-real 90a @ CMakeLists.txt:9",
		}},
		{"CMake, lists by release", "CMakeLists.txt", `set(ARCHS 75 80)
if(CUDAToolkit_VERSION VERSION_LESS 11.8)
  message(FATAL_ERROR "too old")
endif()
if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.8)
  list(APPEND ARCHS 100 120)
endif()
set(CMAKE_CUDA_ARCHITECTURES ${ARCHS})
`, []string{"project.build = cmake @ CMakeLists.txt:1", "toolkit.min = 11.8 @ CMakeLists.txt:3", "arch.by-toolkit = >=11.8, <12.8: 75 80 @ CMakeLists.txt:8", "arch.by-toolkit = >=12.8: 75 80 100 120 @ CMakeLists.txt:8"}},
		{"CMake, a list under another condition", "CMakeLists.txt", "if(FAST_BUILD)\n  set(CMAKE_CUDA_ARCHITECTURES native)\nelse()\n set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n",
			[]string{"project.build = cmake @ CMakeLists.txt:1", "? arch.targets = 80 @ CMakeLists.txt:4"}},
		{"CMake, a list that is changed again", "CMakeLists.txt", "set(CUDA_ARCHS 60 70 80)\nlist(REMOVE_ITEM CUDA_ARCHS 60)\nset(CMAKE_CUDA_ARCHITECTURES ${CUDA_ARCHS})\n",
			[]string{"project.build = cmake @ CMakeLists.txt:1", "arch.targets = 70 80 @ CMakeLists.txt:3"}},
		{"CMake, a list that cannot be read whole", "CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80 ${EXTRA})\n",
			[]string{"project.build = cmake @ CMakeLists.txt:1", "? arch.targets = 80 @ CMakeLists.txt:1"}},
		{"CMake, options", "cmake/Flags.cmake", "if(CUDA_VERSION VERSION_GREATER_EQUAL 13)\n message(FATAL_ERROR x)\nendif()\nset(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -gencode arch=compute_80,code=[sm_80,compute_80] -std=c++17\")\n",
			[]string{"host.std = c++17 @ cmake/Flags.cmake:4", "toolkit.exclude = >=13 @ cmake/Flags.cmake:2", "arch.targets = sm_80 compute_80 @ cmake/Flags.cmake:4"}},
		{"pyproject", "pyproject.toml", `[build-system]
requires = ["scikit-build-core>=0.10", "torch==2.8.0", "ninja"] # "cmake"
build-backend = "scikit_build_core.build"
[project]
name = "ext"
requires-python = ">=3.9,<3.13"
dependencies = ["torch~=2.4", "numpy"]
[tool.scikit-build]
cmake.version = ">=3.24"
cmake.args = ["-DCMAKE_CUDA_ARCHITECTURES=80;90"]
`, []string{
			"project.build = cmake @ pyproject.toml:3", "project.build = pip @ pyproject.toml:3", "project.name = ext @ pyproject.toml:5", "components.python = >=3.9, <3.13 @ pyproject.toml:6",
			"components.torch = >=2.4, <3 @ pyproject.toml:7", "? components.torch = =2.8.0 @ pyproject.toml:2", "? components.ninja = any @ pyproject.toml:2",
			"? components.cmake = >=3.24 @ pyproject.toml:9", "arch.targets = 80 90 @ pyproject.toml:10",
		}},
		{"setup.py", "setup.py", `"""nvcc -gencode arch=compute_35,code=sm_35"""
import os
from setuptools import setup
from torch.utils.cpp_extension import CUDAExtension
# os.environ["CUDA_ROOT"]
arch = os.environ.get("TORCH_CUDA_ARCH_LIST")
cc_flag = ["-gencode", "arch=compute_80,code=sm_80"]
if bare_metal_version < Version("11.6"):
    raise RuntimeError("old")
if bare_metal_version >= Version("11.8"):
    cc_flag.append("arch=compute_90,code=sm_90")
if sys.platform == "win32":
    nvcc += ["-allow-unsupported-compiler"]
setup(
    name="fast",
    python_requires=">=3.8",
    ext_modules=[CUDAExtension("fast", ["csrc/a.cu"], extra_compile_args={"nvcc": ["-std=c++17"]})],
    install_requires=[
        "torch>=2.1",
    ],
)
`, []string{
			"components.torch = any @ setup.py:4", "env = TORCH_CUDA_ARCH_LIST @ setup.py:6", "host.windows.unsupported-compiler = allow @ setup.py:13", "project.name = fast @ setup.py:15",
			"components.python = >=3.8 @ setup.py:16", "host.std = c++17 @ setup.py:17", "toolkit.components = nvcc @ setup.py:17", "? arch.env = TORCH_CUDA_ARCH_LIST @ setup.py:17", "? kernels.sources = csrc/a.cu @ setup.py:17",
			"components.torch = >=2.1 @ setup.py:19", "project.build = setuptools @ setup.py:3", "toolkit.min = 11.6 @ setup.py:9",
			"arch.by-toolkit = >=11.6, <11.8: sm_80 @ setup.py:7", "arch.by-toolkit = >=11.8: sm_80 sm_90 @ setup.py:7",
		}},
		{"setup.py, the other kind of GPU", "setup.py", `import os
if not SKIP_CUDA_BUILD:
    if HIP_BUILD:
        if hip_version < Version("6.0"):
            raise RuntimeError("old")
    else:
        if CUDA_HOME is not None:
            if bare_metal_version < Version("11.6"):
                raise RuntimeError("old")
        cc_flag.append("arch=compute_75,code=sm_75")
`, []string{"project.build = setuptools @ setup.py:1", "toolkit.min = 11.6 @ setup.py:9", "arch.targets = sm_75 @ setup.py:10"}},
		{"CMake, one of several backends", "CMakeLists.txt", `if(${COMPUTE_BACKEND} STREQUAL "cuda")
  if(MSVC AND MSVC_VERSION VERSION_GREATER_EQUAL 1940)
    string(APPEND CMAKE_CUDA_FLAGS " --allow-unsupported-compiler")
  endif()
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS "11.4")
    message(FATAL_ERROR "too old")
  endif()
  list(APPEND CMAKE_CUDA_ARCHITECTURES ${LATEST})
endif()
`, []string{"host.windows.unsupported-compiler = allow @ CMakeLists.txt:3", "toolkit.components = nvcc @ CMakeLists.txt:5", "project.build = cmake @ CMakeLists.txt:1", "toolkit.min = 11.4 @ CMakeLists.txt:7"}},
		{"makefile", "Makefile", `CUDA_PATH ?= /usr/local/cuda-12.4  # -arch=sm_50
NVCC = $(CUDA_PATH)/bin/nvcc
SMS ?= 70 80
# -gencode arch=compute_35,code=sm_35
ifeq ($(DEBUG),1)
FLAGS += -arch=sm_90
endif
all: ; $(NVCC) -lcublas -std=c++17
`, []string{
			"project.build = make @ Makefile:2", "toolkit.components = cublas @ Makefile:8", "host.std = c++17 @ Makefile:8",
			"? toolkit.recommended = 12.4 @ Makefile:1", "env = CUDA_PATH @ Makefile:1", "arch.targets = 70 80 @ Makefile:3", "? arch.targets = sm_90 @ Makefile:6",
		}},
		{"a makefile about something else", "Makefile", "all:\n\tgo build -arch=sm_50\n", nil},
		{"CUDA source", "src/k.cu", `// #include <cufft.h>
#include <cublas_v2.h>
#include <cub/cub.cuh>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "needs Volta"
#endif
#if CUDART_VERSION < 12040
#  error old
#endif
#if __CUDA_ARCH__ >= 800
#include <curand_kernel.h>
#endif
#if CUDA_VERSION < 13000
int x;
#endif
`, []string{
			"toolkit.components = cublas @ src/k.cu:2", "toolkit.components = cccl @ src/k.cu:3", "arch.min = 7.0 @ src/k.cu:5", "toolkit.min = 12.4 @ src/k.cu:8",
			"toolkit.components = curand @ src/k.cu:11", "? kernels.sources = src/*.cu @ src/k.cu:1",
		}},
		{"cargo configuration", ".cargo/config.toml", "[env]\nCUDA_COMPUTE_CAP = { value = \"89\" }\nAPI_TOKEN = \"x\"\n", []string{"env = CUDA_COMPUTE_CAP @ .cargo/config.toml:2", "arch.targets = 89 @ .cargo/config.toml:2"}},
		{"toolchain", "rust-toolchain.toml", "[toolchain]\nchannel = \"nightly-2025-01-02\"\n", []string{"components.rust.toolchain = nightly-2025-01-02 @ rust-toolchain.toml:2"}},
		{"old toolchain file", "rust-toolchain", "1.80\n", []string{"components.rust.toolchain = 1.80 @ rust-toolchain:1"}},
		{"Dockerfile", "Dockerfile.gpu", "# FROM nvidia/cuda:11.0\nARG CUDA=12.4.1\nFROM nvidia/cuda:${CUDA}-cudnn-devel-ubuntu22.04 AS b\nENV TORCH_CUDA_ARCH_LIST=\"8.0;9.0+PTX\"\n", []string{
			"toolkit.recommended = 12.4.1 @ Dockerfile.gpu:3", "? components.cudnn = any @ Dockerfile.gpu:3", "? arch.targets = 8.0 9.0+PTX @ Dockerfile.gpu:4"}},
		{"workflow with other numbers", ".github/workflows/old.yml", "matrix:\n  cuda: [\"9.2\", \"11.8\", \"12.7\", \"13.0\"]\n  include:\n    - cuda: \"12.4 on ubuntu 22.04 with driver 550.54\"\n", []string{
			"toolkit.max-verified = 11.8 @ .github/workflows/old.yml:2", "toolkit.max-verified = 13.0 @ .github/workflows/old.yml:2", "toolkit.max-verified = 12.4 @ .github/workflows/old.yml:4"}},
		{"workflow", ".github/workflows/ci.yml", "jobs:\n  a:\n    container: nvidia/cuda:12.8.0-devel-ubuntu22.04\n    strategy:\n      matrix:\n        cuda: [\"12.4.1\", \"12.6.0\"] # \"11.0\"\n    cuda-version: ${{ matrix.cuda }}\n", []string{
			"toolkit.max-verified = 12.8.0 @ .github/workflows/ci.yml:3", "toolkit.max-verified = 12.4.1 @ .github/workflows/ci.yml:6", "toolkit.max-verified = 12.6.0 @ .github/workflows/ci.yml:6"}},
		{"presets", "CMakePresets.json", "{\"configurePresets\": [\n{\"cacheVariables\": {\"CMAKE_CUDA_ARCHITECTURES\": \"86;89\"}}]}\n", []string{"? arch.targets = 86 89 @ CMakePresets.json:2"}},
		{"vendored files speak for others", "third_party/x/CMakeLists.txt", "find_package(CUDAToolkit 99)\n", nil},
		{"outputs too", "build/CMakeLists.txt", "find_package(CUDAToolkit 99)\n", nil},
		{"garbage", "Cargo.toml", "[package\n", nil},
		{"bytes", "setup.py", "\x00CUDAExtension(\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := told(clues(t, "-- file /home/u/ws/"+tt.file+" --\n"+tt.text))
			for _, w := range tt.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing: %s", w)
				}
			}
			for _, g := range got {
				if !slices.Contains(tt.want, g) {
					t.Errorf("too much: %s", g)
				}
			}
		})
	}
}

// TestCluesStayInTheProject: a link out of it is not followed.
func TestCluesStayInTheProject(t *testing.T) {
	got := clues(t, "-- file /etc/CMakeLists.txt --\nfind_package(CUDAToolkit 12.4)\n-- tree --\n/home/u/ws/.git d\n/home/u/ws/a -> /etc\n/home/u/ws/CMakeLists.txt -> /etc/CMakeLists.txt\n")
	if len(got) != 0 {
		t.Errorf("clues %q, want none", told(got))
	}
}

func TestManyCluesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "message(\"$ENV{A%d_CUDA_PATH}\")\n", i)
	}
	if got := clues(t, "-- file /home/u/ws/CMakeLists.txt --\n"+b.String()); len(got) > maxCluesFile {
		t.Errorf("%d clues of one file, want at most %d", len(got), maxCluesFile)
	}
}

var keyForm = pattern.New(`^[a-z][a-z0-9.-]*|^kernels\.[A-Za-z0-9_-]+\.[a-z]+$`)

// FuzzClues: any bytes in any kind of file give clues of the right form, at lines that are there.
func FuzzClues(f *testing.F) {
	for i, text := range []string{
		"[package]\nname = \"a\"\n[build-dependencies]\ncudaforge = \"0.1\"\n", "[[package]]\nname = \"cudaforge\"\nversion = \"0.1.0\"\nsource = \"r\"\n",
		"fn main() { KernelBuilder::new().source_dir(\"src\").exclude(&[\"a.cu\"]).arg(\"-O3\").build_ptx() }", "if(A VERSION_LESS 12)\nset(CMAKE_CUDA_ARCHITECTURES ${B} 80)\nelseif(x)\nelse()\nendif()\nlist(APPEND CUDA_ARCHS [[90]] \"a;b\")",
		"{}", "[project]\nname='a'\nrequires-python='>=3'\n", "if cuda_version >= Version('11.8'):\n  x('-gencode','arch=compute_90,code=sm_90')\nelse:\n  raise X\n", "SMS=80\nNVCC=a\n", "", "#if __CUDA_ARCH__ < 700\n#error\n#endif\n", "[toolchain]\nchannel='a'\n", "FROM nvidia/cuda:12.4\n",
	} {
		f.Add(uint8(i), text)
	}
	kinds := append(readers, []struct {
		name *pattern.Pattern
		read func(*clueFile)
	}{{nil, cargoConfigClues}, {nil, workflowClues}}...)
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		cf := &clueFile{name: "x", text: strings.ToValidUTF8(text, "?")}
		cf.lines = strings.Split(cf.text, "\n")
		kinds[int(kind)%len(kinds)].read(cf)
		for _, c := range cf.out {
			if !keyForm.MatchString(c.Key) || c.Value == "" || c.Line < 0 || c.Line > len(cf.lines) {
				t.Errorf("%+v from %q", c, text)
			}
		}
		if len(cf.out) > maxCluesFile {
			t.Errorf("%d clues from %q", len(cf.out), text)
		}
	})
}

// TestHugeScripts: what a script has too much of is not followed, and the rest is still read.
func TestHugeScripts(t *testing.T) {
	for _, tt := range []struct{ name, file, unit string }{
		{"releases one after another", "CMakeLists.txt", "elseif(CUDA_VERSION VERSION_LESS %d.1)\nlist(APPEND CUDA_ARCHS %d)\nmessage(FATAL_ERROR)\n"},
		{"conditions in one another", "CMakeLists.txt", "if(A%d)\nset(CMAKE_CUDA_ARCHITECTURES %d)\n"},
		{"blocks in one another", "setup.py", "if cuda_version >= Version('%d.1'): # %d\n"},
		{"open brackets", "CMakeLists.txt", "set(A%d [==[ %d\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("if(CUDA_VERSION VERSION_LESS 1.0)\n")
			for i := 0; b.Len() < maxClueFile-200; i++ {
				fmt.Fprintf(&b, tt.unit, i%500, i%90+10)
			}
			b.WriteString("\n")
			if got := clues(t, "-- file /home/u/ws/"+tt.file+" --\n"+b.String()); len(got) > maxCluesFile {
				t.Errorf("%d clues", len(got))
			}
		})
	}
}
