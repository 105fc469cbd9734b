package diagnose

import (
	"slices"

	"cupel/internal/logtext"
)

// Context is what a condition can ask: the platform, the values that the log tells, the machine.
type Context struct {
	log       *logtext.Log
	platforms []string
	logged    []string            // the platforms that the log itself tells, or that were said
	values    map[string]string   // first of each name in the log
	clues     []clueAt            // of the outcome, in the order of the log
	told      map[string][]clueAt // the others by name: the first of each line
	machine   *Machine
	seen      map[string]bool // whether an expression matches some kept line
}

// newContext reads the clues of the kept lines. A platform that was said counts before what the log tells.
func newContext(log *logtext.Log, opt Options) *Context {
	c := &Context{log: log, values: map[string]string{}, machine: opt.Machine, seen: map[string]bool{}, told: map[string][]clueAt{}}
	c.readClues()
	if opt.Platform != "" {
		c.platforms = traits(opt.Platform)
	}
	if !opt.Machine.fits(c.platforms) {
		c.machine = nil
	}
	c.logged = slices.Clone(c.platforms)
	if len(c.platforms) == 0 {
		c.platforms = c.machine.platforms()
	}
	return c
}

// traits are the platforms that a named one is: WSL2 is a Linux too.
func traits(platform string) []string {
	switch platform {
	case "wsl", "wsl2":
		return []string{"wsl2", "linux"}
	case "container":
		return []string{"container", "linux"}
	case "mac":
		return []string{"macos"}
	}
	return []string{platform}
}

// value is what the log says of a name at a line: the nearest above, else the first.
func (c *Context) value(name string, line int) string {
	all := c.told[name]
	after, _ := slices.BinarySearchFunc(all, line+1, func(at clueAt, line int) int { return at.line - line })
	if after == 0 {
		return c.values[name]
	}
	return all[after-1].value
}
