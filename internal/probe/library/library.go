// Package library finds the libraries CUDA projects build against or load besides the toolkit: cuDNN, NCCL,
// cuBLAS, libclang, OpenBLAS and MKL. It reads version lines of headers and the names of files through the
// host, loads nothing and judges nothing. Every copy is told once, whatever links lead to it.
package library

import (
	"context"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Origins.
const (
	System  = "system"
	Pip     = "pip"
	Conda   = "conda"
	Toolkit = "toolkit"
	Windows = "windows"
)

// kind is one library and how its files are named. The patterns for header lines begin and end with an anchor
// and nothing optional: Go then matches them in one pass, six times faster over a header of 6000 lines.
type kind struct {
	name    string
	headers []string // in an include folder, the first that is there counts
	macro   *pattern.Pattern
	file    *pattern.Pattern // library files; the group is the version in the name
	pip     string           // folder below nvidia in site-packages
	wheel   *pattern.Pattern // its wheels; the group is the CUDA major
	conda   string           // its conda package
	roots   []string         // variables that name a root
	parts   []string         // variables that name an include or a library folder
}

var kinds = []kind{
	{
		name:    "cudnn",
		headers: []string{"cudnn_version.h", "cudnn_version_v9.h", "cudnn_version_v8.h", "cudnn.h"},
		macro:   pattern.New(`^# *define\s+CUDNN_(MAJOR|MINOR|PATCHLEVEL)\s+(\d+)\s*$`),
		file:    pattern.New(`^(?:libcudnn\.so(?:\.(\d[\d.]*))?|cudnn64_(\d+)\.dll|cudnn\.lib)$`),
		pip:     "cudnn", wheel: pattern.New(`^nvidia-cudnn-cu(\d+)$`), conda: "cudnn",
		roots: []string{"CUDNN_PATH", "CUDNN_HOME", "CUDNN_ROOT"},
		parts: []string{"CUDNN_INCLUDE_DIR", "CUDNN_INCLUDE_PATH", "CUDNN_LIB", "CUDNN_LIB_DIR"},
	},
	{
		name:    "nccl",
		headers: []string{"nccl.h"},
		macro:   pattern.New(`^# *define\s+NCCL_(MAJOR|MINOR|PATCH)\s+(\d+)\s*$`),
		file:    pattern.New(`^libnccl\.so(?:\.(\d[\d.]*))?$`),
		pip:     "nccl", wheel: pattern.New(`^nvidia-nccl-cu(\d+)$`), conda: "nccl",
		roots: []string{"NCCL_HOME", "NCCL_ROOT", "NCCL_ROOT_DIR"},
		parts: []string{"NCCL_INCLUDE_DIR", "NCCL_LIB_DIR"},
	},
	{
		name:    "cublas",
		headers: []string{"cublas_api.h"},
		macro:   pattern.New(`^# *define\s+CUBLAS_VER_(MAJOR|MINOR|PATCH)\s+(\d+)\s*$`),
		file:    pattern.New(`^(?:libcublas\.so(?:\.(\d[\d.]*))?|cublas64_(\d+)\.dll|cublas\.lib)$`),
		pip:     "cublas", wheel: pattern.New(`^nvidia-cublas-cu(\d+)$`), conda: "libcublas",
	},
}

// Survey finds every copy: in Python environments, where variables point, in the given toolkits and in the
// system's own folders. The first way to a copy names its origin.
func Survey(ctx context.Context, a *look.At, toolkitRoots []string, pythons []fact.Python) []fact.Library {
	at := &shelf{At: a, listed: map[string][]string{}}
	var out []fact.Library
	for _, k := range kinds {
		if ctx.Err() != nil {
			return out
		}
		out = append(out, copies(at, k, places(at, k, toolkitRoots, pythons))...)
	}
	out = append(out, clang(at)...)
	out = append(out, openBLAS(at)...)
	return append(out, mkl(at)...)
}

// copies looks at each place. Two places that lead to one file are one copy: what the second knows and the
// first does not is filled in.
func copies(at *shelf, k kind, from []place) []fact.Library {
	var out []fact.Library
	byFile := map[string]int{} // real path of a library or header → index into out
	for _, p := range from {
		header, file := p.header(at, k), p.library(at, k)
		if file == "" && (header == "" || p.origin == Toolkit) {
			continue // a compiler's packages carry headers of libraries that they do not bring
		}
		told := p.told(at, k, header, file)
		i, known := byFile[at.Path.Key(at.Real(told.Path))]
		if j, ok := byFile[at.Path.Key(at.Real(header))]; !known && ok && header != "" && out[j].Path == header {
			i, known = j, true
			out[j].Path = told.Path
		}
		if known {
			fill(&out[i], told)
		} else {
			i, out = len(out), append(out, told)
		}
		for _, f := range []string{header, file} {
			if key := at.Path.Key(at.Real(f)); f != "" {
				if _, ok := byFile[key]; !ok {
					byFile[key] = i
				}
			}
		}
	}
	return out
}

func fill(l *fact.Library, more fact.Library) {
	if l.Include == "" && more.Include != "" {
		l.Include, l.Version = more.Include, more.Version
	}
	if l.CUDAMajor == 0 {
		l.CUDAMajor = more.CUDAMajor
	}
}
