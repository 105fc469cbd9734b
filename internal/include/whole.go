package include

import "bytes"

// whole is the line that begins here without its comments and with the lines on which it goes on. Most lines are whole as
// they are.
func (s *scanner) whole(b []byte) []byte {
	line := lineOf(b)
	if bytes.IndexByte(line, '\\') < 0 && bytes.IndexByte(line, '/') < 0 {
		return line
	}
	s.line = s.line[:0]
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '\n':
			return s.line
		case c == '\\' && splice(b[i:]) > 0:
			i += splice(b[i:])
		case c == '/' && i+1 < len(b) && (b[i+1] == '*' || b[i+1] == '/'):
			i += commentLen(b[i:])
			s.line = append(s.line, ' ')
		case c == '<' && opensName(s.line):
			n := nameLen(b[i:])
			s.line = append(s.line, b[i:i+n]...)
			i += n
		case c == '"' || c == '\'' && !separates(s.line):
			i = s.copyQuoted(b, i)
		default:
			s.line = append(s.line, c)
			i++
		}
	}
	return s.line
}

// copyQuoted copies a string or character, at most to the end of the line.
func (s *scanner) copyQuoted(b []byte, i int) int {
	quote := b[i]
	s.line = append(s.line, quote)
	for i++; i < len(b) && b[i] != '\n'; {
		if n := splice(b[i:]); n > 0 {
			i += n
			continue
		}
		s.line = append(s.line, b[i])
		i++
		switch {
		case b[i-1] == quote:
			return i
		case b[i-1] == '\\' && i < len(b) && b[i] != '\n':
			s.line = append(s.line, b[i])
			i++
		}
	}
	return i
}

// opensName: what stands before lets a name in < > follow, in which // is no comment.
func opensName(before []byte) bool {
	before = bytes.TrimRight(before, blank)
	if len(before) == 0 {
		return false
	}
	switch before[len(before)-1] {
	case '(', ',':
		return true
	}
	for _, word := range []string{"include", "include_next", "import", "embed"} {
		if string(bytes.TrimLeft(before, blank)) == word {
			return true
		}
	}
	return false
}

// nameLen is the length of <x>, or 1 when it does not end on the line.
func nameLen(b []byte) int {
	if n := bytes.IndexByte(lineOf(b), '>'); n >= 0 {
		return n + 1
	}
	return 1
}

// separates: the apostrophe stands inside a number.
func separates(before []byte) bool { return len(before) > 0 && digit(before[len(before)-1]) }

// splice is the length of a backslash that ends a line, blanks after it forgiven as compilers do; 0: it does not.
func splice(b []byte) int {
	if b[0] != '\\' {
		return 0
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\n':
			return i + 1
		case ' ', '\t', '\r', '\v', '\f':
		default:
			return 0
		}
	}
	return 0
}

// commentLen is the length of the comment at the beginning; one of a line ends before its end.
func commentLen(b []byte) int {
	if b[1] == '*' {
		if n := bytes.Index(b[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
		return len(b)
	}
	for i := 2; i < len(b); {
		switch {
		case b[i] == '\n':
			return i
		case b[i] == '\\' && splice(b[i:]) > 0:
			i += splice(b[i:])
		default:
			i++
		}
	}
	return len(b)
}
