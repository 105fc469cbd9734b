package pages

import (
	"strings"
	"unicode"
)

// A contract is text that somebody else wrote, and these files are run and shown: what it says must stay words in
// every language that is written here, whatever quotes, dollars or line breaks it holds.

// oneLine makes every run of white space one space and drops control characters: a terminal would obey them.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// sh quotes one word for every POSIX shell: nothing has a meaning between single quotes.
func sh(s string) string {
	return "'" + strings.ReplaceAll(oneLine(s), "'", `'\''`) + "'"
}

// shRaw is sh for text in which every character counts, a pattern or a value; NUL cannot be held.
func shRaw(s string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ""), "'", `'\''`) + "'"
}

// ps quotes one word for PowerShell, which takes typographic single quotes for quotes too.
func ps(s string) string { return psRaw(oneLine(s)) }

func psRaw(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch r {
		case '\'', '\u2018', '\u2019', '\u201a', '\u201b':
			b.WriteRune(r)
		case 0:
			continue
		}
		b.WriteRune(r)
	}
	b.WriteByte('\'')
	return b.String()
}

// md escapes text for Markdown, where it would mean something: a _ inside a word does not, nor does a > that ends
// no tag. Bars are the table's own to escape.
func md(s string) string {
	var b strings.Builder
	text := []rune(oneLine(s))
	for i, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '>' && (i == 0 || text[i-1] == '-'):
			b.WriteString("&gt;")
		case r == '_' && inWord(text, i):
			b.WriteRune(r)
		case strings.ContainsRune("\\`*_[]~", r), r == '#' && i == 0:
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inWord: a letter or digit stands on both sides.
func inWord(text []rune, i int) bool {
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (unicode.IsLetter(text[i]) || unicode.IsDigit(text[i]))
	}
	return letter(i-1) && letter(i+1)
}

// link shows where something can be read; an address as one to follow.
func link(source string) string {
	source = oneLine(source)
	if strings.HasPrefix(source, "https://") && !strings.ContainsAny(source, " <>\\`|") {
		return "<" + source + ">"
	}
	return md(source)
}

// tick is a code span, with more backticks around it than it holds in a row.
func tick(s string) string {
	s = oneLine(s)
	if s == "" {
		return ""
	}
	fence := strings.Repeat("`", longest(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

func longest(s string, c rune) int {
	most, run := 0, 0
	for _, r := range s {
		if r != c {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}

// fence is a block of code. Its own lines are kept, control characters are not.
func fence(language, text string) string {
	var lines []string
	for _, l := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		lines = append(lines, strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, l))
	}
	text = strings.Join(lines, "\n")
	marks := strings.Repeat("`", max(3, longest(text, '`')+1))
	return marks + language + "\n" + strings.TrimRight(text, "\n") + "\n" + marks + "\n"
}
