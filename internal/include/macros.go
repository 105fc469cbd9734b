package include

import (
	"bytes"
	"slices"
	"strings"
)

// defined reads a #define: its name, its parameters and what it stands for.
func (s *scanner) defined(line, b []byte) {
	name, rest := ident(b)
	var params [][]byte
	if len(rest) > 0 && rest[0] == '(' { // no blank before it, or it is no list of parameters
		list, body, _ := bytes.Cut(rest[1:], []byte(")"))
		for p := range bytes.SplitSeq(list, []byte(",")) {
			p = bytes.TrimRight(bytes.Trim(p, blank), ".")
			if len(p) == 0 {
				p = []byte("__VA_ARGS__")
			}
			params = append(params, p)
		}
		params = append(params, []byte("__VA_OPT__"))
		rest = body
	}
	if string(name) != "__has_include" { // a stand-in for compilers without it answers by itself
		s.words(line, rest, string(name), params)
	}
}

// words reads the part of a line in which names can be asked for. into and params are those of a #define.
func (s *scanner) words(line, b []byte, into string, params [][]byte) {
	before := byte(0) // the last byte that was not blank
	var last []byte   // the word before it, when it is (
	for len(b) > 0 {
		c := b[0]
		switch {
		case wordByte(c):
			var word []byte
			word, b = ident(b)
			switch {
			case asks(word):
				b = s.asked(line, b, word, into, params, string(last) == "defined")
			case partOfAsking(word):
				s.pasted(line, into)
			default:
				s.passed(line, b, word, into, params)
			}
			last, before = word, 'a'
			continue
		case c == '"' || c == '<':
			callee := last
			if before == ',' {
				callee = nil
			}
			n := s.given(b, before, callee, into != "")
			b = b[n:]
			before, last = '"', nil
			continue
		case c == '\'':
			b = b[quotedLen(b):]
			continue
		case c == '(' || c == ' ' || c == '\t': // a word stays the one before
		default:
			last = nil
		}
		if strings.IndexByte(blank, c) < 0 {
			before = c
		}
		b = b[1:]
	}
}

func asks(word []byte) bool {
	return bytes.HasPrefix(word, []byte("__has_")) && (string(word) == "__has_include" || string(word) == "__has_include_next" ||
		string(word) == "__has_include__" || string(word) == "__has_include_next__" || string(word) == "__has_embed")
}

// partOfAsking: the word is too little of __has_include to be anything else than a part of it, for ## to put together.
func partOfAsking(word []byte) bool {
	w := string(word)
	for _, whole := range []string{"__has_include", "__has_include_next"} {
		begins, ends := strings.HasPrefix(whole, w) && len(w) >= len("__h"), strings.HasSuffix(whole, w) && len(w) > len(whole)-len("__has")
		if begins || ends {
			return true
		}
	}
	return false
}

// pasted: what is asked for cannot be told.
func (s *scanner) pasted(line []byte, into string) {
	if into != "" {
		s.m.Wrappers = append(s.m.Wrappers, into)
	} else if s.m.Asked == "" {
		s.m.Asked = shown(line)
	}
}

// asked reads what stands behind __has_include.
func (s *scanner) asked(line, b, word []byte, into string, params [][]byte, defined bool) []byte {
	if string(word) == "__has_embed" {
		if !defined {
			s.embeds("__has_embed")
		}
		return b
	}
	in := bytes.TrimLeft(b, blank)
	called := len(in) > 0 && in[0] == '('
	brackets := in
	if called {
		in = bytes.TrimLeft(in[1:], blank)
	}
	name, quoted, ok := literal(in)
	switch {
	case called && params != nil && wordIn(brackets, params), !called && into != "" && !defined:
		s.m.Wrappers = append(s.m.Wrappers, into)
	case ok:
		s.name(name, quoted, bytes.Contains(word, []byte("_next")))
		s.m.Tested = append(s.m.Tested, name)
		return in[len(name)+2:]
	case !defined && s.m.Asked == "":
		s.m.Asked = shown(line)
	}
	return b
}

// passed notes a call of a macro with words that may stand for a name: of an #if any word, of a #define one of its own
// parameters.
func (s *scanner) passed(line, b, word []byte, into string, params [][]byte) {
	in := bytes.TrimLeft(b, blank)
	if into != "" && len(in) == 0 && params == nil && namesInclude(word) { // #define HAS ANOTHER_HAS_INCLUDE
		s.m.Passed = append(s.m.Passed, Pass{Macro: string(word), Into: into})
		return
	}
	if len(in) == 0 || in[0] != '(' || digit(word[0]) || string(word) == "defined" || bytes.HasPrefix(word, []byte("__has_")) {
		return
	}
	if into == "" {
		if wordIn(in, nil) {
			s.m.Passed = append(s.m.Passed, Pass{Macro: string(word), Line: shown(line)})
		}
		return
	}
	if params != nil && wordIn(in, params) {
		s.m.Passed = append(s.m.Passed, Pass{Macro: string(word), Into: into})
	}
}

// wordIn: between the brackets stands a word that is none of a name in quotes; params, when given, are the words that count.
func wordIn(b []byte, params [][]byte) bool {
	depth := 0
	for len(b) > 0 {
		switch c := b[0]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return false
			}
		case c == '"' || c == '\'':
			b = b[quotedLen(b):]
			continue
		case c == '<' && params == nil: // in a #define the words between < and > are replaced
			if name, _, ok := literal(b); ok {
				b = b[len(name)+2:]
				continue
			}
		case wordByte(c):
			var word []byte
			word, b = ident(b)
			if !digit(word[0]) && (params == nil || slices.ContainsFunc(params, func(p []byte) bool { return bytes.Equal(p, word) })) {
				return true
			}
			continue
		}
		b = b[1:]
	}
	return false
}

// given takes a name that is handed to a macro: CHECK(<x>), CHECK(1, "x"). The macro may be one of __has_include, defined
// somewhere else. A #define is full of strings that are no names; there only what looks like one is taken.
func (s *scanner) given(b []byte, before byte, callee []byte, define bool) int {
	name, quoted, ok := literal(b)
	if !ok || before != '(' && before != ',' {
		if b[0] == '"' {
			return quotedLen(b)
		}
		return 1
	}
	n := len(name) + 2
	behind := bytes.TrimLeft(b[n:], blank)
	if len(behind) > 0 && behind[0] != ')' && behind[0] != ',' {
		if quoted {
			return quotedLen(b)
		}
		return 1
	}
	if define && quoted && !strings.ContainsAny(name, "./") && !namesInclude(callee) {
		return n
	}
	s.name(name, quoted, true)
	s.m.Tested = append(s.m.Tested, name)
	return n
}

// quotedLen is how long the string or character at the beginning is, or the rest of the line.
func quotedLen(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case b[0]:
			return i + 1
		}
	}
	return len(b)
}

// namesInclude: the word speaks of including.
func namesInclude(word []byte) bool {
	return bytes.Contains(word, []byte("nclude")) || bytes.Contains(word, []byte("NCLUDE"))
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// shown is a line for people.
func shown(line []byte) string {
	const most = 200
	line = bytes.TrimRight(line, blank)
	if len(line) > most {
		return "#" + strings.ToValidUTF8(string(line[:most]), "") + "…"
	}
	return "#" + strings.ToValidUTF8(string(line), "")
}
