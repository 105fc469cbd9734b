package pages

import (
	"slices"
	"strings"

	"cupel/internal/contract"
)

// language is how one of the scripts writes calls.
type language struct {
	call  func(step) string
	cases func(list []choiceOf) string // a choice by platform
}

// choiceOf is a call and the platforms that make it: linux, linux-ci …
type choiceOf struct {
	platforms []string
	call      string
}

// calls writes the steps of several platforms one below the other. A call that is the same on all of them stands
// alone; one that is not is chosen by platform.
func (l language) calls(c *contract.Contract, all []contract.Platform, table *releaseTable) string {
	var order []string
	byID := map[string][]choiceOf{}
	for _, p := range all {
		at := -1
		for _, s := range steps(c, p, table) {
			if i := slices.Index(order, s.id); i >= 0 {
				at = i
			} else {
				at++
				order = slices.Insert(order, at, s.id)
			}
			byID[s.id] = merged(byID[s.id], kindOf(p), l.call(s))
		}
	}
	var out strings.Builder
	for _, id := range order {
		if list := byID[id]; len(list) == 1 && len(list[0].platforms) == len(all) {
			out.WriteString(list[0].call)
		} else {
			out.WriteString(l.cases(list))
		}
	}
	return out.String()
}

func merged(list []choiceOf, platform, call string) []choiceOf {
	i := slices.IndexFunc(list, func(c choiceOf) bool { return c.call == call })
	if i < 0 {
		return append(list, choiceOf{[]string{platform}, call})
	}
	list[i].platforms = append(list[i].platforms, platform)
	return list
}

// kindOf is the name of a platform in the scripts.
func kindOf(p contract.Platform) string {
	if p.CI {
		return p.Name + "-ci"
	}
	return p.Name
}

// apart tells the platforms on which the project is built from the others.
func apart(c *contract.Contract, names ...string) (here, elsewhere []contract.Platform) {
	for _, name := range names {
		for _, ci := range []bool{false, true} {
			p := contract.Platform{Name: name, CI: ci}
			if len(c.Project.On) == 0 || p.Is(c.Project.On) {
				here = append(here, p)
			} else {
				elsewhere = append(elsewhere, p)
			}
		}
	}
	return here, elsewhere
}
