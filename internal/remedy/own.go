package remedy

import (
	"cmp"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// What cupel can do itself: kinds of Action.
const (
	DoInstall  = "toolkit-install" // Release with With, from Source where that was decided
	DoCompiler = "host-compiler"   // a gcc of Major
	DoClang    = "libclang"
	DoUse      = "use" // choose Toolkit, with Compiler where it is not the default
)

// Action is a step in a form that a program carries out.
type Action struct {
	Kind     string   `json:"kind"`
	Release  string   `json:"release,omitempty"`
	Source   string   `json:"source,omitempty"` // empty: the first that has it
	With     []string `json:"with,omitempty"`
	Major    int      `json:"major,omitempty"`
	Toolkit  string   `json:"toolkit,omitempty"` // its root
	Compiler string   `json:"compiler,omitempty"`
}

// shelf is what the sources of toolkits have for a machine. What nobody asked them is taken from the tables: there a
// source is taken to be reachable.
type shelf struct {
	offers  []resolve.Offer
	reached []string // sources that answered; nil: not asked
}

// stock is what was answered, else what the tables say, looked up once for all searches about a machine.
func (s *search) stock() *shelf {
	if s.shelf == nil {
		s.shelf = &shelf{offers: tableOffers(s.in.Machine.System)}
	}
	return s.shelf
}

// answers says that a source can be used.
func (s shelf) answers(source string) bool {
	return s.reached == nil || slices.Contains(s.reached, source)
}

// sources in the order in which they are tried, without those that need something of their own first.
func tabled() []string {
	return slices.DeleteFunc(slices.Clone(data.SourceNames), func(s string) bool { return s == "local" || s == "conda" })
}

// platformOf is the machine as toolkits name it.
func platformOf(sys fact.System) resolve.Platform {
	os := "linux"
	if sys.OS == fact.Windows {
		os = "windows"
	}
	return resolve.Platform{OS: os, Arch: sys.Arch}
}

// tableOffers is what the sources have by their tables: every release that a table names the compiler of.
func tableOffers(sys fact.System) []resolve.Offer {
	p := platformOf(sys)
	var out []resolve.Offer
	for _, source := range tabled() {
		for _, r := range compat.Releases() {
			v, _ := version.Parse(r.Version)
			if r.Preview || !published(r.Platforms, sys) || source == "apt" && !inSuite(sys, v) {
				continue
			}
			if words := resolve.Offered(source, v, p); slices.Contains(words, "nvcc") {
				out = append(out, resolve.Offer{Source: source, Release: r.Version, Platform: p, Components: words, Minimal: minimal(source, v, p)})
			}
		}
	}
	return out
}

// withoutPreviews: a plan takes nothing that its maker gives out for trying.
func withoutPreviews(offers []resolve.Offer) []resolve.Offer {
	return slices.DeleteFunc(slices.Clone(offers), func(o resolve.Offer) bool { return o.Preview })
}

// inSuite: a suite of the machine's distribution has the release.
func inSuite(sys fact.System, v version.V) bool {
	return slices.ContainsFunc(data.SourceOf("apt").Suites, func(s data.SuiteRow) bool {
		have, _ := version.Parse(s.Release)
		return s.Distribution == sys.Distro.Value.ID && sys.OS != fact.Windows && have == v && !s.Preview
	})
}

// minimal is what the smallest install loads, where a table knows every part of it.
func minimal(source string, v version.V, p resolve.Platform) resolve.Size {
	for _, r := range data.SourceOf(source).Releases {
		if r.Release != v.String() || r.Platform != p.String() {
			continue
		}
		var parcels []resolve.Parcel
		for _, s := range r.Sizes {
			if slices.Contains(resolve.Minimal(), s.Word) {
				parcels = append(parcels, resolve.Parcel{Size: resolve.Size{Download: s.Download, Installed: s.Installed}})
			}
		}
		return resolve.Sum(parcels)
	}
	return resolve.Size{}
}

// extraWords are the components that a contract's words come to beside the smallest install.
func extraWords(words []string) []string {
	var out []string
	for _, w := range words {
		c := resolve.ForPart(w)
		if c != "" && !slices.Contains(resolve.Minimal(), c) && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// stocked is a release that a source has.
type stocked struct {
	resolve.Offer
	release version.V
}

// inOrder are the offers with all these components that a plan may take, those of the first source before the next, the
// oldest release first.
func (s shelf) inOrder(with []string, take func(version.V) bool) []stocked {
	order := s.reached
	if order == nil {
		order = data.SourceNames
	}
	var out []stocked
	for _, o := range s.offers {
		lacks := slices.ContainsFunc(with, func(w string) bool { return !slices.Contains(o.Components, w) })
		if v, err := version.Parse(o.Release); err == nil && !lacks && slices.Contains(order, o.Source) && take(v) {
			out = append(out, stocked{o, v})
		}
	}
	slices.SortStableFunc(out, func(a, b stocked) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Source), slices.Index(order, b.Source)), a.release.Compare(b.release))
	})
	return out
}

// choices is one offer for each X.Y: of the first source that has it the newest update. Which update another source has
// decides nothing, unless the contract recommends that very one.
func (s shelf) choices(bands contract.Bands, take func(version.V) bool) []stocked {
	var out []stocked
	for _, x := range s.inOrder(extraWords(bands.Components), take) {
		at := slices.IndexFunc(out, func(y stocked) bool { return y.release.Short() == x.release.Short() })
		switch wished := recommended(bands, x.release); {
		case at < 0:
			out = append(out, x)
		case wished && !recommended(bands, out[at].release), x.Source == out[at].Source && wished == recommended(bands, out[at].release):
			out[at] = x
		}
	}
	return out
}

// turns numbers the sources of offers in the order in which they are tried.
func turns(list []stocked) map[string]int {
	out := map[string]int{}
	for _, x := range list {
		if _, ok := out[x.Source]; !ok {
			out[x.Source] = len(out)
		}
	}
	return out
}

// newest: the source has no later update of the same X.Y, so that X.Y names this one.
func (s shelf) newest(x stocked) bool {
	return !slices.ContainsFunc(s.offers, func(o resolve.Offer) bool {
		v, _ := version.Parse(o.Release)
		return o.Source == x.Source && v.Short() == x.release.Short() && x.release.Less(v)
	})
}

// brought fills an own way for a release: its source, its components, its place.
func (g grounds) brought(o offer, from stocked, bands contract.Bands) offer {
	with, v := extraWords(bands.Components), from.release
	name := v.Short().String()
	if r := bands.Recommended; r != nil && r.Version.Parts() > 2 && r.Version.V == v || !g.shelf.newest(from) {
		name = v.String() // another update of it will not do
	}
	source := ""
	if g.shelf.reached != nil {
		source = from.Source
	}
	o.way.DownloadMB = megabytes(from.Minimal.Download)
	if len(with) > 0 {
		o.way.DownloadMB = 0
	}
	o = g.fill(o, v, "<asked>", name, "<with>", listOption("--with", with), "<from>", listOption("--from", strings.Fields(source)), "<source>", from.Source, "<platform>", from.Platform.String())
	o.root = g.m.System.Paths().Clean(o.root)
	o.from, o.does = from.Source, &Action{Kind: DoInstall, Release: name, Source: source, With: with}
	if source != "" {
		o.title += ", from " + source
	}
	return o
}

// listOption is an option with a list, with the blank before it; nothing for an empty list.
func listOption(name string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " " + name + " " + strings.Join(list, ",")
}

func megabytes(bytes int64) int { return int((bytes + 999_999) / 1_000_000) }

// cupelHome is where cupel keeps toolkits on the machine.
func cupelHome(m fact.Machine) string {
	s := m.System.Paths()
	switch {
	case s.Abs(m.Env["CUPEL_HOME"]):
		return m.Env["CUPEL_HOME"]
	case m.Env["CUPEL_HOME"] != "":
		return s.Join(m.System.Cwd, m.Env["CUPEL_HOME"])
	case s.Windows() && s.Abs(m.Env["LOCALAPPDATA"]):
		return s.Join(m.Env["LOCALAPPDATA"], "cupel")
	case s.Windows():
		return s.Join(m.System.Home, "AppData", "Local", "cupel")
	case s.Abs(m.Env["XDG_DATA_HOME"]):
		return s.Join(m.Env["XDG_DATA_HOME"], "cupel")
	}
	return s.Join(m.System.Home, ".local", "share", "cupel")
}
