package diagnose

import (
	"sync"

	"cupel/data"
	"cupel/internal/pattern"
)

// quotes are the clues of lines that speak of a message and do not print it: a commit's title, a command that is
// echoed, a line of source, a test that passed.
var quotes = sync.OnceValue(func() []*pattern.Pattern {
	var out []*pattern.Pattern
	for _, c := range data.Clues() {
		if c.Name == "quoted" {
			out = append(out, pattern.New(c.Regex))
		}
	}
	return out
})

// quoted says that the line of a match only quotes the message.
func (c *Context) quoted(m Match) bool {
	text := c.shownText(m)
	text = text[:min(len(text), clueLength)]
	for _, re := range quotes() {
		if re.MatchString(text) {
			return true
		}
	}
	return false
}

// warnings are those of compilers, with the place in the source: what follows is their text, also where it speaks of an error.
// A linker's warning without a place can be all that tells why something is missing.
var warnings = pattern.New(`(?i)^\s*(?:\d+>\s*)?(?:[a-z]:)?[^:]{1,400}?(?::\d+(?::\d+)?:|\(\d+(?:,\d+)?\)\s?:) ?warning\b`)

// warns says that the line of a match is a compiler's warning.
func (c *Context) warns(m Match) bool {
	text := c.shownText(m)
	return warnings.MatchString(text[:min(len(text), clueLength)])
}
