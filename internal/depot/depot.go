// Package depot keeps what cupel installed: whole folders under CUPEL_HOME, each with a manifest of every file in it. A
// folder appears when it is whole and proved and goes in one step; what a killed process left is swept by the next one.
// It knows files, locks and checksums, and nothing of CUDA.
package depot

import (
	"errors"
	"path/filepath"
	"time"

	"cupel/internal/resolve"
	"cupel/internal/unpack"
)

// Kinds of things that are kept, each a folder of CUPEL_HOME.
const (
	Toolkits  = "toolkits"
	Compilers = "compilers"
	Libraries = "libraries" // libclang
)

// ManifestName is the file in each folder, ManifestFormat its version (docs/formats/manifest.md).
const (
	ManifestName   = "cupel-manifest.json"
	ManifestFormat = "cupel.manifest/1"
)

// errNoHome: a folder of the current one would be found again from there alone.
var errNoHome = errors.New("no home folder is known here: name folders for it with CUPEL_HOME and CUPEL_CACHE")

// Depot is where things are kept.
type Depot struct {
	Home  string // CUPEL_HOME
	Cache string // CUPEL_CACHE
}

func (d Depot) kind(kind string) string { return filepath.Join(d.Home, kind) }

// Manifest says what lies in a folder. Files stand last in the file: who wants only the head need not read them.
type Manifest struct {
	Format     string           `json:"format"`
	Cupel      string           `json:"cupel"`
	Kind       string           `json:"kind"`
	Name       string           `json:"name"`
	Release    string           `json:"release"` // of a toolkit 13.0.2; of a compiler 13.3.0
	Nvcc       string           `json:"nvcc,omitempty"`
	Source     string           `json:"source"`
	Platform   resolve.Platform `json:"platform"`
	Installed  time.Time        `json:"installed"`
	Root       string           `json:"root,omitempty"`    // a root elsewhere that is only registered
	Command    string           `json:"command,omitempty"` // of a compiler: the program, below the folder
	Asked      []string         `json:"asked,omitempty"`
	Full       bool             `json:"full,omitempty"`
	Size       int64            `json:"size"`            // of all files together
	Words      []string         `json:"words,omitempty"` // what it has, by cupel's names
	Components []Component      `json:"components"`
	Proof      []string         `json:"proof"`
	Made       []string         `json:"made,omitempty"` // files that no parcel brought: made when the folder was finished
	Files      []unpack.File    `json:"files"`
}

// Component is one parcel it was made of.
type Component struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	File    string   `json:"file"`
	SHA256  string   `json:"sha256"`
	Size    int64    `json:"size"`
	Words   []string `json:"words,omitempty"` // what it brings, by cupel's names
}

// Installed is one folder of the depot.
type Installed struct {
	Dir      string
	Manifest Manifest // of List and Begin without the files
	Broken   error    // the manifest cannot be read
}

// Root is where the files are: the folder itself, or what it registers.
func (i Installed) Root() string {
	if i.Manifest.Root != "" {
		return i.Manifest.Root
	}
	return i.Dir
}
