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
		case c == '/' && commentLen(b[i:]) > 0:
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

// separates: the apostrophe stands inside a number, which begins with a digit: 1'000, 0xAB'CD, and not u8'x'.
func separates(before []byte) bool {
	start := len(before)
	for start > 0 && (wordByte(before[start-1]) || before[start-1] == '\'' && start < len(before)) {
		start--
	}
	return start < len(before) && digit(before[start])
}

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

// splices is the length of all of them that stand here one behind the other.
func splices(b []byte) int {
	n := 0
	for n < len(b) && splice(b[n:]) > 0 {
		n += splice(b[n:])
	}
	return n
}

// commentLen is the length of the comment that begins here, 0 when none does; one of a line ends before its end. Lines may go
// on between the two letters that begin or end one.
func commentLen(b []byte) int {
	open := 1 + splices(b[1:])
	if open >= len(b) {
		return 0
	}
	switch b[open] {
	case '/':
		return lineCommentLen(b, open+1)
	case '*':
		return blockCommentLen(b, open+1)
	}
	return 0
}

func blockCommentLen(b []byte, i int) int {
	for i < len(b) {
		star := bytes.IndexByte(b[i:], '*')
		if star < 0 {
			break
		}
		i += star + 1
		if end := i + splices(b[i:]); end < len(b) && b[end] == '/' {
			return end + 1
		}
	}
	return len(b)
}

func lineCommentLen(b []byte, i int) int {
	for i < len(b) {
		switch {
		case b[i] == '\n':
			return i
		case splice(b[i:]) > 0:
			i += splice(b[i:])
		default:
			i++
		}
	}
	return len(b)
}
