package resolve

import (
	"path"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/version"
)

// Layout says where the files of one parcel go.
type Layout struct {
	rows      []data.LayoutRow
	target    string
	component string
}

// LayoutOf is the layout for a parcel of a plan.
func LayoutOf(p Plan, parcel Parcel) Layout {
	release, _ := version.Parse(p.Release)
	l := Layout{target: p.Platform.Target(), component: parcel.Component}
	brings := append([]string{parcel.Component}, parcel.Brings...)
	for _, r := range data.SourceOf(p.Source).Layout {
		named := r.Component == "" || slices.Contains(brings, r.Component)
		wanted := !r.Full || p.Full || r.Component != "" && slices.Contains(p.Asked, r.Component)
		if named && wanted && p.Platform.in(r.On) && within(release, r.First, r.Last) {
			l.rows = append(l.rows, r)
		}
	}
	return l
}

// Place is where a file of an archive goes, relative to the root and with forward slashes; false: it is left out.
func (l Layout) Place(name string) (string, bool) {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if name == ".." || strings.HasPrefix(name, "../") || path.IsAbs(name) {
		return "", false // unpack refuses the archive; no row gets to see the name
	}
	for _, r := range l.rows {
		rest, ok := match(r.From, name)
		if !ok {
			continue
		}
		if r.Drop {
			return "", false
		}
		to := strings.NewReplacer("<target>", l.target, "<component>", l.component).Replace(r.To)
		if strings.HasSuffix(to, "/") {
			to += rest
		}
		return path.Clean(to), true
	}
	return "", false
}

// match compares a name with a pattern. rest is what ** stood for, else the base name.
func match(pattern, name string) (rest string, ok bool) {
	all, open := strings.CutSuffix(pattern, "**")
	want := strings.Split(strings.TrimSuffix(all, "/"), "/")
	if all == "" {
		want = nil
	}
	have := strings.Split(name, "/")
	if len(have) < len(want) || !open && len(have) != len(want) || open && len(have) == len(want) {
		return "", false
	}
	for i, w := range want {
		if fits, err := path.Match(w, have[i]); err != nil || !fits {
			return "", false
		}
	}
	if open {
		return strings.Join(have[len(want):], "/"), true
	}
	return path.Base(name), true
}
