package infer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cupel/internal/contract"
)

const opening = `# What this project demands of a machine that builds it. Drafted by cupel init; read it before you rely on it.
# "from" says where a line was read. "maybe" lines were seen and are not certain: take the marker off to make them
# count. Other commented lines are examples of what can be said. See docs/formats/contract.md, then: cupel verify
cupel = 1
`

// text writes the draft.
func (d *drafter) text() []byte {
	var b strings.Builder
	b.WriteString(opening)
	for _, t := range d.tables {
		b.WriteString("\n")
		t.write(&b)
	}
	return []byte(b.String())
}

// write: in a table that does not count, every line is a comment.
func (t *table) write(b *strings.Builder) {
	mark := ""
	if !t.active() {
		mark = "# "
	}
	comment(b, mark+t.head, origin(item{from: t.from, note: t.why}))
	for _, e := range t.entries {
		e.write(b, t.maybe)
	}
}

func (e *entry) write(b *strings.Builder, maybe bool) {
	mark := ""
	if maybe {
		mark = "# "
	}
	switch {
	case e.hint != nil:
		comment(b, fmt.Sprintf("# %s = %s", e.name, e.hint.example), plain(e.hint.what))
	case e.list && !e.sameOrigin():
		e.writeList(b, mark)
	case !e.active():
		comment(b, "# maybe: "+e.name+" = "+e.value(), origin(e.items[0]))
	default:
		comment(b, mark+e.name+" = "+e.value(), origin(e.items[0]))
	}
}

// writeList gives every entry a line. A remark that all share is made once.
func (e *entry) writeList(b *strings.Builder, mark string) {
	all := !e.active()
	if all {
		mark = "# "
	}
	shared := e.items[0].note
	for _, i := range e.items {
		if i.note != shared {
			shared = ""
		}
	}
	comment(b, mark+map[bool]string{true: "maybe: "}[all]+e.name+" = [", shared)
	for _, i := range e.items {
		text := "  " + contract.Quote(i.value) + ","
		if i.maybe && !all {
			text = "  # maybe: " + contract.Quote(i.value) + ","
		}
		if i.note == shared {
			i.note = ""
		}
		comment(b, mark+text, origin(i))
	}
	fmt.Fprintf(b, "%s]\n", mark)
}

// sameOrigin: a list that was read in one place fits on one line.
func (e *entry) sameOrigin() bool {
	for _, i := range e.items[1:] {
		if i.from != e.items[0].from || i.maybe != e.items[0].maybe || i.note != "" && i.note != e.items[0].note {
			return false
		}
	}
	return len(e.items) <= 12
}

// value is the right side in one line.
func (e *entry) value() string {
	if e.raw {
		return e.items[0].value
	}
	var out []string
	for _, i := range e.items {
		out = append(out, contract.Quote(i.value))
	}
	if !e.list {
		return out[0]
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func origin(i item) string {
	out := ""
	if i.from != "" {
		out = "from " + i.from
	}
	if i.note != "" {
		out = strings.TrimPrefix(out+": "+i.note, ": ")
	}
	return plain(out)
}

// comment writes a line with a comment beside it, in one column where the line is short.
func comment(b *strings.Builder, line, text string) {
	b.WriteString(line)
	if text != "" {
		b.WriteString(strings.Repeat(" ", max(1, 48-utf8.RuneCountInString(line))))
		b.WriteString("# " + text)
	}
	b.WriteString("\n")
}
