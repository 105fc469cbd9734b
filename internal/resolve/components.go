package resolve

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/version"
)

// UnknownComponent is a word that stands in no table.
type UnknownComponent struct{ Word string }

func (e UnknownComponent) Error() string {
	return fmt.Sprintf("there is no component named %q: one of %s", e.Word, strings.Join(Words(), ", "))
}

// NotOffered are components that a source does not have for a release and platform.
type NotOffered struct {
	Source   string
	Release  string
	Platform Platform
	Words    []string
	Why      string // where the tables say
}

func (e NotOffered) Error() string {
	text := fmt.Sprintf("%s has no %s for CUDA %s on %s", e.Source, strings.Join(e.Words, ", "), e.Release, e.Platform)
	if e.Why != "" {
		text += ": " + e.Why
	}
	return text
}

// Words lists every component by cupel's name.
func Words() []string {
	var out []string
	for _, c := range data.AllComponents().Components {
		out = append(out, c.Word)
	}
	return out
}

// Minimal lists the components that compile and link kernels.
func Minimal() []string {
	var out []string
	for _, c := range data.AllComponents().Components {
		if c.Minimal {
			out = append(out, c.Word)
		}
	}
	return out
}

// ForPart is the component that brings a word of a contract's toolkit.components; "" when none does.
func ForPart(part string) string {
	for _, c := range data.AllComponents().Components {
		if slices.Contains(c.Parts, part) {
			return c.Word
		}
	}
	return ""
}

// Row is how a source names a component for a release and platform.
func Row(source, word string, release version.V, p Platform) (data.SourceRow, bool) {
	for _, r := range data.SourceOf(source).Components {
		if r.Word == word && p.in(r.On) && within(release, r.First, r.Last) {
			return r, true
		}
	}
	return data.SourceRow{}, false
}

// within compares X.Y with the bounds of a row.
func within(release version.V, first, last string) bool {
	if first != "" && release.Short().Less(version.MustParse(first)) {
		return false
	}
	return last == "" || !version.MustParse(last).Less(release.Short())
}

// Offered lists the words that a source's table has for a release and platform, in the order of components.toml.
func Offered(source string, release version.V, p Platform) []string {
	var out []string
	for _, word := range Words() {
		if _, ok := Row(source, word, release, p); ok {
			out = append(out, word)
		}
	}
	return out
}

// Closure is what a request comes to with a source: the minimal set, what was asked for, or everything, and all that
// those need. A needed component that the source does not have apart is left out; one that was asked for by name is
// an error.
func Closure(source string, req Request) ([]string, error) {
	offered := Offered(source, req.Release, req.Platform)
	want := slices.Concat(Minimal(), req.With)
	if req.Full {
		for _, w := range offered {
			if c, _ := data.ComponentByWord(w); !c.Apart {
				want = append(want, w)
			}
		}
	}
	var missing []string
	for _, w := range req.With {
		if _, ok := data.ComponentByWord(w); !ok {
			return nil, UnknownComponent{w}
		}
		if !slices.Contains(offered, w) {
			missing = append(missing, w)
		}
	}
	if !slices.Contains(offered, "nvcc") {
		missing = append([]string{"nvcc"}, missing...)
	}
	if len(missing) > 0 {
		return nil, NotOffered{source, req.Release.String(), req.Platform, missing, lacking(source, missing, req.Platform)}
	}
	needs := func(word string) []string {
		c, _ := data.ComponentByWord(word)
		row, _ := Row(source, word, req.Release, req.Platform)
		return slices.Concat(c.Needs, row.Needs)
	}
	return inOrder(needed(want, offered, needs)), nil
}

// lacking is why a source does not have components, as far as its table says.
func lacking(source string, words []string, p Platform) string {
	var out []string
	for _, r := range data.SourceOf(source).Lacks {
		about := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(r.Words, w) })
		if about && p.in(r.On) {
			out = append(out, r.Why)
		}
	}
	return strings.Join(out, "; ")
}

// needed follows the needs of every word.
func needed(want, offered []string, needs func(string) []string) map[string]bool {
	got := map[string]bool{}
	for len(want) > 0 {
		word := want[0]
		want = want[1:]
		if got[word] || !slices.Contains(offered, word) {
			continue
		}
		got[word] = true
		want = append(want, needs(word)...)
	}
	return got
}

func inOrder(set map[string]bool) []string {
	var out []string
	for _, w := range Words() {
		if set[w] {
			out = append(out, w)
		}
	}
	return out
}

// Names are what a source hands out for a set of words, each once, with the words it brings.
func Names(source string, words []string, release version.V, p Platform) []Named {
	var out []Named
	add := func(name, word string) {
		for i := range out {
			if out[i].Name == name {
				out[i].Brings = append(out[i].Brings, word)
				return
			}
		}
		out = append(out, Named{Name: name, Brings: []string{word}})
	}
	for _, w := range words {
		row, _ := Row(source, w, release, p)
		for range 4 { // a row that lies within another one points at it; tables are shallow
			if row.In == "" {
				break
			}
			row, _ = Row(source, row.In, release, p)
		}
		for _, n := range row.Names {
			add(fill(n, release), w)
		}
	}
	return out
}

// Named is one thing a source hands out, and the words it stands for.
type Named struct {
	Name   string
	Brings []string
}

func fill(name string, release version.V) string {
	return strings.NewReplacer("<X>", fmt.Sprint(release.Major()), "<Y>", fmt.Sprint(release.Minor())).Replace(name)
}
