// Package resolve decides what an install brings: which components a wish comes to, how a source names them, and where
// each of its files belongs in a CUDA root. It knows the tables (data/components.toml, data/sources) and what a source
// answered; it is pure and fetches nothing.
package resolve

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"cupel/internal/version"
)

// Request is what a person wants.
type Request struct {
	Release  version.V // 13.0, or 12.4.1
	Platform Platform
	With     []string // components beside the minimal set
	Full     bool     // everything the source has
}

// Offer is a release that a source has for a platform. Sizes are bytes; 0: not known.
type Offer struct {
	Source     string   `json:"source"`
	Release    string   `json:"release"`
	Platform   Platform `json:"platform"`
	Components []string `json:"components"` // words
	Minimal    Size     `json:"minimal"`
	Full       Size     `json:"full"`
	Preview    bool     `json:"preview,omitempty"` // for trying out: no plan takes it that does not name it
	Note       string   `json:"note,omitempty"`
}

// Size is what something weighs, in bytes; 0: not known.
type Size struct {
	Download  int64 `json:"download,omitempty"`
	Installed int64 `json:"installed,omitempty"`
}

// The forms in which a source hands things out.
const (
	Wheel  = "wheel"   // zip
	Zip    = "zip"     //
	TarXZ  = "tar.xz"  //
	TarGZ  = "tar.gz"  //
	TarBZ2 = "tar.bz2" // old conda packages
	Deb    = "deb"     // ar of tars
	Conda  = "conda"   // zip of tar.zst
	Tree   = "tree"    // a folder, unpacked already by the source's client
)

// Parcel is one thing to be fetched and laid into the root.
type Parcel struct {
	Component string   `json:"component"` // word; of a parcel that brings several, the first
	Brings    []string `json:"brings,omitempty"`
	Name      string   `json:"name"` // as the source calls it
	Version   string   `json:"version"`
	File      string   `json:"file"`             // base name; "" when only fetching tells
	Place     string   `json:"place,omitempty"`  // what the source needs to find it: an address, a path, a package=version
	SHA256    string   `json:"sha256,omitempty"` // hex; "" when the source tells none before it is fetched
	Size      Size     `json:"size"`
	Format    string   `json:"format"`
	License   string   `json:"license,omitempty"` // the name of its licence
}

// Plan is what an install will do.
type Plan struct {
	Source     string   `json:"source"`
	Release    string   `json:"release"` // exact: 13.0.2
	Platform   Platform `json:"platform"`
	Components []string `json:"components"` // words, in the table's order
	Asked      []string `json:"asked,omitempty"`
	Full       bool     `json:"full,omitempty"`
	Parcels    []Parcel `json:"parcels"`
	Size       Size     `json:"size"`           // a sum is 0 when one part of it is not known
	Root       string   `json:"root,omitempty"` // local: the root that is registered
}

// Name is the folder of an installed toolkit: 13.0.2-pip-linux-x86_64. One machine can have two roots of a release, so
// that of a registered root has a piece of a checksum of its path: 13.0.2-local-1c9f02ab-linux-x86_64.
func (p Plan) Name() string {
	source := p.Source
	if p.Root != "" {
		source += "-" + pathSum(p.Root, p.Platform.Windows())
	}
	return p.Release + "-" + source + "-" + p.Platform.String()
}

// pathSum tells folders apart as their system does: on Windows not by case.
func pathSum(path string, windows bool) string {
	if windows {
		path = strings.ToLower(path)
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:4])
}

// Sum adds up what the parcels weigh.
func Sum(parcels []Parcel) Size {
	var total Size
	var unknown Size
	for _, p := range parcels {
		total.Download += p.Size.Download
		total.Installed += p.Size.Installed
		if p.Size.Download == 0 {
			unknown.Download = 1
		}
		if p.Size.Installed == 0 {
			unknown.Installed = 1
		}
	}
	if unknown.Download > 0 {
		total.Download = 0
	}
	if unknown.Installed > 0 {
		total.Installed = 0
	}
	return total
}
