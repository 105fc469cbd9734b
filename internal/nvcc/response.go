package nvcc

import (
	"fmt"
	"runtime"
	"strings"
)

const (
	// deepest is how many response files may be open at once: the 16th is refused with "Too many options file opened" (11.8 to
	// 13.4).
	deepest = 15
	// longest is a limit of ours: files that name each other can grow without end below that depth.
	longest = 64 << 20
)

// Expand puts response files (--options-file, -optf; no tested release reads @file) in their place, as the nvcc of this
// system reads them. read gives the bytes of a file; one that cannot be read stays where it is and is lost, with why.
func Expand(args []string, read func(name string) ([]byte, error)) (expanded, lost []string) {
	return ExpandFor(args, read, runtime.GOOS == "windows")
}

// ExpandFor is Expand for the nvcc of one system: to that of Windows a backslash is part of a path.
func ExpandFor(args []string, read func(name string) ([]byte, error), windows bool) (expanded, lost []string) {
	e := expander{read: read, windows: windows}
	return e.expand(args, 0), e.lost
}

type expander struct {
	read    func(name string) ([]byte, error)
	windows bool
	size    int // bytes of files so far
	lost    []string
}

func (e *expander) expand(args []string, depth int) []string {
	var out []string // nil until there is a response file: most calls have none
	for at := 0; at < len(args); {
		o, value, n, _ := read(args[at:])
		if o == nil || o.Role != ResponseFile || n == 1 && !strings.Contains(args[at], "=") {
			if out != nil {
				out = append(out, args[at:at+n]...)
			}
			at += n
			continue
		}
		if out == nil {
			out = append(make([]string, 0, 2*len(args)), args[:at]...)
		}
		for _, name := range o.values(nil, value) {
			words, err := e.file(name, depth)
			if err != nil {
				e.lost = append(e.lost, name+": "+err.Error())
				words = []string{"--options-file", name}
			}
			out = append(out, words...)
		}
		at += n
	}
	if out == nil {
		return args
	}
	return out
}

func (e *expander) file(name string, depth int) ([]string, error) {
	if depth == deepest {
		return nil, fmt.Errorf("more than %d response files name each other", deepest)
	}
	text, err := e.read(name)
	if err != nil {
		return nil, err
	}
	if e.size += len(text); e.size > longest {
		return nil, fmt.Errorf("response files of more than %d bytes", longest)
	}
	return e.expand(words(string(text), e.windows), depth+1), nil
}

// words splits the text of a response file. Blanks and ends of lines separate words, double quotes hold them together; a
// single quote and # are as any other character. On Unix a backslash gives the next character as it is. On Windows it is a
// character, and before a quote inside quotes it keeps that from ending them. Last, all quotes go that no backslash stands
// before, also those that were escaped: a word with a quote of its own cannot be said. The text ends at a zero byte.
func words(text string, windows bool) []string {
	text, _, _ = strings.Cut(text, "\x00")
	var list []string
	var word []byte
	begun, quoted := false, false
	for k := 0; k < len(text); k++ {
		c := text[k]
		if !quoted && strings.IndexByte(" \t\r\n", c) >= 0 {
			if begun {
				list = append(list, unquote(word))
				word, begun = word[:0], false
			}
			continue
		}
		begun = true
		switch {
		case c == '\\' && !windows && k+1 < len(text):
			k++
			c = text[k]
		case c == '"' && windows && quoted:
			quoted = text[k-1] == '\\'
		case c == '"':
			quoted = !quoted
		}
		word = append(word, c)
	}
	if begun {
		list = append(list, unquote(word))
	}
	return list
}

// unquote drops the quotes that no backslash stands before.
func unquote(word []byte) string {
	out := make([]byte, 0, len(word))
	for k, c := range word {
		if c != '"' || k > 0 && word[k-1] == '\\' {
			out = append(out, c)
		}
	}
	return string(out)
}

// Quote is the text of a response file that says args to the nvcc of this system. Ask Quotable first: a double quote that no
// backslash stands before is written with one.
func Quote(args []string) []byte { return QuoteFor(args, runtime.GOOS == "windows") }

// QuoteFor is Quote for the nvcc of one system.
func QuoteFor(args []string, windows bool) []byte {
	var out []byte
	for _, a := range args {
		out = append(quote(out, a, windows), '\n')
	}
	return out
}

// Quotable says that a response file can say the word exactly.
func Quotable(word string) bool {
	for k := range len(word) {
		if word[k] == 0 || word[k] == '"' && (k == 0 || word[k-1] != '\\') {
			return false
		}
	}
	return true
}

func quote(out []byte, word string, windows bool) []byte {
	if word == "" {
		return append(out, `""`...)
	}
	if windows {
		return quoteWindows(out, word)
	}
	for k := range len(word) {
		switch c := word[k]; c {
		case '"':
			if k == 0 || word[k-1] != '\\' {
				out = append(out, `\\`...)
			}
			out = append(out, '\\')
		case ' ', '\t', '\r', '\n', '\\':
			out = append(out, '\\')
		}
		out = append(out, word[k])
	}
	return out
}

// quoteWindows holds the word in quotes, its last backslashes outside: one before the closing quote would keep it from
// closing.
func quoteWindows(out []byte, word string) []byte {
	if !strings.ContainsAny(word, " \t\r\n\"") {
		return append(out, word...)
	}
	head := strings.TrimRight(word, `\`)
	out = append(out, '"')
	for k := range len(head) {
		if head[k] == '"' && (k == 0 || head[k-1] != '\\') {
			out = append(out, '\\')
		}
		out = append(out, head[k])
	}
	out = append(out, '"')
	return append(out, word[len(head):]...)
}
