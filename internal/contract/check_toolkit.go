package contract

import (
	"fmt"
	"slices"

	"cupel/internal/finding"
	"cupel/internal/version"
)

// everywhere are the platforms whose overrides are judged. The first one that shows a problem tells it.
var everywhere = []Platform{{Name: "linux"}, {Name: "windows"}, {Name: "wsl2"}, {Name: "linux", CI: true}, {Name: "windows", CI: true}, {Name: "wsl2", CI: true}}

// checkToolkit wants the bands to be in order and to hold a release, on every platform.
func (d *decoder) checkToolkit(c *Contract) {
	d.exactReleases(c)
	told := map[string]bool{}
	for _, p := range everywhere {
		r := c.For(p)
		before := len(d.problems)
		d.bandOrder(r, "min", r.Toolkit.Min, "recommended", r.Toolkit.Recommended)
		d.bandOrder(r, "min", r.Toolkit.Min, "max-verified", r.Toolkit.MaxVerified)
		d.bandOrder(r, "recommended", r.Toolkit.Recommended, "max-verified", r.Toolkit.MaxVerified)
		if len(d.problems) == before {
			d.anyLeft(r)
		}
		d.problems = slices.Concat(d.problems[:before], once(d.problems[before:], told))
	}
}

// once drops what another platform told already.
func once(list []problem, told map[string]bool) (out []problem) {
	for _, p := range list {
		if !told[p.what] {
			out = append(out, p)
		}
		told[p.what] = true
	}
	return out
}

// bandOrder compares what a limit covers: 12 may be below 12.4, because it is every 12.x.
func (d *decoder) bandOrder(r Requirements, lowName string, low *Limit, highName string, high *Limit) {
	if low == nil || high == nil || low.Version.IsZero() || high.Version.IsZero() || low.Version.Less(After(high.Version.V)) {
		return
	}
	lowKey, highKey := r.ToolkitKey[lowName], r.ToolkitKey[highName]
	d.at(highKey, problem{id: "contract-empty-range", what: fmt.Sprintf("%s %s is below %s %s", highKey, high.Version, lowKey, low.Version),
		why: fmt.Sprintf("min, recommended and max-verified go up; %s is at %s", lowKey, d.src.posOf(lowKey)), next: note("raise %s or lower %s", highKey, lowKey)})
}

// anyLeft wants a release that min, max-verified and exclude leave, and one that recommended means.
func (d *decoder) anyLeft(r Requirements) {
	if len(r.Toolkit.Exclude) == 0 {
		return
	}
	key := r.ToolkitKey["exclude"]
	if !slices.ContainsFunc(releases(), r.Toolkit.keeps) {
		d.at(key, problem{id: "contract-empty-range", what: fmt.Sprintf("%s leaves no release", key), why: "every release between min and max-verified is taken out",
			next: []finding.Step{{Command: "cupel compat solve", Note: "lists the releases there are"}}})
		return
	}
	rec := r.Toolkit.Recommended
	meant := func(v version.V) bool { return rec.Version.Covers(v) && r.Toolkit.keeps(v) }
	if rec != nil && !rec.Version.IsZero() && !slices.ContainsFunc(releases(), meant) && slices.ContainsFunc(releases(), rec.Version.Covers) {
		d.at(key, problem{id: "contract-empty-range", what: fmt.Sprintf("%s takes out %s %s", key, r.ToolkitKey["recommended"], rec.Version),
			why: fmt.Sprintf("a release cannot be recommended and excluded; it is recommended at %s", d.src.posOf(r.ToolkitKey["recommended"])), next: note("recommend another release, or do not exclude this one")})
	}
}

// keeps says that the bands allow a release.
func (b Bands) keeps(v version.V) bool {
	if b.Min != nil && v.Less(b.Min.Version.V) || b.MaxVerified != nil && !b.MaxVerified.Version.IsZero() && !v.Less(After(b.MaxVerified.Version.V)) {
		return false
	}
	return !slices.ContainsFunc(b.Exclude, func(x Exclusion) bool { return !x.Release.IsZero() && x.Release.Has(v) })
}

// exactReleases refuses a range that is one release which never was.
func (d *decoder) exactReleases(c *Contract) {
	for i, row := range c.Arch.ByToolkit {
		d.exact(item("arch.by-toolkit", i)+".toolkit", row.Toolkit)
	}
	for k, kernel := range c.Kernels {
		for i, row := range kernel.ArchsByToolkit {
			d.exact(item(item("kernels", k)+".archs-by-toolkit", i)+".toolkit", row.Toolkit)
		}
	}
	for _, table := range []struct {
		key   string
		bands Bands
	}{{"toolkit", c.Toolkit.Bands}, {"toolkit.linux", c.Toolkit.Linux}, {"toolkit.windows", c.Toolkit.Windows}, {"toolkit.wsl2", c.Toolkit.WSL2}, {"toolkit.ci", c.Toolkit.CI}} {
		for i, x := range table.bands.Exclude {
			d.exact(item(table.key+".exclude", i), x.Release)
		}
	}
}

func (d *decoder) exact(key string, r Range) {
	if r.IsZero() || r.low.IsZero() || r.high.IsZero() || After(r.low) != r.high {
		return
	}
	var rel Release
	if p, ok := rel.UnmarshalText([]byte(r.low.String())).(*problem); ok {
		d.at(key, *p)
	}
}
