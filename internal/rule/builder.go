package rule

import (
	"fmt"
	"sort"
	"strings"

	"cupel/data"
	"cupel/internal/consumer"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/version"
)

var builderRules = []Rule{
	{ID: "builder-refuses-toolkit", Severity: finding.Error, Title: "a locked builder's list ends before this toolkit", Check: refuses},
	{ID: "builder-crate-twice", Severity: finding.Warning, Title: "two versions of a CUDA builder crate are locked", Check: twice},
	{ID: "builder-windows-root", Severity: finding.Warning, Title: "a locked builder looks in the wrong Windows folder", On: onWindows, Check: windowsRoot},
	{ID: "builder-loses-output", Severity: finding.Info, Title: "a locked builder loses nvcc's error output", Check: losesOutput},
	{ID: "cuda-crate-pulled-in", Severity: finding.Info, Title: "which feature and dependency pulls a CUDA crate in", Check: pulledIn},
}

// rowsOf pairs each locked crate with the row of its version.
func (in *Input) rowsOf() []builderRow {
	var out []builderRow
	for _, c := range in.Project.Crates {
		v := parseV(c.Version)
		for _, b := range data.Builders() {
			if b.Name == c.Name && inRange(v, b) {
				out = append(out, builderRow{c, b})
			}
		}
	}
	return out
}

type builderRow struct {
	crate fact.Crate
	row   data.Builder
}

func inRange(v version.V, b data.Builder) bool {
	first, last := parseV(b.First), parseV(b.Last)
	return !v.IsZero() && v.AtLeast(first) && (last.IsZero() || !last.Less(v))
}

func refuses(in *Input) []finding.Finding {
	if in.Chosen.Toolkit == nil {
		return nil
	}
	rel := short(*in.Chosen.Toolkit)
	var out []finding.Finding
	for _, b := range in.rowsOf() {
		last := parseV(b.row.AllowLast)
		if last.IsZero() || rel.IsZero() || !last.Less(rel) {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("%s %s does not know %s", b.crate.Name, b.crate.Version, name(*in.Chosen.Toolkit)),
			Where: crateAt(b.crate),
			Why:   fmt.Sprintf("its list of releases ends with %s: the build stops with \"Unsupported cuda toolkit version\"", last),
			Next:  []finding.Step{},
		}
		if b.row.Condition != "" {
			f.Severity = finding.Warning
			f.Why += ", " + b.row.Condition
		}
		f.Next = append(f.Next, firstKnowing(b, rel)...)
		f.Next = append(f.Next, in.otherToolkit(version.V{}, last)[0])
		out = append(out, f)
	}
	return out
}

// firstKnowing names the first version whose list reaches the release: as a command where cargo takes it within
// the same requirement, else as advice, for cargo update does not cross a minor of 0.x or a major.
func firstKnowing(b builderRow, rel version.V) []finding.Step {
	have := parseV(b.crate.Version)
	for _, row := range data.Builders() {
		first := parseV(row.First)
		if row.Name != b.crate.Name || row.AllowLast == "" || parseV(row.AllowLast).Less(rel) || first.Less(have) {
			continue
		}
		if first.Short() == have.Short() || first.Major() == have.Major() && first.Major() > 0 {
			return []finding.Step{command(fmt.Sprintf("cargo update -p %s@%s --precise %s", b.crate.Name, b.crate.Version, row.First), "the first version that knows this release")}
		}
		who := "Cargo.toml"
		if n := len(b.crate.Chain); n > 2 {
			who = "the crate that asks for it (" + b.crate.Chain[n-2] + ")"
		}
		return []finding.Step{advice(fmt.Sprintf("%s %s is the first that knows this release; cargo update does not get there: change the requirement in %s", row.Name, row.First, who))}
	}
	return nil
}

func crateAt(c fact.Crate) string { return fmt.Sprintf("%s:%d", c.File, c.Line) }

func twice(in *Input) []finding.Finding {
	by := map[string][]fact.Crate{}
	for _, c := range in.Project.Crates {
		by[c.Name] = append(by[c.Name], c)
	}
	var names []string
	for n, all := range by {
		if len(all) > 1 && isBuilder(n) {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	var out []finding.Finding
	for _, n := range names {
		var versions, where []string
		for _, c := range by[n] {
			versions = append(versions, c.Version)
			where = append(where, crateAt(c))
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("%s is locked twice: %s", n, strings.Join(versions, " and ")),
			Where: strings.Join(where, ", "),
			Why:   "each version finds CUDA in its own way: one project is built with two sets of rules",
			Next:  []finding.Step{command("cargo tree -i "+n+"@"+versions[0], "who asks for the older one")},
		})
	}
	return out
}

func isBuilder(name string) bool {
	for _, b := range data.Builders() {
		if b.Name == name {
			return true
		}
	}
	return false
}

func windowsRoot(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, b := range in.rowsOf() {
		if b.row.WindowsRoot == "" || in.led(b.crate) {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("%s %s does not find CUDA on Windows by itself", b.crate.Name, b.crate.Version),
			Where: crateAt(b.crate),
			Why:   b.row.WindowsRoot,
			Next:  []finding.Step{envCommand(in)},
		})
	}
	return out
}

// led says that a variable or PATH leads a locked builder to a toolkit, so its own folders do not count.
func (in *Input) led(c fact.Crate) bool {
	for _, p := range in.Picks {
		if p.Consumer == c.Name && p.Project == c.Version && p.Outcome == consumer.Found {
			return !in.Paths().Abs(p.Decider)
		}
	}
	return false
}

func losesOutput(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, b := range in.rowsOf() {
		if !b.row.LosesOutput {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("%s %s loses nvcc's error output", b.crate.Name, b.crate.Version),
			Where: crateAt(b.crate),
			Why:   b.row.LooksLike,
			Next:  []finding.Step{advice("no published version mends it: look above the panic for nvcc's own lines")},
		}
		out = append(out, f)
	}
	return out
}

func pulledIn(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, c := range in.Project.Crates {
		if len(c.Chain) < 2 || !isBuilder(c.Name) {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("%s %s comes in through %s", c.Name, c.Version, strings.Join(c.Chain, " → ")),
			Where: crateAt(c),
			Why:   "this is the shortest way in Cargo.lock, which holds optional dependencies too",
			Next:  []finding.Step{command("cargo tree -p "+c.Chain[0]+" -e features -i "+c.Name+"@"+c.Version, "every way to it in a plain build")},
		}
		if c.Feature != "" {
			feature, _, _ := strings.Cut(c.Feature, ",")
			f.Next = []finding.Step{command("cargo tree -p "+c.Chain[0]+" --features "+feature+" -e features -i "+c.Name+"@"+c.Version, "every way to it")}
			f.Why = "the feature " + c.Feature + " of " + c.Chain[0] + " pulls it in; without that feature this way is not built"
		}
		out = append(out, f)
	}
	return out
}
