package mend

import (
	"slices"
	"strings"

	"cupel/internal/nvcc"
)

// asks says that the call only asks nvcc something, or has nothing to work on. A dry run is no question: it fails where the
// call itself would.
func (w *work) asks() bool {
	return len(w.call.Inputs) == 0 || w.call.Has("version", "help", "list-gpu-arch", "list-gpu-code")
}

// sourceSuffixes are those of files that the host compiler or its preprocessor reads (nvcc's manual, "Supported Input File
// Suffixes").
var sourceSuffixes = []string{".cu", ".c", ".cc", ".cxx", ".cpp", ".ii", ".cup", ".gpu"}

// compiles says that the host compiler reads a source: flags for it mean nothing to a call that only links.
func (w *work) compiles() bool {
	return w.call.Has("x") || slices.ContainsFunc(w.call.Inputs, func(name string) bool {
		lower := strings.ToLower(name)
		return slices.ContainsFunc(sourceSuffixes, func(s string) bool { return strings.HasSuffix(lower, s) })
	})
}

// word is an option and its value as they are spelt: in two arguments or in one.
type word struct {
	nvcc.Given
	head, value string
	joined      bool // -arch=sm_80
}

// words are the options of a name with their values as they are spelt. One without a value is left out: nvcc says what it
// thinks of it.
func words(i nvcc.Invocation, name string) []word {
	var list []word
	for _, g := range i.Given {
		if g.Name != name || g.At < 0 || g.At+g.N > len(i.Args) {
			continue
		}
		switch g.N {
		case 1:
			if head, value, ok := strings.Cut(i.Args[g.At], "="); ok {
				list = append(list, word{g, head, value, true})
			}
		case 2:
			list = append(list, word{g, i.Args[g.At], i.Args[g.At+1], false})
		}
	}
	return list
}

// with spells the option with another value.
func (o word) with(value string) []string {
	if o.joined {
		return []string{o.head + "=" + value}
	}
	return []string{o.head, value}
}

// last is the one of several that counts: nvcc takes the last and warns.
func last(list []word) (word, bool) {
	if len(list) == 0 {
		return word{}, false
	}
	return list[len(list)-1], true
}

// pieces splits a list of flags for the host compiler at commas and blanks that no quotes and no backslash hold. Each piece
// but the first begins with what stood before it, so that joined they are the text again.
func pieces(value string) []string {
	var list []string
	begin, quote := 0, byte(0)
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\':
			i++
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case i > 0 && (c == ',' || c == ' '):
			list, begin = append(list, value[begin:i]), i
		}
	}
	return append(list, value[begin:])
}

// flag is a piece without what parts it from the one before, and without quotes.
func flag(piece string) string { return strings.Trim(piece, `, "'`) }
