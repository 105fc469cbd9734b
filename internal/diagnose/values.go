package diagnose

import (
	"maps"
	"strings"

	"cupel/data"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/gpu"
	"cupel/internal/logtext"
	"cupel/internal/pattern"
	"cupel/internal/version"
)

// valuesAt are the values that texts may name at a match: its captures, what the log tells there, and what the
// tables know about them.
func (c *Context) valuesAt(m Match) map[string]string {
	values := map[string]string{}
	for name := range c.values {
		if name != "outcome" {
			values[name] = c.value(name, m.Line)
		}
	}
	maps.Copy(values, m.Captures)
	if arch, err := gpu.ParseArch(values["arch"]); err == nil {
		if v := compat.FirstToolkit(arch.CC); !v.IsZero() {
			values["first-toolkit"], values["arch-came"] = v.String(), "came with CUDA "+v.String()
		}
		if v := compat.LastToolkit(arch.CC); !v.IsZero() {
			values["last-toolkit"] = v.String()
			if first, err := version.Parse(data.Redist().First); err == nil && !v.Less(first.Short()) {
				values["last-installable"] = v.String() // cupel toolkit install has nothing older
			}
		}
	}
	c.machine.values(values)
	return values
}

// names are {name} and {name|default} in a text.
var names = pattern.New(`\{([a-z][a-z0-9_.-]*)(\|[^{}]*)?\}`)

// fill puts values into a text. A name without value and default stays: known tells beforehand.
func fill(text string, values map[string]string) string {
	return names.ReplaceAllStringFunc(text, func(s string) string {
		m := names.FindStringSubmatch(s)
		if v := values[m[1]]; v != "" {
			return v
		}
		if m[2] != "" {
			return m[2][1:]
		}
		return s
	})
}

// known says that every name in the text has a value or a default.
func known(text string, values map[string]string) bool {
	for _, m := range names.FindAllStringSubmatch(text, -1) {
		if values[m[1]] == "" && m[2] == "" {
			return false
		}
	}
	return true
}

// plainValue can stand in a command without quotes, in any shell.
var plainValue = pattern.New(`^[A-Za-z0-9_./:+@%,=-]+$`)

// pasteable says that the values of a command can be pasted: what a stranger's log names must not become a command
// of its own.
func pasteable(command string, values map[string]string) bool {
	for _, m := range names.FindAllStringSubmatch(command, -1) {
		if v := values[m[1]]; v != "" && (!plainValue.MatchString(v) || strings.HasPrefix(v, "-")) {
			return false
		}
	}
	return true
}

func within(v version.V, text string) bool {
	r, err := contract.ParseRange(text)
	return err == nil && r.Has(v)
}

// excerptLines is how many lines are shown before and after a match.
const excerptLines = 6

// excerpt is the text around a match, long lines shortened; of its own line what was matched, if that is long.
func (c *Context) excerpt(m Match) []string {
	_, lines := c.log.Around(m.Line, m.Piece, excerptLines, excerptLines)
	_, above := c.log.Around(m.Line, m.Piece, excerptLines, 0)
	out := make([]string, len(lines))
	for i, l := range lines {
		if i == len(above)-1 && len(l) > logtext.Long {
			l = m.Text
		}
		if r := []rune(l); len(r) > 600 {
			l = string(r[:600]) + " …"
		}
		out[i] = l
	}
	return out
}
