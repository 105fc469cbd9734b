package nvcc

import "strings"

// Paste is a command line for a person: pasted into sh, or on Windows into cmd, it starts the same words.
func Paste(words []string, windows bool) string {
	var b strings.Builder
	for k, w := range words {
		if k > 0 {
			b.WriteByte(' ')
		}
		if windows {
			pasteCmd(&b, w)
		} else {
			pasteShell(&b, w)
		}
	}
	return b.String()
}

// plain are the characters that neither sh nor cmd looks at.
func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("-_./:@+,=", c) >= 0
}

func all(word string, fits func(byte) bool) bool {
	for k := range len(word) {
		if !fits(word[k]) {
			return false
		}
	}
	return word != ""
}

func pasteShell(b *strings.Builder, word string) {
	if all(word, plain) {
		b.WriteString(word)
		return
	}
	b.WriteByte('\'')
	b.WriteString(strings.ReplaceAll(word, "'", `'\''`))
	b.WriteByte('\'')
}

// pasteCmd writes a word for two readers: cmd, and the program that takes its command line apart (backslashes count only
// before a quote). Inside quotes cmd leaves all but % alone; a word with a quote or % of its own goes by carets, so that cmd
// sees no quotes at all. At the prompt ^% keeps a variable from being put in.
func pasteCmd(b *strings.Builder, word string) {
	if all(word, func(c byte) bool { return plain(c) || c == '\\' }) {
		b.WriteString(word)
		return
	}
	quoted := argument(word)
	if !strings.ContainsAny(word, `"%`) {
		b.WriteString(quoted)
		return
	}
	for k := range len(quoted) {
		if strings.IndexByte(`()%!^"<>&|`, quoted[k]) >= 0 {
			b.WriteByte('^')
		}
		b.WriteByte(quoted[k])
	}
}

// argument quotes a word as Windows programs read their command line.
func argument(word string) string {
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for k := range len(word) {
		switch c := word[k]; c {
		case '\\':
			slashes++
		case '"':
			b.WriteString(strings.Repeat(`\`, slashes+1))
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteByte(word[k])
	}
	b.WriteString(strings.Repeat(`\`, slashes))
	b.WriteByte('"')
	return b.String()
}
