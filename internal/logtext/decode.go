package logtext

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Decode gives the bytes of a log as UTF-8 without a byte order mark. UTF-16, which PowerShell writes, is told
// by its mark, else by its zeros.
func Decode(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, 1<<16)
	head, _ := in.Peek(peek) // what is wrong shows at the first read
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		in.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		in.Discard(2)
		return &wide{in: in, order: binary.LittleEndian}
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		in.Discard(2)
		return &wide{in: in, order: binary.BigEndian}
	default:
		if order := guess(head); order != nil {
			return &wide{in: in, order: order}
		}
	}
	return in
}

const peek = 4096

// guess tells UTF-16 without a mark: text of mostly ASCII characters has a zero in every second byte, from its
// start on. (Where UTF-16 was appended to something else, taking the zeros away does as well.)
func guess(head []byte) binary.ByteOrder {
	order := alternates(head)
	if order != alternates(head[:min(len(head), 32)]) {
		return nil
	}
	return order
}

func alternates(head []byte) binary.ByteOrder {
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(head) / 2
	switch {
	case pairs < 2:
	case zeros[1] > pairs/2 && zeros[0] < pairs/16+1:
		return binary.LittleEndian
	case zeros[0] > pairs/2 && zeros[1] < pairs/16+1:
		return binary.BigEndian
	}
	return nil
}

// wide reads UTF-16.
type wide struct {
	in    *bufio.Reader
	order binary.ByteOrder
	half  rune   // the first half of a pair
	out   []byte // decoded
	given int    // of it handed out
}

func (w *wide) Read(p []byte) (int, error) {
	for w.given == len(w.out) {
		w.out, w.given = w.out[:0], 0
		raw, err := w.in.Peek(2)
		if err != nil {
			if !w.end() {
				return 0, err
			}
			break
		}
		if n := w.in.Buffered() &^ 1; n > 2 {
			raw, _ = w.in.Peek(n)
		}
		for i := 0; i+1 < len(raw); i += 2 {
			w.put(rune(w.order.Uint16(raw[i:])))
		}
		w.in.Discard(len(raw))
	}
	n := copy(p, w.out[w.given:])
	w.given += n
	return n, nil
}

// end puts what an odd byte or half a pair at the end stands for, if there is one.
func (w *wide) end() bool {
	odd, _ := w.in.Discard(1)
	if odd == 0 && w.half == 0 {
		return false
	}
	w.half = 0
	w.out = utf8.AppendRune(w.out, utf8.RuneError)
	return true
}

func (w *wide) put(c rune) {
	if w.half != 0 {
		pair := utf16.DecodeRune(w.half, c)
		w.half = 0
		w.out = utf8.AppendRune(w.out, pair)
		if pair != utf8.RuneError {
			return
		}
	}
	switch {
	case utf16.IsSurrogate(c) && c < 0xdc00:
		w.half = c
	default:
		w.out = utf8.AppendRune(w.out, c) // a lone second half becomes U+FFFD
	}
}
