package logtext

import "bytes"

const (
	esc  = 0x1b
	bell = 0x07
	back = 0x08
)

// Marked says that a text holds what Strip takes away.
func Marked(text []byte) bool {
	return bytes.IndexByte(text, esc) >= 0 || bytes.IndexByte(text, 0) >= 0 || bytes.IndexByte(text, back) >= 0
}

// Strip appends a text to dst without terminal sequences and NUL bytes. A move to another place of the screen
// becomes a carriage return, one to the right blanks, a backspace takes the character before it. Line ends
// stay, so lines keep their numbers.
func Strip(dst, text []byte) []byte {
	start := len(dst)
	for len(text) > 0 {
		n := 0
		for n < len(text) && text[n] != esc && text[n] != 0 && text[n] != back {
			n++
		}
		dst, text = append(dst, text[:n]...), text[n:]
		if len(text) == 0 {
			break
		}
		switch text[0] {
		case esc:
			size, put := sequence(text)
			dst, text = append(dst, put...), text[size:]
		case back:
			if k := len(dst) - 1; k >= start && dst[k] != '\n' && dst[k] != '\r' {
				dst = dst[:k]
			}
			text = text[1:]
		default:
			text = text[1:]
		}
	}
	return dst
}

// sequence is the length of the terminal sequence at the start of a text and what stands for it. None reaches
// over a line end.
func sequence(text []byte) (size int, put string) {
	if len(text) < 2 {
		return 1, ""
	}
	switch c := text[1]; {
	case c == '[':
		return csi(text)
	case c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X':
		return quoted(text), ""
	case c >= ' ' && c <= '/': // ESC ( B of tput sgr0
		n := 2
		for n < len(text) && text[n] >= ' ' && text[n] <= '/' {
			n++
		}
		if n < len(text) && text[n] >= '0' && text[n] <= '~' {
			n++
		}
		return n, ""
	case c >= '0' && c <= '~':
		return 2, ""
	}
	return 1, ""
}

// csi is ESC [ parameters letter.
func csi(text []byte) (size int, put string) {
	n := 2
	for n < len(text) && text[n] >= '0' && text[n] <= '?' {
		n++
	}
	params := text[2:n]
	for n < len(text) && text[n] >= ' ' && text[n] <= '/' {
		n++
	}
	if n == len(text) || text[n] < '@' || text[n] > '~' {
		return n, ""
	}
	switch text[n] {
	case 'A', 'B', 'E', 'F', 'G', 'H', 'd', 'f':
		return n + 1, "\r"
	case 'C': // Windows consoles write runs of blanks so
		return n + 1, blanks[:min(len(blanks), max(1, number(params)))]
	}
	return n + 1, ""
}

const blanks = "                                                                "

func number(digits []byte) int {
	v := 0
	for _, d := range digits {
		if d < '0' || d > '9' || v > len(blanks) {
			break
		}
		v = v*10 + int(d-'0')
	}
	return v
}

// longest sequence with text in it: a link or a title. What is longer is no sequence.
const longestQuoted = 4096

// quoted is ESC ] text BEL, or with ESC \ at its end: links, titles, Buildkite's times.
func quoted(text []byte) int {
	for n := 2; n < len(text) && n < longestQuoted; n++ {
		switch text[n] {
		case bell:
			return n + 1
		case '\n', '\r':
			return n
		case esc:
			if n+1 < len(text) && text[n+1] == '\\' {
				return n + 2
			}
			return n
		}
	}
	return 2
}
