package contract

import (
	"fmt"
	"strings"
	"unicode"
)

// Quote writes a basic string of TOML. Go's own quoting knows escapes that TOML does not.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// quote writes a string of TOML; one with a backslash is easier to read without escapes. A literal string has none, so
// it cannot hold every character.
func quote(s string) string {
	literal := !strings.ContainsFunc(s, func(r rune) bool { return r == '\'' || unicode.IsControl(r) })
	if strings.ContainsAny(s, `\"`) && literal {
		return "'" + s + "'"
	}
	return Quote(s)
}

// Key joins names to a key path as At reads it. A name that TOML would quote is quoted: pins."a.b".
func Key(names ...string) string {
	path := ""
	for _, name := range names {
		path = join(path, name)
	}
	return path
}

// Because adds the reason that a demand gives for itself.
func Because(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + ": " + reason
}
