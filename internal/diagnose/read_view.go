package diagnose

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"cupel/internal/literal"
	"cupel/internal/logtext"
)

// view is what a pattern over some number of lines sees of a block around the piece at hand. It is made once for
// all patterns that a piece calls for.
type view struct {
	made       bool
	start, end int
	hash       uint64
	lower      []byte
	text       string // cleaned
	head, tail string // what stands for the rest of a long line
}

// cut marks where a window ends within a line: no pattern shall take that for the end of the line.
const cut = "…"

func (w *worker) view(b *block, lines int) *view {
	v := &w.views[max(1, lines)]
	if v.made {
		return v
	}
	*v = view{made: true, lower: v.lower[:0]}
	v.start, v.end = neighbours(b.text, w.from, w.to, lines)
	if w.long {
		v.trim(b.text)
	}
	v.hash = maphash.Bytes(w.seed, b.text[v.start:v.end])
	v.lower = literal.AppendLower(v.lower, b.text[v.start:v.end])
	return v
}

// trim marks the ends of a window that are not those of its line, and puts them between characters.
func (v *view) trim(text []byte) {
	if v.start > 0 && !ended(text[v.start-1]) {
		v.head = cut
		for n := 0; n < utf8.UTFMax && v.start < v.end && !utf8.RuneStart(text[v.start]); n++ {
			v.start++
		}
	}
	if v.end < len(text) && !ended(text[v.end]) {
		v.tail = cut
		for n := 0; n < utf8.UTFMax && v.end > v.start && !utf8.RuneStart(text[v.end]); n++ {
			v.end--
		}
	}
}

func ended(c byte) bool { return c == '\n' || c == '\r' }

// cleaned is the text that a pattern is matched on: the cleaned piece, or several, blank ones left out, each
// trimmed, joined by one blank.
func (v *view) cleaned(b *block, lines int) string {
	if v.text != "" {
		return v.text
	}
	text := b.text[v.start:v.end]
	if lines <= 1 {
		v.text = logtext.Clean(v.head + string(text) + v.tail)
		return v.text
	}
	var parts []string
	logtext.Pieces(text, func(_ int, piece []byte) bool {
		if p := strings.TrimSpace(logtext.Clean(string(piece))); p != "" {
			parts = append(parts, p)
		}
		return true
	})
	v.text = v.head + strings.Join(parts, " ") + v.tail
	return v.text
}

// neighbours are the pieces that a pattern over n lines is matched on, around the piece from:to.
func neighbours(text []byte, from, to, n int) (start, end int) {
	start, end = from, to
	for range n - 1 {
		s, _, ok := logtext.Before(text, start)
		if !ok {
			break
		}
		start = s
	}
	for range n - 1 {
		_, e, ok := logtext.After(text, end)
		if !ok {
			break
		}
		end = e
	}
	return start, end
}

// strip takes terminal sequences out of a block.
func (w *worker) strip(b *block) {
	b.text = b.raw
	if !logtext.Marked(b.raw) {
		return
	}
	out := logtext.Strip(b.stripped[:0], b.raw[:b.from])
	from := len(out)
	out = logtext.Strip(out, b.raw[b.from:b.to])
	to := len(out)
	out = logtext.Strip(out, b.raw[b.to:])
	b.text, b.stripped, b.from, b.to = out, out, from, to
}
