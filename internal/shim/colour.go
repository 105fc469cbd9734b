package shim

import (
	"bytes"
	"os"
)

const escape = 0x1b

// uncoloured is what was said to a terminal as it would have been said to a file: the next caller may be one. What went to
// no terminal is coloured because somebody asked for it, and stays.
func uncoloured(to *os.File, text []byte) []byte {
	if bytes.IndexByte(text, escape) < 0 || to == nil {
		return text
	}
	if info, err := to.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return text
	}
	return withoutEscapes(text)
}

// withoutEscapes leaves out what gcc and clang colour with: ESC [ … up to a letter, and links, ESC ] … up to BEL or ESC \.
func withoutEscapes(text []byte) []byte {
	var out []byte
	for {
		i := bytes.IndexByte(text, escape)
		if i < 0 {
			return append(out, text...)
		}
		out = append(out, text[:i]...)
		text = text[i+1:]
		text = text[sequence(text):]
	}
}

// sequence is how long a sequence is, without its ESC. One of another kind is as long as nothing.
func sequence(text []byte) int {
	switch {
	case len(text) == 0:
		return 0
	case text[0] == '[':
		for i, c := range text[1:] {
			if c >= '@' && c <= '~' {
				return i + 2
			}
		}
		return len(text)
	case text[0] == ']':
		for i, c := range text {
			switch {
			case c == '\a':
				return i + 1
			case c == escape && i+1 < len(text) && text[i+1] == '\\':
				return i + 2
			}
		}
		return len(text)
	}
	return 0
}
