package gpu

import (
	"fmt"
	"slices"
	"strings"
)

// Spelling says how a reader of an architecture or of a list of them wants it written. The names are
// examples of themselves, as they stand in the table of variables.
type Spelling string

const (
	Integer Spelling = "86"      // CUDA_COMPUTE_CAP: one number without a dot
	Dotted  Spelling = "8.6"     // one number with a dot
	SM      Spelling = "sm_86"   // nvcc -arch
	CMake   Spelling = "86-real" // CUDAARCHS, CMAKE_CUDA_ARCHITECTURES: list with ';'
	Torch   Spelling = "8.6+PTX" // TORCH_CUDA_ARCH_LIST: list with ';' or ' '
)

// Item is one entry of a list: the target it names, or why its reader does not take it.
type Item struct {
	Text string `json:"text"`
	Arch Arch   `json:"arch,omitzero"`
	PTX  bool   `json:"ptx,omitempty"`  // PTX of the same number is asked for too
	Word string `json:"word,omitempty"` // native, all, Ampere …: no number is given
	Why  string `json:"why,omitempty"`  // wrong for this reader, because …
	Want string `json:"want,omitempty"` // the same target as this reader writes it
}

// reader is what one spelling allows besides numbers.
type reader struct {
	separators string
	words      []string
}

func readerOf(s Spelling) reader {
	switch s {
	case SM:
		return reader{words: []string{"native", "all", "all-major"}}
	case CMake:
		return reader{";", []string{"native", "all", "all-major", "OFF"}}
	case Torch:
		return reader{"; ", []string{"Kepler+Tesla", "Kepler", "Maxwell+Tegra", "Maxwell", "Pascal", "Volta+Tegra", "Volta", "Turing",
			"Ampere+Tegra", "Ampere", "Ada", "Hopper", "Blackwell+Tegra", "Blackwell"}}
	}
	return reader{}
}

// ParseArchList reads a list as a reader with that spelling would. An empty list has no items.
func ParseArchList(s string, spelling Spelling) []Item {
	r := readerOf(spelling)
	texts := []string{strings.TrimSpace(s)}
	if r.separators != "" {
		texts = strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(r.separators, c) })
	}
	var items []Item
	for _, text := range texts {
		if text != "" {
			items = append(items, r.item(text, spelling))
		}
	}
	return items
}

// item accepts a text only when it is what Spell writes for the same target: every other form is one that
// people know from another tool.
func (r reader) item(text string, spelling Spelling) Item {
	if slices.Contains(r.words, text) {
		return Item{Text: text, Word: text}
	}
	a, err := ParseArch(text)
	if err != nil {
		return Item{Text: text, Why: err.Error()}
	}
	it := Item{Text: text, Arch: a, PTX: wantsPTX(text, a, spelling)}
	if it.Want = Spell(a, it.PTX, spelling); spelling == CMake && strings.HasSuffix(text, "-real") {
		it.Want += "-real"
	}
	if it.Want != text {
		it.Why = fmt.Sprintf("%q is not how this reader writes it: it wants %s", text, it.Want)
	}
	return it
}

// wantsPTX knows that a bare number asks CMake for both kinds, and Torch for machine code only.
func wantsPTX(text string, a Arch, spelling Spelling) bool {
	if spelling == CMake {
		return !a.Virtual && !strings.HasSuffix(text, "-real")
	}
	return strings.HasSuffix(strings.ToLower(text), "+ptx")
}

// Spell writes a target as a reader wants it; ptx asks for PTX of the same number too, where the spelling
// can say so.
func Spell(a Arch, ptx bool, spelling Spelling) string {
	switch spelling {
	case Dotted:
		return a.CC.String() + a.Suffix
	case SM:
		return a.String()
	case CMake:
		if a.Virtual {
			return a.Digits() + "-virtual"
		}
		return a.Digits()
	case Torch:
		if ptx || a.Virtual {
			return a.CC.String() + a.Suffix + "+PTX"
		}
		return a.CC.String() + a.Suffix
	}
	return a.Digits()
}
