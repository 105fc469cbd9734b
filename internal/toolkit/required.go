package toolkit

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/resolve"
)

// requirement is a file that a root must have for a component to be of use. Any of the patterns will do.
type requirement struct {
	word    string
	linux   []string
	windows []string
	program bool // it runs on the platform
}

// These are the files that a compilation with nvcc --dryrun names, and what it links by itself.
var requirements = []requirement{
	{word: "nvcc", linux: []string{"bin/nvcc"}, windows: []string{"bin/nvcc.exe"}, program: true},
	{word: "nvcc", linux: []string{"bin/ptxas"}, windows: []string{"bin/ptxas.exe"}, program: true},
	{word: "nvcc", linux: []string{"bin/fatbinary"}, windows: []string{"bin/fatbinary.exe"}, program: true},
	{word: "nvcc", linux: []string{"bin/cudafe++"}, windows: []string{"bin/cudafe++.exe"}, program: true},
	{word: "nvcc", linux: []string{"bin/nvlink"}, windows: []string{"bin/nvlink.exe"}, program: true},
	{word: "nvcc", linux: []string{"bin/nvcc.profile"}, windows: []string{"bin/nvcc.profile"}},
	{word: "nvvm", linux: []string{"nvvm/bin/cicc"}, windows: []string{"nvvm/bin/cicc.exe"}, program: true},
	{word: "nvvm", linux: []string{"nvvm/libdevice/libdevice*.bc"}, windows: []string{"nvvm/libdevice/libdevice*.bc"}},
	{word: "crt", linux: []string{"include/crt/host_config.h"}, windows: []string{"include/crt/host_config.h"}},
	{word: "cudart", linux: []string{"include/cuda_runtime.h"}, windows: []string{"include/cuda_runtime.h"}},
	{word: "cudart", linux: []string{"include/cuda.h"}, windows: []string{"include/cuda.h"}},
	{word: "cudart", linux: []string{"lib64/libcudart.so"}, windows: []string{"lib/x64/cudart.lib", "lib/arm64/cudart.lib"}},
	{word: "cudart", linux: []string{"lib64/libcudart_static.a"}, windows: []string{"lib/x64/cudart_static.lib", "lib/arm64/cudart_static.lib"}},
	{word: "cudart", linux: []string{"lib64/libcudadevrt.a"}, windows: []string{"lib/x64/cudadevrt.lib", "lib/arm64/cudadevrt.lib"}},
	{word: "cudart", linux: []string{"lib64/stubs/libcuda.so"}, windows: []string{"lib/x64/cuda.lib", "lib/arm64/cuda.lib"}},
}

// required lists what a plan's components must have brought: the rows above, and the libraries of data/parts.toml.
func required(plan resolve.Plan) []requirement {
	var out []requirement
	for _, r := range requirements {
		if slices.Contains(plan.Components, r.word) {
			out = append(out, r)
		}
	}
	for _, word := range plan.Components {
		c, _ := data.ComponentByWord(word)
		for _, p := range data.Parts() {
			if slices.Contains(c.Parts, p.Word) {
				out = append(out, ofPart(word, p))
			}
		}
	}
	return out
}

// ofPart is where a library or header of the table lies in a root that cupel laid out.
func ofPart(word string, p data.Part) requirement {
	r := requirement{word: word}
	for _, h := range p.Headers {
		r.linux = append(r.linux, path.Join("include", h))
	}
	if len(p.Headers) > 0 {
		r.windows = r.linux
		return r
	}
	r.linux = []string{path.Join("lib64", p.Below, p.Linux)}
	r.windows = []string{path.Join("lib/x64", p.Windows), path.Join("lib/arm64", p.Windows)}
	for _, f := range p.Folders {
		r.linux = append(r.linux, path.Join(f, p.Linux))
		r.windows = append(r.windows, path.Join(f, p.Windows))
	}
	return r
}

func (r requirement) patterns(p resolve.Platform) []string {
	if p.Windows() {
		return r.windows
	}
	return r.linux
}

// find is the file that meets a requirement, or "".
func (r requirement) find(dir string, p resolve.Platform) string {
	for _, pattern := range r.patterns(p) {
		// The folder itself may have letters that mean something to a pattern, so only the last part is one.
		parent, last := path.Split(pattern)
		entries, _ := filepath.Glob(filepath.Join(quoteMeta(dir), filepath.FromSlash(parent), last))
		if len(entries) > 0 {
			return entries[0]
		}
	}
	return ""
}

// quoteMeta keeps a folder's name from being read as a pattern.
func quoteMeta(dir string) string {
	if filepath.Separator == '\\' { // patterns have no escape there
		return dir
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}
