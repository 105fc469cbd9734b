package contract

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// source is the text of a contract and where its keys stand.
type source struct {
	file   string
	data   []byte
	starts []int // of lines
	places map[string]place
	order  []string // keys as they stand in the file
	twice  []problem
}

// place is where a key and its value stand, in bytes. A table that has a header has no value: there both are the key.
type place struct {
	key, keyEnd int
	val, valEnd int
	header      bool // [table] or [[table]]
	implied     bool // only named on the way to another key
}

func newSource(file string, data []byte) *source {
	s := &source{file: file, data: data, starts: []int{0}, places: map[string]place{}}
	for i, c := range data {
		if c == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	return s
}

// String is file:line:column, as compilers write it.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// character is the offset of the character that a byte belongs to.
func (s *source) character(offset int) int {
	offset = min(max(offset, 0), len(s.data))
	for start := max(0, offset-utf8.UTFMax+1); start < offset; start++ {
		if _, size := utf8.DecodeRune(s.data[start:]); size > 1 && start+size > offset {
			return start
		}
	}
	return offset
}

// pos counts the column in characters: editors do.
func (s *source) pos(offset int) Pos {
	offset = s.character(offset)
	n := sort.SearchInts(s.starts, offset+1)
	return Pos{File: s.file, Line: n, Col: utf8.RuneCount(s.data[s.starts[n-1]:offset]) + 1}
}

// line finds the ends of the line around an offset, without its line break.
func (s *source) line(offset int) (start, end int) {
	n := sort.SearchInts(s.starts, offset+1)
	start, end = s.starts[n-1], len(s.data)
	if n < len(s.starts) {
		end = s.starts[n] - 1
	}
	return start, max(start, min(offset, end), start+len(bytes.TrimSuffix(s.data[start:end], []byte("\r"))))
}

// find is the place of a key or of the nearest table around it.
func (s *source) find(key string) (place, bool) {
	for key != "" {
		if p, ok := s.places[key]; ok {
			return p, true
		}
		key = parent(key)
	}
	return place{}, false
}

// parent drops the last part of a key path: a.b[1] → a.b → a → "". Dots inside quotes are no borders.
func parent(key string) string {
	if strings.HasSuffix(key, "]") {
		return key[:strings.LastIndexByte(key, '[')]
	}
	if strings.HasSuffix(key, `"`) {
		return strings.TrimSuffix(key[:quoteStart(key)], ".")
	}
	return key[:max(0, strings.LastIndexByte(key, '.'))]
}

// quoteStart finds the quote that opens the last part; a quote inside it is escaped.
func quoteStart(key string) int {
	for i := len(key) - 2; i > 0; i-- {
		if key[i] == '"' && key[i-1] == '.' {
			return i
		}
	}
	return 0
}

// join adds a part to a key path, quoted where TOML would need it.
func join(table, part string) string {
	if !bare(part) {
		part = Quote(part)
	}
	if table == "" {
		return part
	}
	return table + "." + part
}

func bare(part string) bool {
	return part != "" && strings.IndexFunc(part, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}) < 0
}

func item(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

// itemOf is the item of a list that is a word, else the key of the list.
func (s *source) itemOf(list, word string) string {
	for i := 0; ; i++ {
		key := item(list, i)
		if _, ok := s.places[key]; !ok {
			return list
		}
		if s.is(key, word) {
			return key
		}
	}
}

// is says that a value is a word without escapes.
func (s *source) is(key, word string) bool {
	p := s.places[key]
	return strings.Trim(string(s.data[p.val:p.valEnd]), `"'`) == word
}

// At is where a key stands, or the nearest table around it. A key in quotes keeps them: env."my var".
func (c *Contract) At(key string) Pos {
	if c.src == nil {
		return Pos{File: c.File}
	}
	p, ok := c.src.find(key)
	if !ok {
		return Pos{File: c.File}
	}
	return c.src.pos(p.key)
}
