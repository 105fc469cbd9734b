// Package include reads preprocessors' text: which files a preprocessed file came from (line markers), and which names the
// lines of a source or header mention that decide about other files (#include, __has_include) or make a result depend on more
// than files (__TIME__, .incbin). Bytes in, names out; it reads no file. The shim uses it, so it leans on little.
package include

import "strings"

// Mentions is what the text of one file says about others. Names may be more than what counts: those of lines that are
// switched off are among them. They are never less. All strings are copies.
type Mentions struct {
	Quoted    []string // names in #include "x" and __has_include("x")
	Angled    []string // names in <x>
	Tested    []string // those of both that are asked for and not included: whether they are there is enough to matter
	Next      []string // those of both that are looked for behind the folder of this file
	Computed  bool     // #include MACRO: the line markers tell what it was
	Asked     string   // a line that asks __has_include for what cannot be told from the text; empty: none
	Wrappers  []string // macros that hand what they are given on to __has_include
	Passed    []Pass   // macros that are given something which is no name in itself
	Date      bool     // __DATE__ or __TIME__
	Timestamp bool     // __TIMESTAMP__
	Trigraph  bool     // ??= or ??/, which old C++ takes for # and a backslash
	Embeds    string   // .incbin, #embed or alike: a file that no line marker names; empty: none
}

// Pass is a macro that is called on a # line with a word that may stand for a name. It matters when the macro is a wrapper,
// of this file or of another.
type Pass struct {
	Macro string
	Line  string
	Into  string // the macro that this line defines: it is a wrapper then; empty: an #if
}

// Scan reads the text of one file as it was written.
func Scan(text []byte) Mentions {
	m := scanLines(text)
	joined := text
	if splitsWord(text) {
		joined = unsplice(text)
	}
	found := search(joined)
	if m.Asked == "" && m.Embeds == "" && !found.any() {
		return m
	}
	// What refuses must not stand in a comment. The names stay: too many of them do no harm. Raw strings end elsewhere when
	// lines are put together, strings hold split words when they are not: both are read then.
	bare := uncomment(text)
	if len(joined) != len(text) {
		bare = append(append(bare, '\n'), uncomment(joined)...)
	}
	exact := scanLines(bare)
	found = search(bare)
	m.Asked, m.Embeds = exact.Asked, exact.Embeds
	m.Date, m.Timestamp, m.Trigraph = found.date, found.timestamp, found.trigraph
	if m.Embeds == "" {
		m.Embeds = found.embeds
	}
	return m
}

// Word reads a word of a command line that may be part of a text: -DSTAMP=__TIME__. Other programs may take quotes and
// backslashes off it.
func Word(word string) Mentions {
	found := search([]byte(word))
	bare := search([]byte(strings.NewReplacer(`\`, "", `"`, "", `'`, "").Replace(word)))
	m := Mentions{Date: found.date || bare.date, Timestamp: found.timestamp || bare.timestamp, Trigraph: found.trigraph}
	for _, directive := range []string{".incbin", ".include"} {
		if strings.HasSuffix(word, directive) || strings.Contains(word, directive+`"`) || strings.Contains(word, directive+" ") || strings.Contains(word, directive+`\`) {
			m.Embeds = directive
		}
	}
	if m.Embeds == "" {
		m.Embeds = found.embeds
	}
	return m
}

// Takes is the assembly directive in code that a compiler wrote, strings put together, which takes in a file; empty: none.
func Takes(text []byte) string { return search(text).embeds }
