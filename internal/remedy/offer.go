package remedy

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// offer is a way of the table with its templates filled: something that can be got on this machine.
type offer struct {
	way     data.Way
	order   int // its place in the table
	release version.V
	title   string
	root    string
	command string // how the compiler it gives is called
	note    string
	before  []string // the commands of its setup
	lines   []string
	does    *Action // what cupel does for it; nil: nothing
	from    string  // the source of a toolkit that cupel brings
}

// commands are what is to be typed. What another step has set up is not set up again.
func (o offer) commands(done map[string]bool) []string {
	if done[o.way.Setup] {
		return o.lines
	}
	return slices.Concat(o.before, o.lines)
}

// grounds is what a machine offers to the ways: which of them hold here, and what stands for their words.
type grounds struct {
	m      fact.Machine
	system *data.System // its distribution; nil: not in the table
	shelf  shelf        // what cupel itself can bring
}

// grounds are those of a machine with what cupel can bring there.
func (s *search) grounds(m fact.Machine) grounds {
	g := groundsOf(m)
	g.shelf = *s.stock()
	return g
}

func groundsOf(m fact.Machine) grounds {
	g := grounds{m: m}
	if d := m.System.Distro; d.Known() {
		g.system = systemRow(d.Value.ID, d.Value.Version)
	}
	return g
}

func systemRow(id, release string) *data.System {
	have, _ := version.Parse(release)
	rows := data.AllRemedies().Systems
	for i, r := range rows {
		want, _ := version.Parse(r.Version)
		if slices.Contains(r.IDs, id) && (r.Version == "" || want.Covers(have)) {
			return &rows[i]
		}
	}
	return nil
}

// name is how people call the system.
func (g grounds) name() string {
	if d := g.m.System.Distro; d.Known() && d.Value.Name != "" {
		return d.Value.Name
	}
	return g.m.System.Platform
}

// ways lists what gives a thing on this machine, in the table's order.
func (g grounds) ways(gives string) []offer {
	var out []offer
	for i, w := range data.Ways() {
		if w.Gives == gives && g.holds(w) {
			out = append(out, offer{way: w, order: i})
		}
	}
	return out
}

// repo is the row whose repository a way uses.
func (g grounds) repo(w data.Way) *data.System {
	if w.System != "" {
		return systemRow(w.System, "")
	}
	if g.system == nil || g.system.Repo == "" {
		return nil
	}
	return g.system
}

// cpu is how NVIDIA names processors in addresses, and at the end of a file's name.
var cpu = map[string][2]string{"amd64": {"x86_64", ""}, "arm64": {"sbsa", "_sbsa"}}

// fill puts the machine's and the release's words into a way's templates. more holds further words in pairs.
func (g grounds) fill(o offer, rel version.V, more ...string) offer {
	words := []string{
		"<X>", fmt.Sprint(rel.Major()), "<Y>", fmt.Sprint(rel.Minor()), "<release>", rel.String(),
		"<cpu>", cpu[g.m.System.Arch][0], "<file-cpu>", cpu[g.m.System.Arch][1],
		"<cupel>", cupelHome(g.m), "<later>", byPlan, "<home>", g.m.System.Home, "<prefix>", g.m.Env["CONDA_PREFIX"], "<vs>", g.studioPath(o.way), "<file-driver>", fileDriver(rel),
	}
	if r := g.repo(o.way); r != nil {
		words = append(words, "<repo>", r.Repo)
	}
	fill := strings.NewReplacer(append(words, more...)...)
	o.release, o.title, o.root, o.note = rel, fill.Replace(o.way.Title), fill.Replace(o.way.Root), fill.Replace(o.way.Note)
	if o.way.Compiler != nil {
		o.command = fill.Replace(o.way.Compiler.Command)
	}
	o.lines = replaceAll(fill, o.way.Commands)
	if s := data.SetupOf(o.way.Setup); s != nil {
		o.before = replaceAll(fill, s.Commands)
	}
	return o
}

func replaceAll(fill *strings.Replacer, list []string) []string {
	out := make([]string, 0, len(list))
	for _, c := range list {
		out = append(out, fill.Replace(c))
	}
	return out
}

func (g grounds) studioPath(w data.Way) string {
	if vs := g.studio(w.NeedsVS); vs != nil {
		return vs.Path
	}
	return ""
}

// fileDriver is the driver in the name of a release's Linux installer.
func fileDriver(rel version.V) string {
	r, ok := compat.Release(rel)
	switch {
	case !ok:
		return ""
	case r.Bundled != "":
		return r.Bundled
	}
	return r.Paired.Linux
}

func (o offer) weight() weight {
	w := whoWeight(o.way.Who, o.way.DownloadMB, o.order)
	if ofHost(o) {
		w[wInstall] = 0
	}
	if o.way.Who == Cupel {
		w[wDownload] = 0 // of others the size is often not known: the order of the table decides
	}
	return w
}

// hands is the cost of needing a person, where cupel is about to act.
func (s *search) hands(o offer) weight {
	if s.userSpace && o.way.Who != Cupel {
		return weight{wHands: 1}
	}
	return weight{}
}

func (o offer) alternative(done map[string]bool) Alternative {
	return Alternative{ID: o.way.ID, Title: o.title, Commands: o.commands(done), Note: o.note, Who: o.way.Who, Source: o.way.Source}
}
