// Package closure tells which files a compilation read, and which files that are not there would have changed it: from the
// preprocessed files that nvcc left behind, for every architecture and for the host. The shim uses it, so it leans on
// little.
package closure

import (
	"time"

	"cupel/internal/digest"
	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// Closure is everything that one compilation depends on besides its options and tools.
type Closure struct {
	Files  []File // those of the project first: they change most
	Absent []Absent
}

// File is one file that was read, or asked for: its path as the compiler wrote it (relative to the working folder, or
// whole). One without a digest is a folder or a link to nothing that stands where a file was looked for: it must stay
// without one.
type File struct {
	Path  string
	Known stamp.Known
}

// Absent are names that are not in a folder: would one come, the compiler might take it. A folder that stayed as it is has
// none of them. Dir may be a file: then a name could come only in its place.
type Absent struct {
	Dir     string // as File.Path
	Stamp   stamp.Stamp
	Settled bool
	Names   []string // names in the folder itself, sorted
}

// Question is where to look.
type Question struct {
	Keep     string // the folder that nvcc left its files in
	Dir      string // the working folder of the call
	Recipe   recipe.Recipe
	Includes []string  // toolchain.Tools.Includes
	Began    time.Time // of the compilation: a file that changed since is not what was read
	Before   Before    // Look, taken before that
	Epoch    bool      // SOURCE_DATE_EPOCH is set and part of the key: __DATE__ and __TIME__ are declared
}

// Walk tells the files by path and content.
func (c Closure) Walk(w digest.Writer) {
	for _, f := range c.Files {
		w.Field("file", f.Path, f.Known.Digest.String())
	}
}
