package infer

import (
	"cmp"
	"fmt"
	"strings"
)

// inferred lists what was read, in the order of the draft.
func (d *drafter) inferred() []Line {
	var out []Line
	for _, t := range d.tables {
		if t.from != "" {
			out = append(out, Line{Key: t.named(), Value: "needed", From: t.from, Note: t.why, Maybe: t.maybe})
		} else if t.why != "" && len(t.entries) == 0 {
			at, why, _ := strings.Cut(t.why, ": ")
			out = append(out, Line{Key: t.named(), Value: "needed", From: at, Note: why, Maybe: true})
		}
		for _, e := range t.entries {
			out = append(out, e.lines(t)...)
		}
	}
	return out
}

func (t *table) named() string {
	if t.label != "" {
		return t.label
	}
	return t.path
}

// lines: what of a list comes from one file, or has one remark, is one line.
func (e *entry) lines(t *table) []Line {
	var out []Line
	for _, i := range e.items {
		if i.from == "" && !i.maybe {
			continue // the table's own name
		}
		l := Line{Key: t.named() + "." + e.name, Value: i.value, From: i.from, Note: cmp.Or(i.note, t.why), Maybe: i.maybe || t.maybe}
		n := len(out) - 1
		if n < 0 || out[n].Maybe != l.Maybe || l.Note != "" && out[n].Note != l.Note || l.Note == "" && !sameFile(out[n].From, l.From) {
			out = append(out, l)
			continue
		}
		out[n].Value += ", " + l.Value
		out[n].From = through(out[n].From, l.From)
	}
	return out
}

const moreFiles = " and others"

func sameFile(a, b string) bool { return a == b || file(a) != "" && file(a) == file(b) }

// file is the part before the line of a single place.
func file(from string) string {
	i := strings.LastIndexByte(from, ':')
	if i < 0 || strings.Contains(from, ", ") {
		return ""
	}
	return from[:i]
}

// through joins build.rs:28 and build.rs:30 to build.rs:28…30; of other files only the first is named.
func through(a, b string) string {
	if a == b || strings.HasSuffix(a, moreFiles) {
		return a
	}
	if first, _, _ := strings.Cut(a, "…"); file(first) == "" || file(first) != file(b) {
		return a + moreFiles
	}
	first, _, _ := strings.Cut(a, "…")
	return first + "…" + b[len(file(b))+1:]
}

// unknown lists the keys that nothing told.
func (d *drafter) unknown() []string {
	var out []string
	for _, t := range d.tables {
		for _, e := range t.entries {
			if e.hint != nil && !e.hint.quiet {
				out = append(out, fmt.Sprintf("%s.%s: %s", t.named(), e.name, e.hint.what))
			}
		}
	}
	return out
}
