// Package emit writes the result of a build in the language of the build system that asked for it. It reads nothing.
package emit

import (
	"fmt"
	"slices"
	"strings"
)

// Build is what was built, as the formats need it.
type Build struct {
	Name      string // of the project, as its contract says it; empty: its folder's
	Project   string // folder of the project, whole
	Out       string // folder of the outputs, whole
	OS        string // linux, windows: of the target
	Toolkit   Toolkit
	Kernels   []Kernel
	Inputs    []string // everything that the build depends on: sources, headers, cupel.toml; whole paths, sorted
	Folders   []string // where patterns of sources are looked for, whole: what comes there may be one; none that the build writes to
	Variables []string // names of those that another result may come from
	Calls     []Call
	Package   string // of the Go files beside the one that is written; empty: there are none
}

// Toolkit is what the libraries need at run time.
type Toolkit struct {
	Root    string
	Release string
	Include string
	LibDirs []string // folders with cudart, whole
}

// Kernel is one [[kernels]] of the contract, or what the command line named.
type Kernel struct {
	Name     string
	LinkName string // of its library; empty: Name
	Archs    []string
	RDC      bool   // its library needs cudadevrt
	Linked   bool   // its device code is linked, so that a host compiler can link its library
	Cudart   string // what nvcc -cudart was told: static, shared, none; empty: nothing
	Files    []File
	Failed   bool // something optional of it was not built
	Absent   bool // nothing of it is planned: this system is excluded, or it is optional and no source is there
}

// File is one output.
type File struct {
	Kind   string // ptx, cubin, fatbin, object, device-link (an object too), static, shared
	Path   string // whole
	Source string // as the contract names it; empty: it was linked
	Arch   string // of PTX and cubin files
	Digest string // of a static library's bytes, for cgo; empty: nobody asked
}

// Call is one compiler call, for editors.
type Call struct {
	Dir, Source, Output string
	Argv                []string
}

// Formats are the names that Write takes.
var Formats = []string{"cargo", "rust", "cmake", "cgo", "pkg-config", "json", "depfile", "compile-commands"}

// Write writes a build in one of Formats. An error means that the format cannot say what a path holds.
func Write(format string, b Build) ([]byte, error) {
	text, err := write(format, b)
	if err != nil {
		return nil, fmt.Errorf("emit %s: %w", format, err)
	}
	return text, nil
}

func write(format string, b Build) ([]byte, error) {
	if err := check(format, b); err != nil {
		return nil, err
	}
	switch format {
	case "cargo":
		return cargo(b), nil
	case "rust":
		return Rust(b), nil
	case "cmake":
		return cmake(b)
	case "cgo":
		return cgo(b)
	case "pkg-config":
		return pkgConfig(b)
	case "json":
		return asJSON(b)
	case "depfile":
		return depfile(b)
	case "compile-commands":
		return compileCommands(b)
	}
	return nil, fmt.Errorf("no such format: there are %s", strings.Join(Formats, ", "))
}

// built are the kernels that have outputs. One that failed may have some: its other files, or a library without one of them.
func (b Build) built() []Kernel {
	return slices.DeleteFunc(slices.Clone(b.Kernels), func(k Kernel) bool { return len(k.Files) == 0 })
}

// files are the outputs of some kinds.
func (k Kernel) files(kinds ...string) []File {
	var out []File
	for _, f := range k.Files {
		if slices.Contains(kinds, f.Kind) {
			out = append(out, f)
		}
	}
	return out
}
