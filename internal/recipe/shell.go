package recipe

import "strings"

// split takes a value for another program apart as the shell does that nvcc gives its line to: -Xcompiler "-O2 -fPIC" are two
// words. It is false where more than blanks and quotes would be needed: patterns, ~ at the beginning of a word (the home folder)
// or # (a comment). Where sh is bash, {1..3} are three words.
func split(text string, windows bool) (words []string, ok bool) {
	if !strings.ContainsAny(text, " \t\"'\\;|&<>()*?[{~#") { // nearly always
		return append(words, text), text != ""
	}
	if windows {
		return splitWindows(text)
	}
	var word strings.Builder
	begun := false
	var quote byte
	for k := 0; k < len(text); k++ {
		c := text[k]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			word.WriteByte(c)
		case c == '\\' && k+1 < len(text):
			k++
			begun = true
			word.WriteByte(text[k])
		case quote == '"':
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, begun = c, true
		case c == ' ' || c == '\t':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		case strings.IndexByte(";|&<>()*?[{", c) >= 0, !begun && (c == '~' || c == '#'):
			return nil, false
		default:
			begun = true
			word.WriteByte(c)
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, quote == 0
}

// splitWindows: blanks between words, double quotes hold them together.
func splitWindows(text string) (words []string, ok bool) {
	var word strings.Builder
	begun, quoted := false, false
	for k := range len(text) {
		switch c := text[k]; {
		case c == '"':
			quoted, begun = !quoted, true
		case !quoted && (c == ' ' || c == '\t'):
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		case !quoted && strings.IndexByte("|&<>^", c) >= 0:
			return nil, false
		default:
			begun = true
			word.WriteByte(c)
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, !quoted
}

// ShellReads is the first character of a word that the shell would change which nvcc gives it to; empty: there is none. nvcc
// writes its commands as one line, words between double quotes, for sh (tried: $HOME and `date` are put in), and nvcc.exe for cmd.
func ShellReads(word string, windows bool) string {
	special := "$`\n"
	if windows {
		special = "%\n"
	}
	if at := strings.IndexAny(word, special); at >= 0 {
		return word[at : at+1]
	}
	return ""
}

// Keepable says that nvcc can be given this folder for files on the way: its name stands between double quotes for a shell,
// and fatbinary gets it in a list with commas.
func Keepable(dir string, windows bool) bool {
	if windows {
		return !strings.ContainsAny(dir, "\"%,\n")
	}
	return !strings.ContainsAny(dir, "\"$`\\,\n")
}
