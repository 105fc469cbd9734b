package child

import (
	"strings"

	"cupel/internal/pattern"
)

// hidden stands for what is not printed.
const hidden = "***"

// secrets are the places of an address that may hold a password or a token: the user before the host (up to the last @,
// as a password may have one too), conda's /t/TOKEN/ (also in the shortened addresses of Python's network libraries) and
// the query.
var secrets = []struct {
	where *pattern.Pattern
	shown string
}{
	{pattern.New(`([A-Za-z][A-Za-z0-9+.-]*://)[^/\s'"<>]*@`), "${1}" + hidden + "@"},
	{pattern.New(`((?:://[^\s'"<>?]*?|url: )/t/)[^/\s'"<>?]+`), "${1}" + hidden},
	{pattern.New(`((?:://|url: /)[^\s'"<>?#]*\?)[^\s'"<>#]+`), "${1}" + hidden},
}

// Hides says that a text was masked, and is not the whole of it.
func Hides(text string) bool { return strings.Contains(text, hidden) }

// Mask is a text as it may be printed: the addresses in it without names, passwords, tokens and queries.
func Mask(text string) string {
	for _, s := range secrets {
		text = s.where.ReplaceAllString(text, s.shown)
	}
	return text
}
