package include

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
)

// Bounds for text that no preprocessor writes: the longest line marker, and what all names take together.
const (
	longestMarker = 64 << 10
	allNames      = 64 << 20
)

var (
	errLongMarker = errors.New("a line marker is too long")
	errManyNames  = errors.New("line markers name too many files")
)

// Entered are the files that the line markers of preprocessed text name, each once, in order; names as they stand there with
// escapes undone. <built-in> and <command-line> are none.
//
// gcc and clang mark the line on which a file is entered (# 1 "x.h" 1); other markers come from #line in a source and may
// name files that were never read (a grammar): those are the others. cl marks nothing (#line 1 "x.h"), so all its names count.
// A marker inside a raw string counts too: one file too many, never one too few.
func Entered(r io.Reader) (names, others []string, err error) {
	e := entered{seen: map[string]bool{}}
	buf := make([]byte, 1, 4*longestMarker)
	buf[0] = '\n' // the first line begins a line too
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		ended := err == io.EOF
		if err != nil && !ended {
			return nil, nil, err
		}
		if ended {
			buf = append(buf, '\n')
		}
		rest, takeErr := e.take(buf)
		if takeErr != nil {
			return nil, nil, takeErr
		}
		if ended {
			return e.names, slices.DeleteFunc(e.others, func(s string) bool { return e.seen[s] }), nil
		}
		buf = buf[:copy(buf[:cap(buf)], rest)]
	}
}

type entered struct {
	names  []string
	others []string        // not entered when they were first named
	seen   map[string]bool // of both, whether it was entered
	size   int
	begun  bool // the first marker names the source
}

// take reads the whole lines of a piece, which begins with the end of a line, and gives what is left.
func (e *entered) take(b []byte) ([]byte, error) {
	for {
		i := bytes.Index(b, []byte("\n#"))
		if i < 0 {
			return b[max(0, len(b)-1):], nil // the end of a line, perhaps
		}
		b = b[i:]
		end := bytes.IndexByte(b[1:], '\n')
		if end < 0 {
			return unfinished(b)
		}
		if err := e.line(b[2 : 1+end]); err != nil {
			return nil, err
		}
		b = b[1+end:]
	}
}

// unfinished is a # line whose end was not read yet. A long one that is no marker (#pragma) is let go.
func unfinished(b []byte) ([]byte, error) {
	if len(b) <= longestMarker {
		return b, nil
	}
	if name, _, _ := marker(append(b[2:len(b):len(b)], '"')); name != nil {
		return nil, errLongMarker
	}
	return nil, nil
}

func (e *entered) line(b []byte) error {
	name, flags, bare := marker(b)
	if name == nil {
		return nil
	}
	enters := !e.begun || bare || entering(flags)
	e.begun = true
	if was, named := e.seen[string(name)]; named && (was || !enters) { // nearly always; no escapes
		return nil
	}
	s := unescape(name)
	was, named := e.seen[s]
	if s == "" || pseudo(s) || named && (was || !enters) || !enters && strings.HasSuffix(s, "//") { // gcc names the working folder so
		return nil
	}
	if e.size += len(s) + 64; e.size > allNames {
		return errManyNames
	}
	e.seen[s] = enters
	if enters {
		e.names = append(e.names, s)
	} else {
		e.others = append(e.others, s)
	}
	return nil
}

// marker takes a line apart, without its #. A name is nil when it is none; bare says that it has no flags by its kind.
func marker(b []byte) (name, flags []byte, bare bool) {
	if rest, ok := bytes.CutPrefix(b, []byte("line")); ok {
		b, bare = rest, true
	}
	if len(b) == 0 || b[0] != ' ' {
		return nil, nil, false
	}
	b = bytes.TrimLeft(b, " ")
	digits := bytes.TrimLeft(b, "0123456789")
	if len(digits) == len(b) {
		return nil, nil, false
	}
	b = bytes.TrimLeft(digits, " ")
	if len(b) < 2 || b[0] != '"' {
		return nil, nil, false
	}
	end := bytes.LastIndexByte(b, '"') // flags hold none
	if end == 0 {
		return nil, nil, false
	}
	return b[1:end], b[end+1:], bare
}

// entering: the first flag is 1.
func entering(flags []byte) bool {
	flags = bytes.TrimLeft(flags, " ")
	return len(flags) > 0 && flags[0] == '1' && (len(flags) == 1 || flags[1] == ' ' || flags[1] == '\r')
}

// pseudo are names of places that are no files: <built-in>, <command-line>, <stdin>.
func pseudo(s string) bool { return s[0] == '<' && strings.HasSuffix(s, ">") }

// unescape undoes \\, \" and \nnn, which is how gcc writes bytes that cannot be printed. Other backslashes stand for
// themselves.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b)
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] != '\\' || i+1 == len(b):
			out = append(out, b[i])
		case b[i+1] == '\\' || b[i+1] == '"':
			i++
			out = append(out, b[i])
		case i+3 < len(b) && b[i+1] <= '3' && octal(b[i+1]) && octal(b[i+2]) && octal(b[i+3]):
			out = append(out, (b[i+1]-'0')<<6|(b[i+2]-'0')<<3|(b[i+3]-'0'))
			i += 3
		default:
			out = append(out, '\\')
		}
	}
	return string(out)
}

func octal(c byte) bool { return '0' <= c && c <= '7' }
