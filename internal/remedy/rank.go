package remedy

import (
	"slices"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/verify"
	"cupel/internal/version"
)

func inside(b contract.Bands, v version.V) bool {
	if b.Min != nil && v.Less(b.Min.Version.V) {
		return false
	}
	return !slices.ContainsFunc(b.Exclude, func(x contract.Exclusion) bool { return x.Release.Has(v) })
}

func recommended(b contract.Bands, v version.V) bool {
	return b.Recommended != nil && b.Recommended.Version.Covers(v)
}

func ranked(b contract.Bands, v version.V) weight {
	return weight{wRank: rank(b, v), wDistance: rank(b, v)}
}

func installed(b contract.Bands, v version.V) weight {
	w := ranked(b, v)
	if w[wRank] >= unverified {
		w[wUnverified] = 1
	}
	return w
}

// unverified is added to the rank of what is newer than the newest verified release.
const unverified = 1000

// rank orders releases: the recommended one, then the newest verified ones, then what nobody verified, the
// nearest first. A step is one X.Y of the table.
func rank(b contract.Bands, v version.V) int {
	if recommended(b, v) {
		return 0
	}
	newer, above := 0, 0
	var last version.V
	for _, r := range compat.Releases() {
		w, _ := version.Parse(r.Version)
		if w.Short() == last || r.Preview {
			continue
		}
		last = w.Short()
		verified := b.MaxVerified == nil || !b.MaxVerified.Version.Less(last)
		if verified && v.Short().Less(last) {
			newer++
		}
		if !verified && !v.Short().Less(last) {
			above++
		}
	}
	if above > 0 {
		return unverified + above
	}
	return 1 + newer
}

// unserved is the demand of a toolkit that the driver does not run at all: more than any distance between levels.
const unserved = 1000

// demand is how much newer than the one that is here the driver must be: below the floor of the major nothing runs;
// where PTX is compiled by the driver, each X.Y above its level counts. The release that the contract recommends is
// worth a driver, and where there is none, none is compared.
func (s *search) demand(in verify.Input, rel version.V) weight {
	platform := in.Machine.System.Platform
	have := choice.DriverVersion(in.Machine)
	if floor, _ := compat.DriverFloor(rel, platform); platform != fact.Jetson && !have.IsZero() && have.Less(floor) {
		return weight{wDemand: unserved}
	}
	req := in.Contract.For(in.Platform)
	if req.PTXJIT != "required" || recommended(req.Toolkit, rel) {
		return weight{}
	}
	level, _ := choice.Level(in.Machine)
	if level.IsZero() {
		level = newestHere(in.Machine) // it is not known what the driver takes: what is there was meant for it
	}
	return weight{wDemand: linesBetween(level, rel)}
}

// newestHere is the newest release that is installed; zero: none.
func newestHere(m fact.Machine) version.V {
	var newest version.V
	for _, t := range m.Toolkits {
		if rel := choice.Release(t); newest.Less(rel) {
			newest = rel
		}
	}
	return newest
}

// linesBetween counts the X.Y of the table above one release, up to another; nothing is above what is not known.
func linesBetween(low, high version.V) int {
	n := 0
	var last version.V
	for _, r := range compat.Releases() {
		v, _ := version.Parse(r.Version)
		if short := v.Short(); !low.IsZero() && short != last && low.Short().Less(short) && !high.Short().Less(short) {
			n++
			last = short
		}
	}
	return n
}
