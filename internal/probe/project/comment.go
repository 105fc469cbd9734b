package project

import "strings"

// language is what must be known of a file to tell its comments from its strings.
type language struct {
	line    string // begins a comment to the end of the line
	word    bool   // only at the start of a word, as in make and YAML
	open    string // begins a comment that ends with close
	close   string
	nested  bool
	quotes  string // characters that open and close a string with \ as escape
	triple  bool   // three quotes hold text over several lines, which is documentation more often than not
	bracket bool   // CMake's [[ … ]] and #[[ … ]]
	raw     bool   // Rust's r"…" and r#"…"#, and ' of a lifetime
}

var (
	rustText   = language{line: "//", open: "/*", close: "*/", nested: true, quotes: `"`, raw: true}
	cudaText   = language{line: "//", open: "/*", close: "*/", quotes: `"'`}
	pythonText = language{line: "#", quotes: `"'`, triple: true}
	cmakeText  = language{line: "#", quotes: `"`, bracket: true}
	hashText   = language{line: "#", word: true}
)

// blank replaces comments with spaces: what stands in one is no fact. Lines and columns stay as they are.
func (l language) blank(text string) string {
	b := &blanker{language: l, in: text, out: []byte(text)}
	for b.at < len(b.in) {
		b.step()
	}
	return string(b.out)
}

type blanker struct {
	language
	in  string
	out []byte
	at  int
}

func (b *blanker) step() {
	rest := b.in[b.at:]
	switch {
	case b.bracket && (rest[0] == '#' || rest[0] == '[') && bracketOpen(strings.TrimPrefix(rest, "#")) != "":
		b.bracketText(rest)
	case b.open != "" && strings.HasPrefix(rest, b.open):
		b.wipe(b.blockEnd(rest))
	case strings.HasPrefix(rest, b.line) && (!b.word || b.wordStart()):
		b.wipe(lineEnd(rest))
	case b.triple && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''")):
		b.wipe(textEnd(rest, 3, rest[:3]))
	case b.raw && rawQuote(rest) != "":
		open := rawQuote(rest)
		b.at += textEnd(rest, len(open), `"`+open[1:len(open)-1])
	case b.raw && rest[0] == '\'':
		b.at += charEnd(rest)
	case strings.IndexByte(b.quotes, rest[0]) >= 0:
		b.at += stringEnd(rest)
	default:
		b.at++
	}
}

// wipe blanks n bytes and goes on after them.
func (b *blanker) wipe(n int) {
	for i := b.at; i < b.at+n; i++ {
		if b.out[i] != '\n' && b.out[i] != '\r' {
			b.out[i] = ' '
		}
	}
	b.at += n
}

// wordStart: in make and YAML a # inside a word is that word's.
func (b *blanker) wordStart() bool {
	return b.at == 0 || strings.IndexByte(" \t\r\n;", b.in[b.at-1]) >= 0
}

// bracketText is a comment with # before it, else an argument, which is taken as it stands.
func (b *blanker) bracketText(rest string) {
	comment := rest[0] == '#'
	body := strings.TrimPrefix(rest, "#")
	open := bracketOpen(body)
	n := len(rest) - len(body) + textEnd(body, len(open), strings.ReplaceAll(open, "[", "]"))
	if comment {
		b.wipe(n)
	} else {
		b.at += n
	}
}

// bracketOpen is [[, [=[, [==[ … at the start of text.
func bracketOpen(text string) string {
	if !strings.HasPrefix(text, "[") {
		return ""
	}
	n := 1
	for n < len(text) && text[n] == '=' {
		n++
	}
	if n < len(text) && text[n] == '[' {
		return text[:n+1]
	}
	return ""
}

func (b *blanker) blockEnd(rest string) int {
	depth, i := 1, len(b.open)
	for i < len(rest) && depth > 0 {
		switch {
		case strings.HasPrefix(rest[i:], b.close):
			depth, i = depth-1, i+len(b.close)
		case b.nested && strings.HasPrefix(rest[i:], b.open):
			depth, i = depth+1, i+len(b.open)
		default:
			i++
		}
	}
	return i
}

// textEnd is the length of a text that begins with skip bytes and ends with end, or with the file.
func textEnd(rest string, skip int, end string) int {
	if i := strings.Index(rest[skip:], end); i >= 0 {
		return skip + i + len(end)
	}
	return len(rest)
}

func lineEnd(rest string) int {
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		return i
	}
	return len(rest)
}

// stringEnd is the length of a quoted string; one that is not closed ends with its text.
func stringEnd(rest string) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			return i + 1
		}
	}
	return len(rest)
}

// rawQuote is r" or r#" … at the start of text.
func rawQuote(text string) string {
	if text[0] != 'r' {
		return ""
	}
	n := 1
	for n < len(text) && text[n] == '#' {
		n++
	}
	if n < len(text) && text[n] == '"' {
		return text[:n+1]
	}
	return ""
}

// charEnd: 'x' and '\n' are characters, 'a is the name of a lifetime.
func charEnd(rest string) int {
	if len(rest) > 2 && rest[1] == '\\' {
		return stringEnd(rest)
	}
	if len(rest) > 2 && rest[2] == '\'' {
		return 3
	}
	return 1
}
