package diagnose

import (
	"regexp"
	"sync"

	"cupel/data"
)

// quotes are the clues of lines that speak of a message and do not print it: a commit's title, a command that is
// echoed, a line of source, a test that passed.
var quotes = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, c := range data.Clues() {
		if c.Name == "quoted" {
			out = append(out, regexp.MustCompile(c.Regex))
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
