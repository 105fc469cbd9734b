package verify

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

// fail, warn and skip end a check with its reason.
func (c *Check) fail(what, why string, next ...finding.Step) { c.end(Fail, what, why, next) }
func (c *Check) warn(what, why string, next ...finding.Step) { c.end(Warn, what, why, next) }
func (c *Check) skip(why string)                             { c.Status, c.Why = Skipped, why }

func (c *Check) end(s Status, what, why string, next []finding.Step) {
	c.Status, c.What, c.Why, c.Next = s, what, why, next
}

func (c *Check) evidence(source, text string) {
	if source != "" && text != "" {
		c.Evidence = append(c.Evidence, finding.Evidence{Source: source, Text: text})
	}
}

// bad ends a check as its severity says: what the contract calls a warning does not fail.
func (c *Check) bad(severity, what, why string, next ...finding.Step) {
	switch severity {
	case "warning":
		c.warn(what, why, next...)
	case "info":
		c.skip(what + "; " + why)
	default:
		c.fail(what, why, next...)
	}
}

func command(cmd, note string) finding.Step { return finding.Step{Command: cmd, Note: note} }

func advice(note string) finding.Step { return finding.Step{Note: note} }

// plan is the way out where no single command is.
func plan() finding.Step {
	return command("cupel plan", "the cheapest way to what the contract demands")
}

// evalEnv takes an environment over in this shell. Without flags it is that of the chosen toolkit.
func (j *judge) evalEnv(flags ...string) string {
	if !strings.HasPrefix(strings.Join(flags, " "), "--toolkit ") {
		flags = append([]string{j.toolkitFlag()}, flags...)
	}
	text := strings.Join(strings.Fields(strings.Join(append([]string{"cupel env", j.Flags}, flags...), " ")), " ")
	if j.path.Windows() {
		return text + " --format powershell | Out-String | Invoke-Expression"
	}
	return `eval "$(` + text + `)"`
}

// toolkitFlag names the chosen toolkit on the command line, where cupel env would not choose it by itself.
func (j *judge) toolkitFlag() string {
	told := j.chosen.By == choice.ByFlag || j.chosen.By == choice.ByLock || j.chosen.By == choice.ByRecommended
	if j.t == nil || !told || j.active.Toolkit != nil && j.active.Toolkit.Home() == j.t.Home() {
		return ""
	}
	return "--toolkit " + j.nameFor(*j.t)
}

// nameFor is how a toolkit is asked for: X.Y where only one here has it, else its root.
func (j *judge) nameFor(t fact.Toolkit) string {
	short := choice.Release(t).Short()
	for _, other := range j.Machine.Toolkits {
		if other.Home() != t.Home() && choice.Release(other).Short() == short {
			return j.quote(t.Root)
		}
	}
	if short.IsZero() {
		return j.quote(t.Root)
	}
	return short.String()
}

// quote protects a word of a command: in sh, or in PowerShell on Windows.
func (j *judge) quote(s string) string {
	if !strings.ContainsAny(s, " \t'\"$`\\!*?[](){};&|<>~#=%") || j.path.Windows() && !strings.ContainsAny(s, " \t'\"$`(){};&|<>,@#") {
		return s
	}
	if j.path.Windows() {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// set is the command that gives a variable its value in this shell.
func (j *judge) set(name, value string) string {
	if j.path.Windows() {
		return fmt.Sprintf("$env:%s = '%s'", name, strings.ReplaceAll(value, "'", "''"))
	}
	return fmt.Sprintf("export %s=%s", name, j.quote(value))
}

// limitWhy adds what a limit says of itself.
func limitWhy(text, reason, source string) string {
	text = contract.Because(text, reason)
	if source != "" {
		text += " (" + source + ")"
	}
	return text
}

func plural(n int, word string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// text is a known fact, or what is wrong with it.
func text(f fact.Fact[string]) string {
	switch {
	case f.Known():
		return f.Value
	case f.State == fact.Unreadable:
		return "unreadable: " + f.Why
	}
	return "none"
}
