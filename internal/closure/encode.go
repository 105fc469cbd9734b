package closure

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"cupel/internal/digest"
	"cupel/internal/stamp"
)

// A closure is written as two lists. Each word of it is written as how much it shares with the word before, and the rest:
// a thousand headers lie in few folders.

// allWords bounds what the words of a closure take together when they are whole again.
const allWords = 64 << 20

var errTorn = errors.New("a closure is torn")

// Append writes it down.
func (c Closure) Append(b []byte) []byte {
	last := ""
	b = binary.AppendUvarint(b, uint64(len(c.Files)))
	for _, f := range c.Files {
		b, last = appendWord(b, last, f.Path), f.Path
		b = f.Known.Stamp.Append(append(b, bit(f.Known.Settled)))
		b = append(b, f.Known.Digest[:]...)
	}
	b = binary.AppendUvarint(b, uint64(len(c.Absent)))
	for _, a := range c.Absent {
		b, last = appendWord(b, last, a.Dir), a.Dir
		b = a.Stamp.Append(append(b, bit(a.Settled)))
		b = binary.AppendUvarint(b, uint64(len(a.Names)))
		for _, name := range a.Names {
			b, last = appendWord(b, last, name), name
		}
	}
	return b
}

func appendWord(b []byte, last, word string) []byte {
	n := 0
	for n < len(last) && n < len(word) && last[n] == word[n] {
		n++
	}
	b = binary.AppendUvarint(b, uint64(n))
	b = binary.AppendUvarint(b, uint64(len(word)-n))
	return append(b, word[n:]...)
}

func bit(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}

// Take reads what Append wrote, and gives what stands behind it. Words are parts of the text itself, or of few pieces that are
// put together: a warm build takes a closure for each of its calls.
func Take(text string) (c Closure, rest string, err error) {
	t := taker{text: text}
	last := ""
	c.Files = make([]File, t.count(3+len(digest.Digest{})))
	for i := range c.Files {
		f := &c.Files[i]
		last = t.word(last)
		f.Path = last
		t.stamp(&f.Known.Stamp, &f.Known.Settled)
		copy(f.Known.Digest[:], t.take(len(f.Known.Digest)))
	}
	c.Absent = make([]Absent, t.count(5))
	var names []string
	for i := range c.Absent {
		a := &c.Absent[i]
		last = t.word(last)
		a.Dir = last
		t.stamp(&a.Stamp, &a.Settled)
		n := t.count(2)
		if len(names) < n {
			names = make([]string, max(n, fewNames))
		}
		a.Names, names = names[:n:n], names[n:]
		for j := range a.Names {
			last = t.word(last)
			a.Names[j] = last
		}
	}
	if t.torn {
		return Closure{}, "", errTorn
	}
	return c, text[t.at:], nil
}

const (
	fewNames = 128      // made room for at once
	onePiece = 16 << 10 // of text that is put together
)

// taker reads parts off a text. After the first that is torn it gives nothing any more. It goes on by numbers alone: to write
// a pointer costs more while memory is swept.
type taker struct {
	text  string
	at    int
	piece []byte // words that are put together, written once
	size  int    // of all words
	torn  bool
}

func (t *taker) fail() { t.torn, t.at = true, len(t.text) }

func (t *taker) uvarint() int {
	if t.at < len(t.text) && t.text[t.at] < 0x80 { // nearly always
		t.at++
		return int(t.text[t.at-1])
	}
	v, n := binary.Uvarint(t.rest())
	if n <= 0 || v > allWords {
		t.fail()
		return 0
	}
	t.at += n
	return int(v)
}

// rest are the bytes that follow, for who only reads them.
func (t *taker) rest() []byte { return unsafe.Slice(unsafe.StringData(t.text), len(t.text))[t.at:] }

// count is how many follow, each of them at least so long.
func (t *taker) count(least int) int {
	n := t.uvarint()
	if n > (len(t.text)-t.at)/least {
		t.fail()
		return 0
	}
	return n
}

func (t *taker) take(n int) string {
	if n > len(t.text)-t.at {
		t.fail()
		return ""
	}
	t.at += n
	return t.text[t.at-n : t.at]
}

func (t *taker) word(last string) string {
	shared := t.uvarint()
	more := t.take(t.uvarint())
	t.size += shared + len(more)
	if t.torn || shared > len(last) || t.size > allWords {
		t.fail()
		return ""
	}
	if shared == 0 {
		return more
	}
	n := shared + len(more)
	if cap(t.piece)-len(t.piece) < n {
		t.piece = make([]byte, 0, max(n, min(len(t.text)-t.at, onePiece)))
	}
	start := len(t.piece)
	t.piece = append(append(t.piece, last[:shared]...), more...)
	return unsafe.String(unsafe.SliceData(t.piece[start:]), n)
}

func (t *taker) stamp(to *stamp.Stamp, settled *bool) {
	bit := t.take(1)
	if t.torn || bit[0] > 1 {
		t.fail()
		return
	}
	s, rest, ok := stamp.Take(t.rest())
	if !ok {
		t.fail()
		return
	}
	t.at = len(t.text) - len(rest)
	*to, *settled = s, bit[0] == 1
}
