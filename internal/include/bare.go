package include

import (
	"bytes"
	"strings"
)

// found are words that make a result depend on more than the text of files.
type found struct {
	date, timestamp, trigraph bool
	embeds                    string
}

func (f found) any() bool { return f.date || f.timestamp || f.trigraph || f.embeds != "" }

// search looks for them anywhere: in strings too, since a string may be part of assembly, and a macro can make code of it.
// It looks for parts that begin with a rare letter, which is faster than to stop at every _.
func search(text []byte) found {
	var f found
	for i := next(text, 0, "DATE__"); i >= 0 && !f.date; i = next(text, i+1, "DATE__") {
		f.date = wordAt(text, i-2, "__DATE__")
	}
	for i := next(text, 0, "TIME"); i >= 0; i = next(text, i+1, "TIME") {
		f.date = f.date || wordAt(text, i-2, "__TIME__")
		f.timestamp = f.timestamp || wordAt(text, i-2, "__TIMESTAMP__")
	}
	for i := next(text, 0, "."); i >= 0 && f.embeds == ""; i = next(text, i+1, ".") {
		f.embeds = assembly(text[i:])
	}
	f.trigraph = next(text, 0, "??=") >= 0 || next(text, 0, "??/") >= 0
	return f
}

// splitsWord: a backslash at the end of a line stands inside a word.
func splitsWord(text []byte) bool {
	for i := next(text, 0, `\`); i >= 0; i = next(text, i+1, `\`) {
		if i == 0 || text[i-1] != '.' && text[i-1] != '?' && !wordByte(text[i-1]) {
			continue
		}
		n := splice(text[i:])
		if n > 0 && i+n < len(text) && (text[i+n] == '\\' || text[i+n] == '?' || wordByte(text[i+n])) {
			return true
		}
	}
	return false
}

// unsplice is the text with lines put together that go on, in raw strings too.
func unsplice(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for {
		i := next(text, 0, `\`)
		if i < 0 {
			return append(out, text...)
		}
		n := splice(text[i:])
		out = append(out, text[:i]...)
		if n == 0 {
			out = append(out, '\\')
			n = 1
		}
		text = text[i+n:]
	}
}

func next(text []byte, from int, part string) int {
	if i := bytes.Index(text[from:], []byte(part)); i >= 0 {
		return from + i
	}
	return -1
}

// wordAt: the word stands there as a whole one.
func wordAt(text []byte, at int, word string) bool {
	if at < 0 || !bytes.HasPrefix(text[at:], []byte(word)) {
		return false
	}
	end := at + len(word)
	return (at == 0 || !wordByte(text[at-1])) && (end == len(text) || !wordByte(text[end]))
}

// assembly is the directive that takes in a file: .incbin, or .include with a name in quotes; upper and lower case are the same
// to the assembler. In C++ a member could have that name, but no string behind it, nor a backslash (of \t or \") or a comment.
// Macros of the assembler can put such a word together (.inc\x): any of them counts. No word follows a member in C++.
func assembly(b []byte) string {
	const binary, text = ".incbin", ".include"
	switch {
	case len(b) < len(".irp ") || b[1]|' ' != 'i' && b[1]|' ' != 'm': // most points
	case len(b) < len(binary):
		return macro(b)
	case bytes.EqualFold(b[:len(binary)], []byte(binary)):
		return binary
	case len(b) > len(text) && bytes.EqualFold(b[:len(text)], []byte(text)):
		if name := bytes.TrimLeft(b[len(text):], " \t"); len(name) > 0 && bytes.IndexByte([]byte(`"\/`), name[0]) >= 0 {
			return text
		}
	default:
		return macro(b)
	}
	return ""
}

func macro(b []byte) string {
	for _, word := range []string{".macro", ".irp", ".irpc"} {
		if n := len(word); len(b) > n+1 && bytes.EqualFold(b[:n], []byte(word)) && strings.IndexByte(" \t\\", b[n]) >= 0 {
			if c := bytes.TrimLeft(b[n:], " \t"); len(c) > 0 && (wordByte(c[0]) || c[0] == '\\' || c[0] == '"') {
				return word
			}
		}
	}
	return ""
}

// uncomment is the text without its comments; lines that go on are one.
func uncomment(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		n := 1
		switch c := text[i]; {
		case c == '\\' && splice(text[i:]) > 0:
			i += splice(text[i:])
			continue
		case c == '/' && commentLen(text[i:]) > 0:
			i += commentLen(text[i:])
			out = append(out, ' ')
			continue
		case c == '"' && raw(out):
			n = rawLen(text[i:])
		case c == '"' || c == '\'' && !separates(out):
			n = stringLen(text[i:])
		}
		out = append(out, text[i:i+n]...)
		i += n
	}
	return out
}

// stringLen is how long a string or character is, at most to the end of its line.
func stringLen(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch {
		case b[i] == '\n':
			return i
		case b[i] == b[0]:
			return i + 1
		case b[i] == '\\':
			if n := splice(b[i:]); n > 0 {
				i += n - 1
			} else {
				i++
			}
		}
	}
	return len(b)
}

// raw: the quote that follows begins a raw string: R, u8R, uR, UR or LR stands before it, and is a word of its own.
func raw(before []byte) bool {
	n := len(before)
	if n == 0 || before[n-1] != 'R' {
		return false
	}
	start := n
	for start > 0 && wordByte(before[start-1]) {
		start--
	}
	switch string(before[start:n]) {
	case "R", "u8R", "uR", "UR", "LR":
		return true
	}
	return false
}

// rawLen is how long a raw string is, from its first quote: "end( … )end".
func rawLen(b []byte) int {
	const longestEnd = 16
	open := bytes.IndexByte(b[:min(len(b), longestEnd+2)], '(')
	if open < 0 {
		return stringLen(b)
	}
	end := append(append([]byte(")"), b[1:open]...), '"')
	if n := bytes.Index(b[open:], end); n >= 0 {
		return open + n + len(end)
	}
	return len(b)
}
