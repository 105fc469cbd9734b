package diagnose

import (
	"slices"
	"sort"

	"cupel/internal/signature"
	"cupel/internal/version"
)

// Options are what is known besides the log.
type Options struct {
	Version  string
	Name     string   // of the log
	Kind     string   // file, input, code or message
	Platform string   // where the log was made: linux, windows, wsl2, container, macos; empty: as the log tells
	Machine  *Machine // nil: none is asked
}

// Judge ranks what was seen and names the cause.
func Judge(seen *Seen, opt Options) Answer {
	c := newContext(&seen.Log, opt)
	a := Answer{Format: Format, Cupel: opt.Version, Findings: []Finding{}}
	a.Log = LogFacts{Name: opt.Name, Kind: opt.Kind, Lines: seen.Log.Lines, Bytes: seen.Log.Bytes, Platforms: c.logged, Values: c.values}
	a.Machine = c.asked(opt)
	found, notes := c.findings(seen.Matches)
	found = c.lastWords(found, &notes)
	silence(found)
	rank(found)
	a.Wrappers, a.Noticed = notes.wrappers, notes.warnings
	a.Log.Failed = c.failed(found, notes)
	switch {
	case !a.Log.Failed:
		for _, f := range found {
			a.Noticed = append(a.Noticed, Note{ID: f.ID, Line: f.Line, Text: f.Text})
		}
	case len(found) == 0:
		a.Findings = []Finding{unknown(notes.wrappers)}
		a.Telling = telling(&seen.Log)
	default:
		for _, f := range found {
			a.Findings = append(a.Findings, f.Finding)
		}
	}
	return a
}

// ranked is a finding with what decides its place.
type ranked struct {
	Finding
	signature *signature.Signature
	line      int // of the match that was counted last
	last      int // line of its last match
}

type notes struct{ wrappers, warnings []Note }

// findings makes one finding for each signature and label, from its first match.
func (c *Context) findings(matches []Match) (found []*ranked, n notes) {
	at, tried := map[string]*ranked{}, c.tries()
	for _, m := range matches {
		s := m.Signature
		if len(s.Platform) > 0 && !c.platformHolds(signature.When{Platform: s.Platform}) && len(c.platforms) > 0 {
			continue
		}
		if rel, err := version.ParseRelease(c.value("toolkit", m.Line)); s.Toolkit != "" && err == nil && !within(rel, s.Toolkit) {
			continue
		}
		if !s.Project && c.warns(m) && s.Role != signature.Wrapper && s.Role != signature.Warning {
			n.warnings = append(n.warnings, Note{s.ID, m.Line, m.Text, "the line is a warning"})
			continue
		}
		if !s.Project && c.quoted(m) {
			n.warnings = append(n.warnings, Note{s.ID, m.Line, m.Text, "the line only quotes this message"})
			continue
		}
		switch s.Role {
		case signature.Wrapper:
			n.wrappers = append(n.wrappers, Note{s.ID, m.Line, m.Text, s.Hint})
			continue
		case signature.Warning:
			n.warnings = append(n.warnings, Note{s.ID, m.Line, m.Text, s.Hint})
			continue
		}
		if !s.Project && tried.excuse(m.Line) {
			n.warnings = append(n.warnings, Note{s.ID, m.Line, m.Text, "the log goes on and takes this back"})
			continue
		}
		f, ok := c.explain(m)
		if !ok {
			continue
		}
		key := s.ID + " " + f.Label
		if old := at[key]; old != nil {
			if m.Line != old.line {
				old.Count += max(1, m.Count)
			}
			old.line, old.last = m.Line, max(old.last, m.Line, m.Last)
			continue
		}
		at[key] = &ranked{f, s, m.Line, max(m.Line, m.Last)}
		found = append(found, at[key])
	}
	return found, n
}

// silence marks what is a consequence of another finding.
func silence(found []*ranked) {
	for _, f := range found {
		for _, other := range found {
			if f != other && slices.Contains(other.signature.Beats, f.ID) && f.CausedBy == "" && other.CausedBy != f.ID {
				f.CausedBy = other.ID
			}
		}
	}
}

// rank puts project rows first, then shown before silenced, then roles, then the first in the log.
func rank(found []*ranked) {
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i], found[j]
		if a.signature.Project != b.signature.Project {
			return a.signature.Project
		}
		if (a.CausedBy == "") != (b.CausedBy == "") {
			return a.CausedBy == ""
		}
		if x, y := a.signature.Role.Rank(), b.signature.Role.Rank(); x != y {
			return x < y
		}
		return a.Line < b.Line
	})
}
