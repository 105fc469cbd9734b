// Package hostcompiler brings a gcc that a toolkit accepts, without root: packages of the distribution unpacked into a
// folder of the depot and made to run from there, proved by compiling and running a program. libclang comes the same
// way. It knows Debian's and Ubuntu's packages; elsewhere it says what a person can do.
package hostcompiler

import (
	"context"
	"path/filepath"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source/apt"
)

// Installer is what an install works with.
type Installer struct {
	Depot  depot.Depot
	Cupel  string
	Here   resolve.Platform
	Report progress.Report

	fetch func(ctx context.Context, p resolve.Parcel, dir string, report progress.Report) (string, error) // nil: apt
}

// Want is a compiler that would do: any of these majors of gcc, the first that can be had.
type Want struct {
	Majors []int
	For    string // what it is for, in words: CUDA 12.4
}

// Plan is what would be brought.
type Plan struct {
	Source  string           `json:"source"` // apt
	Name    string           `json:"name"`   // gcc-13, libclang-19
	Version string           `json:"version"`
	Parcels []resolve.Parcel `json:"parcels"`
	Size    resolve.Size     `json:"size"`
}

// Outcome is a compiler that runs.
type Outcome struct {
	Installed depot.Installed
	Command   string // path of g++; of libclang the folder for LIBCLANG_PATH
	Version   string
	Variables map[string]string // what leads builds to it
	Already   bool
	Proof     []string
}

// packages is the distribution's apt with its state in the cache.
func (i Installer) packages() *apt.Source {
	return apt.New(apt.Config{State: filepath.Join(i.Depot.Cache, "apt")})
}
