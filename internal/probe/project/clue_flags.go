package project

import (
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/pattern"
)

var (
	stdFlag     = pattern.New(`[-/]std[=:](?:c|gnu)\+\+(11|14|17|20|23|1z|2a|2b)\b`)
	allowFlag   = pattern.New(`-allow-unsupported-compiler\b`)
	codeFlag    = pattern.New(`code=(?:\\?["'])?\[?((?:(?:sm|compute|lto)_[0-9]+[af]?,?)+)`)
	archFlag    = pattern.New(`(?:^|[\s"'=,:;(\[])(?:-arch|--gpu-architecture)(?:=|\s+|["']\s*,\s*["']|["']\s*\)\s*\.(?:arg|flag)\s*\(\s*["'])((?:sm|compute)_[0-9]+[af]?)\b`)
	openFlag    = pattern.New(`(?:code=(?:\\?["'])?\[?(?:sm|compute|lto)_|(?:-arch|--gpu-architecture)=(?:sm_|compute_)?)[{$%<][^\s"',]*|code=(?:sm|compute)_["']`)
	linkLib     = pattern.New(`(?:^|[\s"'])-l(cuda|cudart|cudart_static|cublas|cublasLt|cufft|curand|cusolver|cusparse|nvrtc|cudnn|nccl|nvToolsExt|nvidia-ml|cudadevrt|nvJitLink)\b`)
	windowsWord = pattern.New(`(?i)win32|\bnt\b|windows|msvc`)
)

// oldStd are names compilers had for a standard before it was one.
var oldStd = map[string]string{"1z": "17", "2a": "20", "2b": "23"}

// flags reads options for nvcc wherever they stand; the architectures among them are returned.
func (f *clueFile) flags(text string, line int, note string) []string {
	if m := stdFlag.FindStringSubmatch(text); m != nil {
		std := m[1]
		if s, ok := oldStd[std]; ok {
			std = s
		}
		f.add("host.std", "c++"+std, line, note)
	}
	if allowFlag.MatchString(text) {
		f.allow(line, note)
	}
	for _, m := range linkLib.FindAllStringSubmatch(text, -1) {
		f.library(m[1], line, note)
	}
	return flagArchs(text)
}

// allow: the option stands for one platform when its condition names it.
func (f *clueFile) allow(line int, note string) {
	if windowsWord.MatchString(note) {
		f.add("host.windows.unsupported-compiler", "allow", line, "")
		return
	}
	f.add("host.linux.unsupported-compiler", "allow", line, note)
}

func flagArchs(text string) []string {
	var out []string
	for _, m := range codeFlag.FindAllStringSubmatch(text, -1) {
		for _, t := range strings.Split(m[1], ",") {
			if !strings.HasPrefix(t, "lto_") {
				out = append(out, t)
			}
		}
	}
	for _, m := range archFlag.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	// What the script puts together while it runs stays in the list as it is, and shows that not all could be read.
	return unique(append(out, openFlag.FindAllString(text, 8)...))
}

// libraries say which key of the contract a library of the linker, of CMake (CUDA::name) or of cudarc stands for.
var libraries = map[string]string{
	"cudart": "toolkit.components=cudart", "cudart_static": "toolkit.components=cudart-static", "cudadevrt": "toolkit.components=cudadevrt",
	"cuda": "link.cuda.how=link", "cuda_driver": "link.cuda.how=link",
	"cublas": "toolkit.components=cublas", "cublas_static": "toolkit.components=cublas", "cublasLt": "toolkit.components=cublaslt", "cublaslt": "toolkit.components=cublaslt", "cublasLt_static": "toolkit.components=cublaslt",
	"cufft": "toolkit.components=cufft", "cufft_static": "toolkit.components=cufft", "curand": "toolkit.components=curand", "curand_static": "toolkit.components=curand",
	"cusolver": "toolkit.components=cusolver", "cusolver_static": "toolkit.components=cusolver", "cusparse": "toolkit.components=cusparse", "cusparse_static": "toolkit.components=cusparse",
	"nvrtc": "toolkit.components=nvrtc", "nvrtc_static": "toolkit.components=nvrtc", "nvtx3": "toolkit.components=nvtx", "nvToolsExt": "toolkit.components=nvtx",
	"nvjpeg": "toolkit.components=nvjpeg", "cupti": "toolkit.components=cupti", "nvJitLink": "toolkit.components=nvjitlink", "nvml": "toolkit.components=nvml-stub", "nvidia-ml": "toolkit.components=nvml-stub",
	"nppc": "toolkit.components=npp", "nppi": "toolkit.components=npp", "nppig": "toolkit.components=npp", "nppicc": "toolkit.components=npp", "nppidei": "toolkit.components=npp", "npps": "toolkit.components=npp",
	"cudnn": "components.cudnn=any", "nccl": "components.nccl=any", "nccl_static": "components.nccl=any",
}

func (f *clueFile) library(name string, line int, note string) {
	if to, ok := libraries[name]; ok {
		key, value, _ := strings.Cut(to, "=")
		f.add(key, value, line, note)
	}
}

// noise are variables that every build has.
var noise = pattern.New(`^(CARGO_.*|OUT_DIR|TARGET|HOST|PROFILE|OPT_LEVEL|NUM_JOBS|DEBUG|RUSTC.*|PATH|HOME)$`)

// reads keeps the name of a variable that a build script reads, when it has to do with CUDA.
func (f *clueFile) reads(name string, line int, note string) {
	if noise.MatchString(name) || secretName.MatchString(name) || len(name) > 100 {
		return
	}
	v, known := data.VariableByName(name, "linux")
	about := known && slices.Contains([]string{"toolkit-root", "arch", "compiler", "cudnn", "library-path", "flags", "rust", "python", "container"}, v.Kind)
	if first := f.instead[name]; first != "" {
		note = joined(note, "read only where "+first+" is not set")
	}
	if about || cudaName.MatchString(name) {
		f.add("env", name, line, note)
	}
}
