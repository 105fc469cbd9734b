// Package toolkit installs CUDA toolkits side by side without root: it fetches what a plan names, checks it, lays it
// out as one normal CUDA root, mends what the source's layout lacks, proves that the compiler answers, and only then
// makes it visible.
package toolkit

import (
	"fmt"
	"time"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// Installer is what an install works with.
type Installer struct {
	Depot    depot.Depot
	Cupel    string           // version of this program
	Here     resolve.Platform // what can be run
	Compiler string           // host compiler for the proof; empty: what nvcc finds
	Jobs     int              // parcels fetched at once; 0: a default
	Keep     bool             // downloads are kept
	Report   progress.Report
}

// Outcome is what an install did.
type Outcome struct {
	Installed depot.Installed
	Already   bool // everything was there
	Added     []string
	Fetched   int64 // bytes; what was in the cache is not counted
	Unpacked  int64
	Times     map[string]time.Duration // by phase; fetching and unpacking overlap
	Proof     []string
}

// Unproved is a root whose compiler does not answer. It was taken away again.
type Unproved struct {
	Plan resolve.Plan
	Step string
	Said string
}

func (e Unproved) Error() string {
	return "prove CUDA " + e.Plan.Release + ": " + e.Step + ": " + e.Said
}

// WrongChecksum is a parcel that is not what the source promised.
type WrongChecksum struct {
	Parcel    resolve.Parcel
	Got       string
	GotSize   int64
	Truncated bool
	Kept      string // where it still lies, because it is not cupel's: a mirror in a folder; empty: it was deleted
}

func (e WrongChecksum) Error() string {
	text := fmt.Sprintf("verify %s: sha256 is %s, want %s: ", e.Parcel.Name, e.Got, e.Parcel.SHA256)
	if e.Truncated || e.Parcel.SHA256 == "" {
		text = fmt.Sprintf("verify %s: it has %d bytes, want %d: ", e.Parcel.Name, e.GotSize, e.Parcel.Size.Download)
	}
	end := "it was deleted"
	if e.Kept != "" {
		end = "it lies in " + e.Kept + " and was left there"
	}
	switch {
	case e.Truncated && e.Kept != "":
		return text + "it was cut off; " + end
	case e.Truncated:
		return text + "it was cut off, and was deleted"
	case e.Parcel.Format == resolve.Wheel && e.Parcel.SHA256 != "": // pip has compared it with what the index says of it
		return text + "the package index has another " + e.Parcel.File + " than NVIDIA published (a mirror that made it anew, or changed it); " + end
	}
	return text + end
}
