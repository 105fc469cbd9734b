package diagnose

import (
	"slices"
	"sync"

	"cupel/internal/compat"
	"cupel/internal/gpu"
	"cupel/internal/logtext"
	"cupel/internal/pattern"
	"cupel/internal/signature"
	"cupel/internal/version"
)

const (
	nearLines  = 12
	aboveLines = 40
)

// holds says whether a condition holds for a match.
func (c *Context) holds(w signature.When, m Match, values map[string]string) bool {
	return c.platformHolds(w) && c.textHolds(w, m) && capturesHold(w, m) && c.versionHolds(w, values) && c.machineHolds(w)
}

func (c *Context) platformHolds(w signature.When) bool {
	return len(w.Platform) == 0 || slices.ContainsFunc(w.Platform, func(p string) bool { return slices.Contains(c.platforms, p) })
}

// holdsForFix is holds, where something must be told when the platform is not known: what is not Windows has the shell
// of Linux.
func (c *Context) holdsForFix(w signature.When, m Match, values map[string]string) bool {
	bound := w.Platform
	w.Platform = nil
	return onShell(bound, c.platforms) && c.holds(w, m, values)
}

// onShell says that a step bound to platforms can be told on these.
func onShell(bound, platforms []string) bool {
	if !slices.Contains(platforms, "windows") {
		platforms = append(slices.Clone(platforms), "linux")
	}
	return len(bound) == 0 || slices.ContainsFunc(bound, func(p string) bool { return slices.Contains(platforms, p) })
}

func (c *Context) textHolds(w signature.When, m Match) bool {
	line := []string{m.Text}
	_, near := c.log.Around(m.Line, m.Piece, nearLines, nearLines)
	_, above := c.log.Around(m.Line, m.Piece, aboveLines, 0)
	near = append(slices.Clone(near), m.Text)
	return (len(w.Line) == 0 || anyLine(w.Line, line)) && !anyLine(w.NotLine, line) &&
		(len(w.Near) == 0 || anyLine(w.Near, near)) && !anyLine(w.NotNear, near) &&
		(len(w.Above) == 0 || anyLine(w.Above, above)) &&
		(len(w.Log) == 0 || c.anywhere(w.Log)) && (len(w.NotLog) == 0 || !c.anywhere(w.NotLog))
}

func anyLine(exprs, lines []string) bool {
	for _, e := range exprs {
		if re := expr(e); slices.ContainsFunc(lines, re.MatchString) {
			return true
		}
	}
	return false
}

// anywhere says that one of the expressions matches some kept line. Conditions ask for the same ones again and again.
func (c *Context) anywhere(exprs []string) bool {
	for _, e := range exprs {
		seen, ok := c.seen[e]
		if !ok {
			seen = slices.ContainsFunc(c.log.Parts, func(p logtext.Lines) bool {
				return slices.ContainsFunc(p.Text, func(line string) bool { return expr(e).MatchString(line[:min(len(line), clueLength)]) })
			})
			c.seen[e] = seen
		}
		if seen {
			return true
		}
	}
	return false
}

func capturesHold(w signature.When, m Match) bool {
	for name, e := range w.Capture {
		if !expr(e).MatchString(m.Captures[name]) {
			return false
		}
	}
	for name, e := range w.NotCapture {
		if expr(e).MatchString(m.Captures[name]) {
			return false
		}
	}
	return true
}

func (c *Context) versionHolds(w signature.When, values map[string]string) bool {
	rel, err := version.ParseRelease(values["toolkit"])
	if w.Toolkit != "" && (err != nil || !within(rel, w.Toolkit)) {
		return false
	}
	return w.Arch == "" || w.Arch == archState(values["arch"], values["toolkit"])
}

// archState says how a target stands to a toolkit: newer, dropped or known. Where the release is not known, a
// target that some release dropped is taken for dropped: one that none has dropped can only be too new.
func archState(target, toolkit string) string {
	arch, err := gpu.ParseArch(target)
	if err != nil {
		return ""
	}
	if rel, err := version.ParseRelease(toolkit); err == nil {
		if compat.Knows(rel, arch) {
			return "known"
		}
		if first := compat.FirstToolkit(arch.CC); !first.IsZero() && rel.Compare(first) < 0 {
			return "newer"
		}
	}
	if !compat.LastToolkit(arch.CC).IsZero() || (!compat.KnownCC(arch.CC) && arch.CC.Major < 3) {
		return "dropped"
	}
	return "newer"
}

func (c *Context) machineHolds(w signature.When) bool {
	if len(w.Doctor) > 0 && (c.machine == nil || !c.machine.fires(w.Doctor)) {
		return false
	}
	return len(w.NotDoctor) == 0 || (c.machine != nil && !c.machine.fires(w.NotDoctor))
}

var compiled sync.Map // of expressions in conditions, which are few and part of the program

func expr(e string) *pattern.Pattern {
	if re, ok := compiled.Load(e); ok {
		return re.(*pattern.Pattern)
	}
	re := pattern.New(e)
	compiled.Store(e, re)
	return re
}
