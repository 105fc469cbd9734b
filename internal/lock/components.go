package lock

import (
	"fmt"
	"strings"

	"cupel/internal/finding"
)

// components holds the files that the toolkit here was made of against the locked ones. Sources pack the same release
// differently, so only files of one source compare; a toolkit that cupel did not install tells of none.
func (f *fit) components() {
	t := f.ans.Chosen.Toolkit
	if t == nil || t.Installed == nil || len(f.part.Components) == 0 || t.Installed.Source != f.part.Toolkit.Source || t.Release.Value != f.part.Toolkit.Release {
		return
	}
	differ := Differ(f.part.Components, componentsOf(*t))
	if len(differ) == 0 {
		return
	}
	f.add("lock-components-differ", finding.Error, "the toolkit in "+t.Root+" was made of other files than those that are locked", strings.Join(differ, "; "),
		finding.Step{Command: fmt.Sprintf("cupel toolkit install %s --from %s", f.part.Toolkit.Release, f.part.Toolkit.Source), Note: "brings what is missing"}, here)
}

// Differ lists in words how the files that are there differ from the locked ones. What is there besides is no
// difference: a machine may have more components than the project builds with.
func Differ(locked, have []Component) []string {
	byName := map[string]Component{}
	for _, c := range have {
		byName[c.Name] = c
	}
	var out []string
	for _, want := range locked {
		got, ok := byName[want.Name]
		switch {
		case !ok:
			out = append(out, want.Name+" "+want.Version+" is not there")
		case got.SHA256 != "" && got.SHA256 != want.SHA256:
			out = append(out, fmt.Sprintf("%s is %s (%s), locked is %s (%s)", want.Name, got.Version, short(got.SHA256), want.Version, short(want.SHA256)))
		}
	}
	return out
}

// short is enough of a checksum to tell two apart.
func short(sum string) string { return sum[:min(8, len(sum))] }

// OfSource are the locked components of a platform where they come from a source and are of a release; nil: nothing
// is locked that could be compared.
func (l *Lock) OfSource(platform, source, release string) []Component {
	p, _, _ := l.For(platform)
	if p.Toolkit.Source != source || p.Toolkit.Release != release {
		return nil
	}
	return p.Components
}
