package include

import "bytes"

// scanLines reads the # lines of a text. It goes from # to #, which is most of its speed; lines in comments and raw strings
// are read too.
func scanLines(text []byte) Mentions {
	var s scanner
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for i := 0; ; {
		j := bytes.IndexByte(text[i:], '#')
		if j < 0 {
			break
		}
		i += j + 1
		if beginsLine(text[:i-1]) {
			s.directive(text[i:])
		}
	}
	// The other spelling of #. It is so rare that a second pass costs less than to look for both at once.
	for i := 0; ; {
		j := bytes.Index(text[i:], []byte("%:"))
		if j < 0 {
			return s.m
		}
		i += j + 2
		if beginsLine(text[:i-2]) {
			s.directive(text[i:])
		}
	}
}

// scanner gathers what the lines of one file mention.
type scanner struct {
	line []byte // the line at hand where it had to be put together
	m    Mentions
}

// beginsLine: what stands before is the beginning of a line, or may be: a comment may have begun anywhere.
func beginsLine(before []byte) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i] {
		case '\n', '\r':
			return true
		case ' ', '\t', '\v', '\f':
		case '/':
			return i > 0 && before[i-1] == '*'
		default:
			return false
		}
	}
	return true
}

// directive reads one line, from behind its #.
func (s *scanner) directive(b []byte) {
	b = bytes.TrimLeft(b, " \t")
	if len(b) == 0 {
		return
	}
	switch b[0] {
	case 'i', 'e', 'd', 'p':
		if uninteresting(b) {
			return
		}
	case '/', '\\', '\v', '\f', '_': // a comment, a line that goes on, #__include_macros
	default:
		return
	}
	line := s.whole(b)
	word, rest := ident(line)
	switch string(word) {
	case "include", "import", "include_next", "__include_macros":
		s.included(rest, string(word) == "include_next")
	case "if", "elif":
		s.words(line, rest, "", nil)
	case "define":
		s.defined(line, rest)
	case "embed":
		s.embeds("#embed")
	case "pragma":
		if gcc, rest := ident(rest); string(gcc) == "GCC" {
			if word, _ := ident(rest); string(word) == "dependency" {
				s.embeds("#pragma GCC dependency") // warns by the times of files
			}
		}
	}
}

func (s *scanner) embeds(what string) {
	if s.m.Embeds == "" {
		s.m.Embeds = what
	}
}

// uninteresting lines are most lines: #endif, #else, #ifdef, and those without a call.
func uninteresting(b []byte) bool {
	switch {
	case bytes.HasPrefix(b, []byte("in")), bytes.HasPrefix(b, []byte("im")), bytes.HasPrefix(b, []byte("em")):
		return false
	case bytes.HasPrefix(b, []byte("endif")), bytes.HasPrefix(b, []byte("else")), bytes.HasPrefix(b, []byte("ifdef")),
		bytes.HasPrefix(b, []byte("ifndef")), bytes.HasPrefix(b, []byte("error")):
		return true
	case bytes.HasPrefix(b, []byte("pragma")):
		line := lineOf(b)
		return !bytes.Contains(line, []byte("dependency")) && bytes.IndexByte(line, '\\') < 0
	}
	line := lineOf(b)
	return bytes.IndexByte(line, '\\') < 0 && bytes.IndexByte(line, '(') < 0 && bytes.IndexByte(line, '/') < 0 &&
		!(b[0] == 'd' && namesInclude(line))
}

func lineOf(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i]
	}
	return b
}

// included takes the name of an #include.
func (s *scanner) included(b []byte, next bool) {
	b = bytes.TrimLeft(b, blank)
	name, quoted, ok := literal(b)
	if !ok {
		s.m.Computed = true
		return
	}
	s.name(name, quoted, next)
}

// name keeps one.
func (s *scanner) name(name string, quoted, next bool) {
	if quoted {
		s.m.Quoted = append(s.m.Quoted, name)
	} else {
		s.m.Angled = append(s.m.Angled, name)
	}
	if next {
		s.m.Next = append(s.m.Next, name)
	}
}

const blank = " \t\v\f\r"

// longestName is more than systems take for a path.
const longestName = 32 << 10

// literal is the "x" or <x> at the beginning.
func literal(b []byte) (name string, quoted, ok bool) {
	if len(b) == 0 || b[0] != '"' && b[0] != '<' {
		return "", false, false
	}
	quoted = b[0] == '"'
	end := byte('>')
	if quoted {
		end = '"'
	}
	n := bytes.IndexByte(b[1:], end)
	if n <= 0 || n > longestName || bytes.IndexByte(b[1:1+n], 0) >= 0 {
		return "", false, false
	}
	return string(b[1 : 1+n]), quoted, true
}

// ident is the word at the beginning, and what stands behind it.
func ident(b []byte) (word, rest []byte) {
	b = bytes.TrimLeft(b, blank)
	n := 0
	for n < len(b) && wordByte(b[n]) {
		n++
	}
	return b[:n], b[n:]
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}
