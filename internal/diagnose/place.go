package diagnose

import (
	"strconv"
	"strings"

	"cupel/internal/pattern"
)

var (
	// places are FILE:LINE and FILE(LINE) at the start of a message.
	places = pattern.New(`^(?:\d+>)?\s*((?:[A-Za-z]:)?[^\s:(),"']+\.\w+)(?::(\d+)(?::\d+)?:|\((\d+)(?:,\d+)?\)\s*:)`)
	// below is where rustc points to; above is what CMake says before its message.
	below = pattern.New(`^\s*--> ([^\s:][^:]*):(\d+)()`)
	above = pattern.New(`^CMake (?:Error|Warning)(?: \(dev\))? at ([^:]+):(\d+)()`)
	// commands are lines that call a compiler or a build tool.
	commands = pattern.New(`(?:^|[\s"'/\\$+&;])(?:nvcc|ptxas|nvlink|fatbinary|gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|cl|link|ld|cmake|cargo|rustc|pip3?|uv|python3?|make|ninja|docker|podman)(?:-\d[\d.]*)?(?:\.exe)?["']?\s+\S`)
	talk     = pattern.New(`(?i)\b(?:error|fatal|warning|note)\b ?[:(\[]|: not found|No such file|^CMake |^make(?:\[\d+\])?: |^-- `)
)

// placeOf is the file and line that a message names: in its own text, below it or above it.
func (c *Context) placeOf(m Match) (string, int) {
	if file, line := place(places, m.Text); file != "" {
		return file, line
	}
	first, lines := c.log.Around(m.Line, m.Piece, 3, 3)
	for i, text := range lines {
		expr := above
		if first+i >= m.Line {
			expr = below
		}
		if file, line := place(expr, text); file != "" {
			return file, line
		}
	}
	return "", 0
}

func place(expr *pattern.Pattern, text string) (string, int) {
	m := expr.FindStringSubmatch(text)
	if m == nil {
		return "", 0
	}
	line, err := strconv.Atoi(strings.TrimSpace(m[2] + m[3]))
	if err != nil {
		return "", 0
	}
	return m[1], line
}

// commandLines is how far above a message its command is looked for.
const commandLines = 25

// commandAbove is the nearest line above a message that calls a compiler or a build tool; "" where there is none.
func (c *Context) commandAbove(m Match) string {
	_, lines := c.log.Around(m.Line, m.Piece, commandLines, -1)
	for i := len(lines) - 1; i >= 0; i-- {
		if text := strings.TrimSpace(lines[i]); len(text) < 4000 && commands.MatchString(text) && !talk.MatchString(text) {
			return text
		}
	}
	return ""
}
