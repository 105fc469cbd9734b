package infer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// clean makes a clue fit for a comment: one line, no control characters, no odd bytes.
func clean(c fact.Clue) fact.Clue {
	c.Value, c.Note, c.File = plain(c.Value), plain(c.Note), plain(c.File)
	return c
}

func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || r == '\ufeff' || r == unicode.ReplacementChar || !unicode.IsPrint(r) && r != ' ':
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 400 {
		s = strings.ToValidUTF8(s[:400], "")
	}
	return s
}

// from is the place a clue was read.
func from(c fact.Clue) string {
	switch {
	case c.File == "":
		return ""
	case c.Line < 1:
		return c.File
	}
	return fmt.Sprintf("%s:%d", c.File, c.Line)
}

// each makes one item of every clue, equal values together. A value that refuse finds fault with stays a comment.
func each(clues []fact.Clue, refuse func(string) error) []item {
	var out []item
	for _, c := range clues {
		i := slices.IndexFunc(out, func(o item) bool { return o.value == c.Value })
		if i >= 0 {
			out[i] = both(out[i], c)
			continue
		}
		it := item{value: c.Value, from: from(c), note: c.Note, maybe: c.Note != ""}
		if err := refuse(c.Value); err != nil {
			it.maybe, it.note = true, plain(err.Error())
		}
		out = append(out, it)
	}
	return out
}

// both: a value that is certain in one place is certain.
func both(it item, c fact.Clue) item {
	if it.maybe && c.Note == "" {
		return item{value: it.value, from: from(c)}
	}
	if f := from(c); f != "" && (c.Note == "" || it.maybe) && !strings.Contains(it.from, f) && strings.Count(it.from, ",") < 3 {
		it.from += ", " + f
	}
	return it
}

func anything(string) error { return nil }

// best picks the most telling of several values: a certain one before an uncertain one, then the greater. What the
// others say is kept in the note.
func best(clues []fact.Clue, refuse func(string) error, compare func(a, b string) int) []item {
	all := each(clues, refuse)
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b item) int {
		if a.maybe != b.maybe {
			return map[bool]int{true: 1, false: -1}[a.maybe]
		}
		return -compare(a.value, b.value)
	})
	win := all[0]
	for _, o := range all[1:] {
		win.note = strings.TrimPrefix(win.note+"; "+o.from+" says "+o.value, "; ")
		if o.maybe && o.note != "" {
			win.note += " (" + o.note + ")"
		}
	}
	win.note = plain(win.note)
	return []item{win}
}

// agreed leaves one value where all say the same, a less exact one counting as the same: 12.4 and 12.4.1. Where they
// differ, each is a maybe that names the others.
func agreed(all []item) []item {
	slices.SortStableFunc(all, func(a, b item) int { return rank([]item{a}) - rank([]item{b}) })
	var out []item
	for _, it := range all {
		i := slices.IndexFunc(out, func(o item) bool { return covers(o.value, it.value) || covers(it.value, o.value) })
		switch {
		case i < 0:
			out = append(out, it)
		case !out[i].maybe && it.maybe || covers(it.value, out[i].value):
			out[i].from += ", " + it.from
		default: // the more exact
			it.from += ", " + out[i].from
			out[i] = it
		}
	}
	out = out[:min(len(out), maxLists)]
	whole := slices.Clone(out)
	for i := range out {
		var others []string
		for j, o := range whole {
			if j != i {
				others = append(others, o.from+" says "+o.value)
			}
		}
		doubt(out[i:i+1], others)
	}
	return out
}

// covers says that a is b with fewer numbers.
func covers(a, b string) bool { return strings.HasPrefix(b+".", a+".") }

// release refuses what is no CUDA release.
func release(s string) error { return new(contract.Release).UnmarshalText([]byte(s)) }

func byVersion(a, b string) int {
	v, _ := version.Parse(a)
	w, _ := version.Parse(b)
	return v.Compare(w)
}

func byCC(a, b string) int {
	c, _ := gpu.ParseCC(a)
	e, _ := gpu.ParseCC(b)
	return c.Compare(e)
}

// span refuses what is no range.
func span(s string) error { return new(contract.Range).UnmarshalText([]byte(s)) }

// byLow orders ranges by what they demand: the higher lower bound is the stricter.
func byLow(a, b string) int {
	r, _ := contract.ParseRange(a)
	q, _ := contract.ParseRange(b)
	return r.Low().Compare(q.Low())
}

// wordOf refuses every word that the contract does not take for a key.
func wordOf(key string) func(string) error { return oneOf(contract.WordsOf(key)...) }

// oneOf refuses every other word.
func oneOf(words ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		return fmt.Errorf("%q is none of %s", s, strings.Join(words, ", "))
	}
}

func inOrder(words ...string) func(a, b string) int {
	return func(a, b string) int { return slices.Index(words, a) - slices.Index(words, b) }
}

func firstWins(a, b string) int { return 0 }
