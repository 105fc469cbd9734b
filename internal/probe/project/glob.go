package project

import (
	"fmt"
	"slices"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/pattern"
)

// reach bounds the walk of one pattern.
var reach = contract.Reach{Files: 5000, Listings: 4000}

var visible = pattern.New(`^[^.]`)

// sources are the files of one kernel, sorted, each once.
func (s *survey) sources(k contract.Kernel) fact.Sources {
	out := fact.Sources{Kernel: k.Name}
	for _, pattern := range k.Sources {
		files, cut := pattern.Files(tree{s}, reach)
		if len(files) == 0 {
			out.Empty = append(out.Empty, string(pattern))
		}
		if cut {
			s.trouble("sources of kernel "+k.Name, string(pattern), fmt.Errorf("more than %d files or %d folders, or folders too deep; the rest was not looked at", reach.Files, reach.Listings))
		}
		for _, f := range files {
			if !excluded(f, k.Exclude) {
				out.Files = append(out.Files, f)
			}
		}
	}
	slices.Sort(out.Files)
	out.Files = slices.Compact(out.Files)
	return out
}

func excluded(file string, patterns []contract.Glob) bool {
	return slices.ContainsFunc(patterns, func(p contract.Glob) bool { return p.Has(file) })
}

// tree is the project as a pattern of sources sees it. Folders that hold outputs, and names with a leading dot, are
// entered only where the pattern spells them out; a link is followed only while it stays in the project, and never
// by **.
type tree struct{ *survey }

func (t tree) at(rel string) string { return t.Path.Join(t.root, rel) }

func (t tree) Names(dir string) []string {
	names, err := t.At.Names(t.at(dir), visible)
	t.trouble("kernel sources", t.at(dir), err)
	return names
}

func (t tree) Kind(rel string) contract.Kind {
	info, err := t.Stat(t.at(rel))
	switch {
	case err != nil || !t.inside(t.at(rel)):
		return contract.Nothing
	case info.Dir:
		return contract.Folder
	}
	return contract.File
}

func (t tree) Enters(rel string) bool {
	info, err := t.Lstat(t.at(rel))
	return err == nil && info.Dir && !info.Link && Entered(t.Path.Base(rel))
}

// Entered: ** goes into folders of this name.
func Entered(name string) bool { return visible.MatchString(name) && !output.MatchString(name) }
