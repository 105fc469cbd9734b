package toolkit

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"

	"cupel/internal/depot"
	"cupel/internal/resolve"
)

// standing are the names of the parcels of a plan that need not be fetched, because what they would bring is there.
type standing map[string]bool

func (s standing) all(plan resolve.Plan) bool {
	return len(plan.Parcels) > 0 && !slices.ContainsFunc(plan.Parcels, func(p resolve.Parcel) bool { return !s[p.Name] })
}

// missing are the parcels of a plan that are to be fetched.
func (s standing) missing(plan resolve.Plan) []resolve.Parcel {
	return slices.DeleteFunc(slices.Clone(plan.Parcels), func(p resolve.Parcel) bool { return s[p.Name] })
}

// Missing are the parcels of a plan that an install would fetch: those that the installed toolkit of its name lacks. It
// changes nothing and needs no right to write.
func (i Installer) Missing(ctx context.Context, plan resolve.Plan) ([]resolve.Parcel, error) {
	all, err := i.Depot.List(depot.Toolkits)
	if err != nil {
		return nil, err
	}
	s := standing{}
	for _, old := range all {
		if filepath.Base(old.Dir) == plan.Name() {
			s, _ = have(ctx, &old, plan)
		}
	}
	return s.missing(plan), ctx.Err()
}

// have compares a plan with what is installed under its name. adopt: the installed one is whole and of the same
// versions, so the rest can be added to it.
func have(ctx context.Context, old *depot.Installed, plan resolve.Plan) (s standing, adopt bool) {
	if old == nil || old.Broken != nil || old.Manifest.Root != "" || old.Manifest.Platform != plan.Platform {
		return standing{}, false
	}
	if faults, err := depot.Glance(ctx, *old); err != nil || len(faults) > 0 {
		return standing{}, false
	}
	s = standing{}
	for _, p := range plan.Parcels {
		c, ok := component(old.Manifest.Components, p.Name)
		if ok && (c.Version != p.Version || promised(p) != "" && c.SHA256 != promised(p)) {
			return standing{}, false
		}
		s[p.Name] = ok && covers(old.Manifest, c, plan, p)
	}
	return s, true
}

func component(all []depot.Component, name string) (depot.Component, bool) {
	i := slices.IndexFunc(all, func(c depot.Component) bool { return c.Name == name })
	if i < 0 {
		return depot.Component{}, false
	}
	return all[i], true
}

// covers says that the files which a plan wants of a parcel were laid down when the old folder was made: a source may
// have one large package of which only the wanted part is unpacked.
func covers(old depot.Manifest, c depot.Component, plan resolve.Plan, p resolve.Parcel) bool {
	words := union([]string{p.Component}, p.Brings)
	if slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(c.Words, w) }) {
		return false
	}
	before, after := plan, plan
	before.Asked, before.Full = old.Asked, old.Full
	after.Asked, after.Full = union(old.Asked, plan.Asked), old.Full || plan.Full
	return reflect.DeepEqual(resolve.LayoutOf(before, p), resolve.LayoutOf(after, p))
}

// union keeps the order of the table where it can.
func union(a, b []string) []string {
	var out []string
	for _, w := range resolve.Words() {
		if slices.Contains(a, w) || slices.Contains(b, w) {
			out = append(out, w)
		}
	}
	for _, w := range slices.Concat(a, b) {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// components are the parcels that the new folder is made of: those of the old one that was adopted, and the new ones.
func (w *work) components() []depot.Component {
	var out []depot.Component
	for _, b := range w.brought {
		out = append(out, depot.Component{Name: b.parcel.Name, Version: b.parcel.Version, File: b.file(), SHA256: b.checksum(), Size: b.size, Words: b.words()})
	}
	if !w.adopted {
		return out
	}
	for _, c := range w.change.Old.Manifest.Components {
		if _, ok := component(out, c.Name); !ok {
			out = append(out, c)
		}
	}
	return out
}
