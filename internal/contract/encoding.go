package contract

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// encodings are first bytes that say how a text is stored. TOML is UTF-8 without any.
var encodings = []struct {
	mark []byte
	name string
}{
	{[]byte{0xef, 0xbb, 0xbf}, "a byte order mark (BOM) of UTF-8"},
	{[]byte{0xff, 0xfe}, "a byte order mark of UTF-16"},
	{[]byte{0xfe, 0xff}, "a byte order mark of UTF-16"},
}

// readable refuses what is no plain UTF-8 text, before anything else is made of it.
func (s *source) readable() *problem {
	if len(s.data) > MaxSize {
		return &problem{id: "contract-too-large", what: fmt.Sprintf("the contract is larger than %d MiB", MaxSize>>20),
			why: "cupel reads no further; no project needs more", next: note("give the contract itself: a short text with cupel = %d first", Format)}
	}
	save := note("save it as UTF-8 without a byte order mark, with LF or CRLF at the end of a line")
	for _, e := range encodings {
		if bytes.HasPrefix(s.data, e.mark) {
			return &problem{id: "contract-encoding", what: "the file begins with " + e.name, why: "a contract is UTF-8 text without a mark", next: save}
		}
	}
	for i := 0; i < len(s.data); {
		r, size := utf8.DecodeRune(s.data[i:])
		if what := oddCharacter(s.data, i, r, size); what != "" {
			return &problem{id: "contract-encoding", from: i, to: i + size, what: what, why: "a contract is UTF-8 text with LF or CRLF at the end of a line", next: save}
		}
		i += size
	}
	return nil
}

func oddCharacter(data []byte, i int, r rune, size int) string {
	switch {
	case r == 0:
		return "the file holds a NUL byte"
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("the byte 0x%02X is not UTF-8", data[i])
	case r == '\r' && (i+1 == len(data) || data[i+1] != '\n'):
		return "a line ends with CR alone"
	}
	return ""
}
