// Package lock holds what a contract came to: the types of cupel.lock (docs/formats/lock.md), its strict reader and
// its writer, what there is to lock on a machine, and whether a lock still fits. It is pure: it is given bytes and
// what verify decided from, and never looks at a machine or a file.
package lock

import (
	"maps"
	"slices"
	"strings"
)

// Version is that of the file, AnswerFormat that of the command's JSON answer.
const (
	Version      = 1
	AnswerFormat = "cupel.lock/1"
)

// MaxSize bounds a lock file.
const MaxSize = 1 << 20

// Lock is one cupel.lock. Each platform has a part of its own, so a lock made on Linux keeps what was locked on
// Windows.
type Lock struct {
	Cupel     int                 `toml:"cupel" json:"cupel"`
	Platforms map[string]Platform `toml:"platform" json:"platform"` // linux-amd64 → …
}

// Platform is what was resolved for one kind of machine.
type Platform struct {
	Contract   string      `toml:"contract" json:"contract"` // sha256 of the cupel.toml it was resolved from
	Toolkit    Toolkit     `toml:"toolkit" json:"toolkit"`
	Components []Component `toml:"component" json:"component,omitempty"`
	Host       *Host       `toml:"host" json:"host,omitempty"`
	Arch       *Arch       `toml:"arch" json:"arch,omitempty"`
}

// Toolkit is the release that builds, and the exact compiler in it.
type Toolkit struct {
	Release string `toml:"release" json:"release"`
	Nvcc    string `toml:"nvcc" json:"nvcc,omitempty"`
	Source  string `toml:"source" json:"source"`
}

// Sources are the places a toolkit may come from: what the probe tells of one that is installed, and what cupel
// may fetch one from.
var Sources = []string{"installer", "distribution", "conda", "pip", "hpc-sdk", "cupel", "redist", "apt", "local", "unknown"}

// Component is one file that a toolkit of cupel's was made of, as its source offers it.
type Component struct {
	Name    string `toml:"name" json:"name"`
	Version string `toml:"version" json:"version"`
	File    string `toml:"file" json:"file"`
	SHA256  string `toml:"sha256" json:"sha256"`
	Size    int64  `toml:"size" json:"size"`
}

// Host is the host compiler.
type Host struct {
	Family  string `toml:"family" json:"family"` // gcc, clang, msvc
	Version string `toml:"version" json:"version"`
}

// Arch is what the kernels are built for.
type Arch struct {
	Targets []string `toml:"targets" json:"targets"`   // sm_86, sm_90a
	PTX     string   `toml:"ptx" json:"ptx,omitempty"` // highest, all, none
}

// names are the platforms a key may begin with, machines those it may end with.
var (
	names    = []string{"linux", "windows", "wsl2", "jetson"}
	machines = []string{"amd64", "arm64"}
)

// Key is the name of a platform's part.
func Key(platform, machine string) string { return platform + "-" + machine }

// For is the part for a platform, named with its machine (linux-amd64) or without. WSL2 runs what Linux runs: without
// a part of its own it has that of Linux.
func (l *Lock) For(platform string) (Platform, string, bool) {
	if l == nil {
		return Platform{}, "", false
	}
	for _, key := range slices.Sorted(maps.Keys(l.Platforms)) {
		if key == platform || strings.HasPrefix(key, platform+"-") {
			return l.Platforms[key], key, true
		}
	}
	if rest, ok := strings.CutPrefix(platform, "wsl2"); ok {
		return l.For("linux" + rest)
	}
	return Platform{}, "", false
}

// Release is the locked release for a platform; "" when it has none.
func (l *Lock) Release(platform string) string {
	p, _, _ := l.For(platform)
	return p.Toolkit.Release
}

// Merge is old with the parts of l in the place of its own.
func (l Lock) Merge(old *Lock) Lock {
	out := Lock{Cupel: Version, Platforms: map[string]Platform{}}
	if old != nil {
		maps.Copy(out.Platforms, old.Platforms)
	}
	maps.Copy(out.Platforms, l.Platforms)
	return out
}
