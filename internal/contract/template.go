package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// piece is plain text or a word in braces.
type piece struct {
	text string // without the braces
	word bool
	open bool // a brace that nothing closes, with all that follows it
}

// pieces cuts a template. {{ is one brace that means itself; a } outside a word always does.
func pieces(text string) []piece {
	var out []piece
	for text != "" {
		i := strings.IndexByte(text, '{')
		switch {
		case i < 0:
			return append(out, piece{text: text})
		case i > 0:
			out = append(out, piece{text: text[:i]})
			text = text[i:]
		case strings.HasPrefix(text, "{{"):
			out = append(out, piece{text: "{"})
			text = text[2:]
		default:
			end := strings.IndexAny(text[1:], "{}") + 1
			if end == 0 || text[end] == '{' {
				return append(out, piece{text: text[1:], open: true})
			}
			out = append(out, piece{text: text[1:end], word: true})
			text = text[end+1:]
		}
	}
	return out
}

// Expand puts values into a template. Words of Values without a value stay as they are and are named, with their
// braces, in missing; other words without one are plain text.
func Expand(template string, value func(word string) string) (text string, missing []string) {
	var b strings.Builder
	for _, p := range pieces(template) {
		switch {
		case p.open:
			b.WriteString("{" + p.text)
		case !p.word:
			b.WriteString(p.text)
		default:
			if v := value(p.text); v != "" {
				b.WriteString(v)
				continue
			}
			whole := "{" + p.text + "}"
			if _, known := Values[p.text]; known {
				missing = append(missing, whole)
			}
			b.WriteString(whole)
		}
	}
	return b.String(), missing
}

// template looks for words that mean nothing, braces that nothing closes and folders of one machine. also are words
// of this key alone.
func (d *decoder) template(text, key string, also ...string) {
	known := slices.Concat(slices.Sorted(maps.Keys(Values)), also)
	told := 0
	for _, p := range pieces(text) {
		switch {
		case told == shown:
			return
		case p.open:
			d.openBrace(text, key, p, known)
		case p.word && !slices.Contains(known, p.text):
			d.unknownWord(text, key, p.text, known)
		default:
			continue
		}
		told++
	}
	if found, instead := placeOfOneMachine(text); found != "" {
		d.at(key, problem{id: "contract-machine-path", what: fmt.Sprintf("%s holds %s, a folder of one machine", key, found), why: "a contract holds on every machine",
			next: d.fixed(key, strings.Replace(text, found, instead, 1))})
	}
}

func (d *decoder) unknownWord(text, key, word string, known []string) {
	p := problem{id: "contract-bad-template", what: fmt.Sprintf("{%s} means nothing", word), why: "a template holds " + strings.Join(known, ", ")}
	if near, ok := nearest(word, known); ok {
		p.why = fmt.Sprintf("did you mean {%s}?", near)
		p.next = d.fixed(key, strings.ReplaceAll(text, "{"+word+"}", "{"+near+"}"))
	} else {
		p.next = note("see docs/formats/contract.md, Templates; a brace that means itself is written {{")
	}
	d.at(key, p)
}

// openBrace suggests the word that the brace was to hold, or else a brace that means itself.
func (d *decoder) openBrace(text, key string, p piece, known []string) {
	head := strings.TrimSuffix(text, "{"+p.text)
	instead := head + "{{" + p.text
	longest := ""
	for _, word := range known {
		if strings.HasPrefix(p.text, word) && len(word) > len(longest) {
			longest = word
		}
	}
	if longest != "" {
		instead = head + "{" + longest + "}" + p.text[len(longest):]
	}
	d.at(key, problem{id: "contract-bad-template", what: fmt.Sprintf("the brace of {%s is not closed", clip(p.text)),
		why: "a word stands between { and }; a brace that means itself is written {{", next: d.fixed(key, instead)})
}

// oneLine refuses values that no environment, shell or script carries as they are.
func (d *decoder) oneLine(text, key string) {
	i := strings.IndexAny(text, "\x00\r\n")
	if i < 0 {
		return
	}
	names := map[byte]string{0: "a NUL", '\r': "a line break", '\n': "a line break"}
	d.at(key, problem{id: "contract-bad-value", what: fmt.Sprintf("%s holds %s", key, names[text[i]]), why: "a variable holds one line of text",
		next: note("write the value on one line")})
}

// withoutCUDA wants a config that runs without a toolkit to ask for nothing of one: it could never be run.
func (d *decoder) withoutCUDA(text, key string) {
	for _, p := range pieces(text) {
		if _, known := Values[p.text]; p.word && known && !strings.HasPrefix(p.text, "project.") {
			d.at(key, problem{id: "contract-conflict", what: fmt.Sprintf(`{%s} has no value in a config with needs = "none"`, p.text),
				why: "it runs with every toolkit hidden: there is no toolkit, no target and no host compiler to name", next: note("leave the variable out, or write needs = \"toolkit\"")})
			return
		}
	}
}
