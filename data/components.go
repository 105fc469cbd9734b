package data

import (
	"path"
	"slices"
)

// ComponentWord is one component of a toolkit under cupel's name.
type ComponentWord struct {
	Word    string   `toml:"word"`
	What    string   `toml:"what"`
	Minimal bool     `toml:"minimal"` // part of the set that compiles and links kernels
	Apart   bool     `toml:"apart"`   // has releases of its own: no part of --full
	Needs   []string `toml:"needs"`
	Parts   []string `toml:"parts"`   // words of a contract's toolkit.components
	License string   `toml:"license"` // instead of the table's own
	Source  []string `toml:"source"`
}

// License is a licence by the one name that cupel has for it.
type License struct {
	Name   string   `toml:"name"`
	Said   []string `toml:"said"` // how lists of NVIDIA's archives name it
	Source []string `toml:"source"`
}

// ComponentTable is the whole of components.toml.
type ComponentTable struct {
	Checked    string          `toml:"checked"`
	License    string          `toml:"license"` // of components that name none
	Sources    Sources         `toml:"sources"`
	Components []ComponentWord `toml:"component"`
	Licenses   []License       `toml:"license-name"`
}

// AllComponents is components.toml, parsed once.
var AllComponents = once("components.toml", func(t *ComponentTable) {
	for _, r := range t.Components {
		t.Sources.resolve(r.Source)
	}
	for _, r := range t.Licenses {
		t.Sources.resolve(r.Source)
	}
})

// LicenseOf names the licence of a component, the toolkit's for what has no word.
func LicenseOf(word string) string {
	if c, _ := ComponentByWord(word); c.License != "" {
		return c.License
	}
	return AllComponents().License
}

// LicenseNamed is the licence that a list says a component has; one that cupel has no name for keeps the list's.
func LicenseNamed(said, word string) string {
	for _, l := range AllComponents().Licenses {
		if slices.Contains(l.Said, said) {
			return l.Name
		}
	}
	if said == "" {
		return LicenseOf(word)
	}
	return said
}

// ComponentByWord finds a component by cupel's name.
func ComponentByWord(word string) (ComponentWord, bool) {
	rows := AllComponents().Components
	i := slices.IndexFunc(rows, func(c ComponentWord) bool { return c.Word == word })
	if i < 0 {
		return ComponentWord{}, false
	}
	return rows[i], true
}

// SourceTable is one file of sources/: how a source of toolkits names components, and where in a CUDA root its files
// belong.
type SourceTable struct {
	Checked    string         `toml:"checked"`
	Sources    Sources        `toml:"sources"`
	Components []SourceRow    `toml:"component"`
	Lacks      []LackRow      `toml:"lacks"`
	Layout     []LayoutRow    `toml:"layout"`
	Releases   []SourceOffers `toml:"release"` // what is known without asking the source
	Suites     []SuiteRow     `toml:"suite"`   // apt: where a release can be had
}

// SourceRow says how a source names one component. The first row that holds for a release and a platform counts.
type SourceRow struct {
	Word   string   `toml:"word"`
	Names  []string `toml:"names"` // packages, archives, extras; templates: <X> <Y> major and minor
	In     string   `toml:"in"`    // instead of names: it lies within this component
	First  string   `toml:"first"` // releases, X.Y; empty: no bound
	Last   string   `toml:"last"`
	On     []string `toml:"on"`    // platforms: linux-x86_64, or linux
	Needs  []string `toml:"needs"` // words, beside those of components.toml
	Source []string `toml:"source"`
}

// LackRow says why a source has no row for components that one would look for there.
type LackRow struct {
	Words  []string `toml:"words"`
	On     []string `toml:"on"`
	Why    string   `toml:"why"`
	Source []string `toml:"source"`
}

// LayoutRow says where files of a source go in a CUDA root. Rows are tried in order, the first that matches counts; a
// file that none matches is left out. From is matched segment by segment with the wildcards of path.Match; ** at its
// end stands for everything below. To that ends in a slash gets the base name, or what ** stood for, put after it.
// <target> is x86_64-linux or sbsa-linux, <component> cupel's word.
type LayoutRow struct {
	From      string   `toml:"from"`
	To        string   `toml:"to"`
	Drop      bool     `toml:"drop"`
	Component string   `toml:"component"` // only for parcels of this component
	On        []string `toml:"on"`
	First     string   `toml:"first"`
	Last      string   `toml:"last"`
	Full      bool     `toml:"full"` // only with --full, or when its component was asked for by name
}

// SourceOffers is a release as a source is known to have it.
type SourceOffers struct {
	Release  string       `toml:"release"`
	Platform string       `toml:"platform"`
	Sizes    []SourceSize `toml:"size"`
	Source   []string     `toml:"source"`
}

// SourceSize is the weight of one component, in bytes; and where the source never changes a file under its name, that
// file.
type SourceSize struct {
	Word      string   `toml:"word"`
	Version   string   `toml:"version"`
	Download  int64    `toml:"download"`
	Installed int64    `toml:"installed"`
	Also      []string `toml:"also"` // words that the source brings along with it, beside its needs
	File      string   `toml:"file"`
	SHA256    string   `toml:"sha256"`
}

// SuiteRow says which suite of a distribution has which release.
type SuiteRow struct {
	Distribution string   `toml:"distribution"` // debian, ubuntu
	Suite        string   `toml:"suite"`
	Release      string   `toml:"release"`
	Components   []string `toml:"components"` // main, contrib, non-free
	GCC          []int    `toml:"gcc"`        // majors that the suite has
	Preview      bool     `toml:"preview"`    // a suite for trying things out: taken only when its release is asked for
	Source       []string `toml:"source"`
}

// SourceNames are the sources of toolkits in the order in which they are tried.
var SourceNames = []string{"redist", "pip", "apt", "conda", "local"}

var sourceTables = map[string]func() *SourceTable{
	"redist": sourceTable("redist"), "pip": sourceTable("pip"), "apt": sourceTable("apt"), "conda": sourceTable("conda"),
	"local": func() *SourceTable { return &SourceTable{} },
}

func sourceTable(name string) func() *SourceTable {
	return once(path.Join("sources", name+".toml"), func(t *SourceTable) {
		for _, r := range t.Components {
			t.Sources.resolve(r.Source)
		}
		for _, r := range t.Lacks {
			t.Sources.resolve(r.Source)
		}
		for _, r := range t.Releases {
			t.Sources.resolve(r.Source)
		}
		for _, r := range t.Suites {
			t.Sources.resolve(r.Source)
		}
	})
}

// SourceOf is the table of a source.
func SourceOf(name string) *SourceTable {
	if f := sourceTables[name]; f != nil {
		return f()
	}
	return &SourceTable{}
}
