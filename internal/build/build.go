// Package build makes the kernels of a contract. Builder is what the commands know; Plain is the first one: every source
// compiled with one plain nvcc call after the other, nothing remembered.
package build

import (
	"context"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// Tools are what builds.
type Tools struct {
	Nvcc     string
	Release  version.V
	Family   string // of the host compiler: gcc, clang, msvc
	Compiler string // for -ccbin; empty: what nvcc finds
	Env      []string
	LocalEnv bool // Windows: Env holds what vcvarsall.bat would set, so nvcc need not ask it
	Platform resolve.Platform
}

// Job is what is to be built.
type Job struct {
	Root         string // of the project
	Out          string // build/cupel; below Root unless it is a whole path
	Requirements contract.Requirements
	Sources      []fact.Sources // files of each kernel, relative to Root with slashes
	Targets      []gpu.Arch     // of a kernel that names none: see environ.Archs
	Tools        Tools
	Only         []string // names of kernels; empty: all
	Report       progress.Report
}

// Output is one file that was made.
type Output struct {
	Kernel string `json:"kernel"`
	Kind   string `json:"kind"` // ptx, cubin, fatbin, object, static, shared
	Path   string `json:"path"`
	Size   int64  `json:"size"`
}

// Call is one compiler call.
type Call struct {
	Kernel   string   `json:"kernel"`
	Argv     []string `json:"argv"`
	Code     int      `json:"code"`
	Output   string   `json:"output,omitempty"` // both streams as they came
	Optional bool     `json:"optional,omitempty"`
}

// Result is what a build made and what failed.
type Result struct {
	Outputs []Output `json:"outputs"`
	Calls   int      `json:"calls"`
	Failed  []Call   `json:"failed,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// Builder builds a job. A compiler that failed is in the result; an error means that nothing could be tried.
type Builder interface {
	Build(ctx context.Context, j Job) (Result, error)
}
