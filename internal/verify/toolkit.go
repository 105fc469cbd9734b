package verify

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/version"
)

func toolkitPresent(j *judge, _ string, c *Check) {
	c.Key, c.Expected, c.Found = "toolkit", "nvcc", "none"
	switch {
	case j.t == nil && len(j.Machine.Toolkits) == 0:
		c.fail("no CUDA toolkit was found", "without nvcc and the CUDA headers nothing can be compiled; a driver brings neither", plan())
	case j.t == nil:
		c.fail("no CUDA toolkit is chosen", j.chosen.Reason, plan())
	case !j.t.Has(fact.PartNvcc):
		c.Found = choice.Name(*j.t) + " without nvcc"
		c.fail(fmt.Sprintf("%s in %s has no nvcc", choice.Name(*j.t), j.t.Root), "libraries alone compile nothing", plan())
	case j.t.Faults[fact.PartNvcc] != "":
		c.Found = "nvcc: " + j.t.Faults[fact.PartNvcc]
		c.fail("nvcc is there and cannot be used", j.t.Parts[fact.PartNvcc]+": "+j.t.Faults[fact.PartNvcc], plan())
	default:
		c.Found = choice.Name(*j.t) + " in " + j.t.Root
		c.Why = j.chosen.Reason
		c.evidence(j.t.Nvcc.Source, "nvcc "+text(j.t.Nvcc))
	}
}

// toolkitBand says where the release stands and puts it into the answer.
func toolkitBand(j *judge, _ string, c *Check) {
	b := j.req.Toolkit
	c.Expected, c.Key = bandText(b), j.bandKey()
	c.Found = j.rel.String()
	if j.rel.IsZero() {
		c.Found = "not known"
		c.fail("the toolkit's release could not be read", fmt.Sprintf("%s: %s", j.t.Root, text(j.t.Release)), plan())
		return
	}
	var x *contract.Exclusion
	j.band, x = bandOf(b, j.rel)
	if what, why := tooVague(b, j.rel); what != "" && (j.band == Supported || j.band == Recommended) {
		// A plan has nothing to do here: a warning is met already.
		c.warn(what, why, slices.DeleteFunc(j.otherToolkits(), func(s finding.Step) bool { return s == plan() })...)
		return
	}
	c.Found = fmt.Sprintf("%s, %s", j.rel, j.band)
	bandSay[j.band](j, x, c)
}

// bandSay holds what each band means for the check.
var bandSay = map[Band]func(j *judge, x *contract.Exclusion, c *Check){
	Below: func(j *judge, _ *contract.Exclusion, c *Check) {
		l := j.req.Toolkit.Min
		c.Key = j.bandKeyOf("min")
		c.fail(fmt.Sprintf("CUDA %s is older than %s, the oldest release that builds this", j.rel, l.Version),
			limitWhy("toolkit.min in the contract", l.Reason, l.Source), j.otherToolkits()...)
	},
	Excluded: func(j *judge, x *contract.Exclusion, c *Check) {
		c.Key = j.bandKeyOf("exclude")
		c.fail(fmt.Sprintf("CUDA %s is excluded by the contract", j.rel), limitWhy("it excludes "+x.Release.String(), x.Reason, x.Source), j.otherToolkits()...)
	},
	Newer: func(j *judge, _ *contract.Exclusion, c *Check) {
		l := j.req.Toolkit.MaxVerified
		c.Key = j.bandKeyOf("max-verified")
		c.warn(fmt.Sprintf("CUDA %s is newer than %s, the newest this was verified with", j.rel, l.Version),
			limitWhy("it may work; nobody has proved it", l.Reason, l.Source), j.otherToolkits()...)
	},
	Supported: func(j *judge, _ *contract.Exclusion, c *Check) {
		if r := j.req.Toolkit.Recommended; r != nil {
			text := fmt.Sprintf("CUDA %s is recommended", r.Version)
			if j.rel.Parts() < r.Version.Parts() && j.rel.Covers(r.Version.V) {
				text += ", and this may be it: the toolkit does not say which update it is"
			}
			c.Why = limitWhy(text, r.Reason, r.Source)
		}
	},
	Recommended: func(j *judge, _ *contract.Exclusion, c *Check) {},
}

// bandOf places a release. An exclusion wins over all: it says that somebody tried.
func bandOf(b contract.Bands, rel version.V) (Band, *contract.Exclusion) {
	for i, x := range b.Exclude {
		if fitOf(x.Release, rel) == inside {
			return Excluded, &b.Exclude[i]
		}
	}
	switch {
	case b.Min != nil && rel.Less(b.Min.Version.V) && !rel.Covers(b.Min.Version.V):
		return Below, nil
	case b.MaxVerified != nil && b.MaxVerified.Version.Less(rel) && !b.MaxVerified.Version.Covers(rel):
		return Newer, nil
	case b.Recommended != nil && b.Recommended.Version.Covers(rel):
		return Recommended, nil
	}
	return Supported, nil
}

// Refusal says why the bands do not take a release; "" where they do, and where it cannot be told: 12.9 may be the
// 12.9.1 that min names.
func Refusal(b contract.Bands, rel version.V) string {
	switch band, x := bandOf(b, rel); band {
	case Below:
		return limitWhy("the oldest one allowed is "+b.Min.Version.String(), b.Min.Reason, b.Min.Source)
	case Excluded:
		return limitWhy(x.Release.String()+" is excluded", x.Reason, x.Source)
	}
	return ""
}

// tooVague: a toolkit that tells X.Y alone may lie on either side of a bound that names an update. Every 13.0.x
// meets min = "13.0.0".
func tooVague(b contract.Bands, rel version.V) (what, why string) {
	const untold = "the toolkit does not say which update it is, and "
	for _, x := range b.Exclude {
		if fitOf(x.Release, rel) == maybe {
			return fmt.Sprintf("CUDA %s may be excluded by the contract", rel), untold + limitWhy("the contract excludes "+x.Release.String(), x.Reason, x.Source)
		}
	}
	for _, l := range []*contract.Limit{b.Min, b.MaxVerified} {
		if l == nil || rel.Parts() >= l.Version.Parts() || !rel.Covers(l.Version.V) || l == b.Min && !rel.Less(l.Version.V) {
			continue
		}
		return fmt.Sprintf("it cannot be told whether CUDA %s is in bounds", rel), untold + "a bound names one: " + l.Version.String()
	}
	return "", ""
}

func bandText(b contract.Bands) string {
	var words []string
	if b.Min != nil {
		words = append(words, b.Min.Version.String()+" or newer")
	}
	if b.Recommended != nil {
		words = append(words, b.Recommended.Version.String()+" recommended")
	}
	if b.MaxVerified != nil {
		words = append(words, "verified up to "+b.MaxVerified.Version.String())
	}
	for _, x := range b.Exclude {
		words = append(words, "not "+x.Release.String())
	}
	return strings.Join(words, ", ")
}

func (j *judge) bandKey() string {
	for _, field := range []string{"min", "recommended", "max-verified", "exclude"} {
		if key := j.req.ToolkitKey[field]; key != "" {
			return key
		}
	}
	return "toolkit"
}

func (j *judge) bandKeyOf(field string) string {
	if key := j.req.ToolkitKey[field]; key != "" {
		return key
	}
	return "toolkit." + field
}

// otherToolkits names an installed toolkit that the contract takes without a word, the recommended one first,
// then the newest.
func (j *judge) otherToolkits() []finding.Step {
	var best *fact.Toolkit
	recommended := func(t fact.Toolkit) bool { b, _ := bandOf(j.req.Toolkit, choice.Release(t)); return b == Recommended }
	for i := range j.Machine.Toolkits {
		t := &j.Machine.Toolkits[i]
		rel := choice.Release(*t)
		band, _ := bandOf(j.req.Toolkit, rel)
		vague, _ := tooVague(j.req.Toolkit, rel)
		if rel.IsZero() || !choice.Complete(*t) || vague != "" || band != Supported && band != Recommended {
			continue
		}
		if best == nil || recommended(*t) && !recommended(*best) || recommended(*t) == recommended(*best) && choice.Release(*best).Less(rel) {
			best = t
		}
	}
	if best == nil {
		return []finding.Step{plan()}
	}
	return []finding.Step{command(j.evalEnv("--toolkit "+j.nameFor(*best)), fmt.Sprintf("%s in %s is installed", choice.Name(*best), best.Root)), plan()}
}

// toolkitActive: builds that look for nvcc on PATH take what is first there, whatever was chosen.
func toolkitActive(j *judge, _ string, c *Check) {
	c.Key, c.Expected, c.Found = "toolkit", "nvcc of "+choice.Name(*j.t), "no nvcc"
	step := command(j.evalEnv(), "puts the chosen toolkit in front in this shell")
	switch a := j.active.Toolkit; {
	case a == nil:
		c.warn("no nvcc is on PATH", choice.Name(*j.t)+" is installed, but many builds look for nvcc on PATH", step)
	case a.Home() != j.t.Home():
		c.Found = "nvcc of " + choice.Name(*a)
		c.warn(fmt.Sprintf("nvcc on PATH is of %s, chosen is %s", choice.Name(*a), choice.Name(*j.t)),
			fmt.Sprintf("%s in %s is chosen (%s); a build that looks for nvcc on PATH takes %s in %s", choice.Name(*j.t), j.t.Root, j.chosen.Reason, choice.Name(*a), a.Root), step)
	default:
		c.Found = c.Expected
	}
}
