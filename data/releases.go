package data

import (
	"strconv"
	"strings"
)

// Release is one CUDA toolkit release. Empty fields are not established, never guessed.
type Release struct {
	Version    string   `toml:"version"` // 12.4.1
	Label      string   `toml:"label"`   // 12.4 Update 1
	Preview    bool     `toml:"preview"`
	Date       string   `toml:"date"`
	Nvcc       string   `toml:"nvcc"` // build that nvcc --version prints, without the V
	NvccDate   string   `toml:"nvcc-date"`
	Branch     string   `toml:"branch"`  // driver branch, R590
	Paired     PerOS    `toml:"paired"`  // driver NVIDIA lists for this release (rule c)
	Bundled    string   `toml:"bundled"` // driver inside the Linux installer, where it differs from Paired
	Platforms  []string `toml:"platforms"`
	Notes      []string `toml:"notes"`
	Source     []string `toml:"source"`
	PTX        string   `toml:"-"` // from the row of X.Y
	Floor      PerOS    `toml:"-"` // from the row of the major (rule a)
	Archs      []string `toml:"-"` // from the row of X.Y: 75 80 90a …
	Added      []string `toml:"-"`
	Dropped    []string `toml:"-"`
	Deprecated []string `toml:"-"`
	Default    string   `toml:"-"` // target of nvcc without -arch
	ArchSource []string `toml:"-"`
	RuleSource []string `toml:"-"`
}

// PerOS is a version that differs between Linux and Windows.
type PerOS struct {
	Linux   string `toml:"linux"`
	Windows string `toml:"windows"`
}

// On returns the version for an operating system; WSL2 uses the Windows driver.
func (p PerOS) On(os string) string {
	switch os {
	case "windows", "wsl2", "wsl":
		return p.Windows
	}
	return p.Linux
}

// Line is what all updates of one X.Y share.
type Line struct {
	Version     string   `toml:"version"`
	PTX         string   `toml:"ptx"`
	Archs       string   `toml:"archs"`
	Added       string   `toml:"added"`
	Dropped     string   `toml:"dropped"`
	Deprecated  string   `toml:"deprecated"`
	DefaultArch string   `toml:"default-arch"`
	Source      []string `toml:"source"`
}

// MajorRule is rule a: the oldest driver on which programs of any toolkit of that major start.
type MajorRule struct {
	Major   int      `toml:"major"`
	Floor   PerOS    `toml:"floor"`
	Notes   []string `toml:"notes"`
	Source  []string `toml:"source"`
	Checked string   `toml:"checked"`
}

// NeverReleased is a number people ask for that does not exist.
type NeverReleased struct {
	Version string   `toml:"version"`
	Why     string   `toml:"why"`
	Source  []string `toml:"source"`
}

// DriverBranch says which CUDA level a branch supports where no released toolkit pairs with it.
type DriverBranch struct {
	Branch string   `toml:"branch"`
	Level  string   `toml:"level"`
	Source []string `toml:"source"`
}

// Forward is one row of the forward-compatibility matrix: cuda-compat-X-Y on kernel drivers of a branch.
type Forward struct {
	Toolkit  string   `toml:"toolkit"`
	Works    []string `toml:"works"`   // branches the package runs on
	Native   []string `toml:"native"`  // branches that pair with the toolkit already
	Refused  []string `toml:"refused"` // branches it does not run on
	Source   []string `toml:"source"`
	OnlyFor  []string `toml:"-"`
	Package  string   `toml:"-"`
	Installs string   `toml:"-"`
}

// ReleaseTable is the whole of releases.toml.
type ReleaseTable struct {
	Checked  string          `toml:"checked"`
	Sources  Sources         `toml:"sources"`
	Majors   []MajorRule     `toml:"major"`
	Lines    []Line          `toml:"line"`
	Releases []Release       `toml:"release"`
	Never    []NeverReleased `toml:"never-released"`
	Branches []DriverBranch  `toml:"driver-branch"`
	Compat   ForwardPackages `toml:"forward-compat"`
}

// ForwardPackages describes NVIDIA's cuda-compat packages.
type ForwardPackages struct {
	Package  string    `toml:"package"`
	Installs string    `toml:"installs-to"`
	OnlyFor  []string  `toml:"only-for"`
	Source   []string  `toml:"source"`
	Checked  string    `toml:"checked"`
	Rows     []Forward `toml:"row"`
}

// AllReleases is releases.toml, parsed once.
var AllReleases = once("releases.toml", finishReleases)

// Releases lists every release, oldest first.
func Releases() []Release { return AllReleases().Releases }

// finishReleases gives each release what its X.Y and its major say, and resolves the sources.
func finishReleases(t *ReleaseTable) {
	lines := map[string]Line{}
	for _, l := range t.Lines {
		t.Sources.resolve(l.Source)
		lines[l.Version] = l
	}
	majors := map[string]MajorRule{}
	for _, m := range t.Majors {
		t.Sources.resolve(m.Source)
		majors[strconv.Itoa(m.Major)] = m
	}
	for i := range t.Releases {
		r := &t.Releases[i]
		t.Sources.resolve(r.Source)
		short, major := cutParts(r.Version)
		r.fill(lines[short], majors[major])
	}
	for _, n := range t.Never {
		t.Sources.resolve(n.Source)
	}
	for _, b := range t.Branches {
		t.Sources.resolve(b.Source)
	}
	t.Compat.finish(t.Sources)
}

func (r *Release) fill(l Line, m MajorRule) {
	r.PTX, r.ArchSource = l.PTX, l.Source
	r.Archs, r.Added = Words(l.Archs), Words(l.Added)
	r.Dropped, r.Deprecated = Words(l.Dropped), Words(l.Deprecated)
	r.Floor, r.RuleSource = m.Floor, m.Source
	r.Default = l.DefaultArch
}

func (p *ForwardPackages) finish(s Sources) {
	s.resolve(p.Source)
	for i := range p.Rows {
		row := &p.Rows[i]
		row.Source, row.OnlyFor = p.Source, p.OnlyFor
		row.Package, row.Installs = p.Package, p.Installs
	}
}

// cutParts gives X.Y and X of a dotted version.
func cutParts(v string) (short, major string) {
	f := strings.SplitN(v, ".", 3)
	return strings.Join(f[:min(2, len(f))], "."), f[0]
}
