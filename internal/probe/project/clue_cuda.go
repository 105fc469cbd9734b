package project

import (
	"strings"

	"cupel/internal/gpu"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

var (
	cudaIf      = pattern.New(`^\s*#\s*(if|ifdef|ifndef|elif|else|endif|error)\b\s*(.*)$`)
	cudaArchIf  = pattern.New(`__CUDA_ARCH__\s*<\s*([0-9]{3,4})\b`)
	cudaVerIf   = pattern.New(`\b(?:CUDART_VERSION|CUDA_VERSION)\s*<\s*([0-9]{4,5})\b`)
	cudaMajorIf = pattern.New(`\b__CUDACC_VER_MAJOR__\s*<\s*([0-9]{1,2})\b`)
	cudaInclude = pattern.New(`^\s*#\s*include\s*[<"]([^>"]+)[>"]`)
)

// headers say which library a header belongs to.
var headers = []struct {
	name *pattern.Pattern
	lib  string
}{
	{pattern.New(`^cublas(_v2)?\.h$`), "cublas"}, {pattern.New(`^cublasLt\.h$`), "cublasLt"}, {pattern.New(`^cufft\.h$`), "cufft"},
	{pattern.New(`^curand(_kernel)?\.h$`), "curand"}, {pattern.New(`^cusolver\w*\.h$`), "cusolver"}, {pattern.New(`^cusparse(_v2)?\.h$`), "cusparse"},
	{pattern.New(`^nvrtc\.h$`), "nvrtc"}, {pattern.New(`^(nvtx3/.*|nvToolsExt\.h)$`), "nvtx3"}, {pattern.New(`^nvjpeg\.h$`), "nvjpeg"},
	{pattern.New(`^(cub|thrust|cuda/std)/`), "cccl"}, {pattern.New(`^cudnn\w*\.h$`), "cudnn"}, {pattern.New(`^nccl\.h$`), "nccl"},
	{pattern.New(`^nvml\.h$`), "nvml"}, {pattern.New(`^cupti\.h$`), "cupti"},
}

// cudaClues reads CUDA sources: libraries by their headers, and what they refuse with #error. A comparison without
// one is a choice between two ways, and says nothing about what is needed.
func cudaClues(f *clueFile) {
	text := cudaText.blank(f.text)
	var stack []string
	for i, line := range strings.Split(text, "\n") {
		n := i + 1
		if m := cudaInclude.FindStringSubmatch(line); m != nil {
			f.header(m[1], n, len(stack))
		}
		m := cudaIf.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		switch top := len(stack) - 1; {
		case strings.HasPrefix(m[1], "if"):
			if len(stack) < 200 {
				stack = append(stack, m[2])
			}
		case m[1] == "error" && top >= 0:
			f.refuses(stack[top], n)
		case top < 0:
		case m[1] == "elif":
			stack[top] = m[2]
		case m[1] == "else":
			stack[top] = ""
		case m[1] == "endif":
			stack = stack[:top]
		}
	}
}

// header: one inside a condition may never be read; the file's own guard is such a condition too.
func (f *clueFile) header(name string, line, depth int) {
	note := ""
	if depth > 1 {
		note = "included under a condition"
	}
	for _, h := range headers {
		if h.name.MatchString(name) {
			if h.lib == "cccl" {
				f.add("toolkit.components", "cccl", line, note)
			} else {
				f.library(h.lib, line, note)
			}
			return
		}
	}
}

func (f *clueFile) refuses(cond string, line int) {
	if strings.Contains(cond, "||") {
		return
	}
	if m := cudaArchIf.FindStringSubmatch(cond); m != nil {
		if cc, err := gpu.ParseCC(m[1][:len(m[1])-1]); err == nil {
			f.add("arch.min", cc.String(), line, "")
		}
	}
	if m := cudaVerIf.FindStringSubmatch(cond); m != nil {
		f.add("toolkit.min", releaseNumber(m[1]), line, "")
	}
	if m := cudaMajorIf.FindStringSubmatch(cond); m != nil && !strings.Contains(cond, "MINOR") {
		f.add("toolkit.min", m[1]+".0", line, "")
	}
}

// releaseNumber reads 12040 as 12.4.
func releaseNumber(digits string) string {
	n := 0
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return version.Of(n/1000, n%1000/10).String()
}
