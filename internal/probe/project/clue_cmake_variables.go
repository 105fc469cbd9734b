package project

import (
	"slices"
	"strings"

	"cupel/internal/pattern"
)

// cmakeValue is what a variable of a CMake file holds; note says what makes that uncertain.
type cmakeValue struct{ text, note string }

// sure says that the value is known and holds always.
func (v cmakeValue) sure() bool { return v.text != "" && v.note == "" }

// maxValue bounds what a variable may hold, and so what replacing it can make of a line.
const maxValue = 300

var (
	cmakeRef = pattern.New(`\$\{([A-Za-z0-9_]+)\}`)
	// keepers never change a variable that they name.
	keepers = pattern.New(`^(set|option|unset|if|elseif|else|endif|message|find_package|cmake_minimum_required|project)$`)
	opens   = pattern.New(`^(function|macro|foreach|while)$`)
	closes  = pattern.New(`^end(function|macro|foreach|while)$`)
)

// raw are the commands whose lists of architectures the events follow by name.
var raw = map[string]bool{"set": true, "list": true, "string": true, "set_property": true, "set_target_properties": true}

// resolved puts values in the place of variables. A value that is uncertain makes the command so. In a condition only
// what a version is compared with is replaced, since the names on the left say what it is about, and only by what is
// certain.
func (r *cmakeRun) resolved(c command) command {
	r.doubt = ""
	if raw[c.name] {
		return c
	}
	args := slices.Clone(c.args)
	condition := strings.HasSuffix(c.name, "if")
	for i, a := range args {
		if condition && (i == 0 || versionOps[args[i-1]] == "") {
			continue
		}
		args[i] = cmakeRef.ReplaceAllStringFunc(a, func(ref string) string {
			v := r.vars[cmakeRef.FindStringSubmatch(ref)[1]]
			if v.text == "" || v.note != "" && condition {
				return ref
			}
			if v.note != "" && !strings.Contains(r.doubt, v.note) {
				r.doubt = joined(r.doubt, v.note)
			}
			return v.text
		})
	}
	c.args = args
	return c
}

// remember keeps what set() and option() give, and forgets what anything else may have changed.
func (r *cmakeRun) remember(c command) {
	switch {
	case opens.MatchString(c.name):
		r.inner++
	case closes.MatchString(c.name):
		r.inner = max(0, r.inner-1)
	}
	switch {
	case len(c.args) == 0:
	case c.name == "set":
		r.keep(c.args[0], cacheless(c.args[1:]), c.args)
	case c.name == "option" && len(c.args) > 2 && r.vars[c.args[0]].text == "":
		r.vars[c.args[0]] = cmakeValue{c.args[2], ""}
	case c.name == "unset":
		delete(r.vars, c.args[0])
	case !keepers.MatchString(c.name):
		for _, a := range c.args {
			delete(r.vars, a)
		}
	}
}

// keep: a cache variable is left alone where there is a value already, and PARENT_SCOPE is about another file.
func (r *cmakeRun) keep(name string, values, args []string) {
	was := r.vars[name]
	cache := slices.Contains(args, "CACHE")
	if slices.Contains(args, "PARENT_SCOPE") || cache && was.text != "" && !slices.Contains(args, "FORCE") {
		return
	}
	text := cmakeRef.ReplaceAllStringFunc(strings.Join(values, ";"), func(ref string) string {
		if v := r.vars[cmakeRef.FindStringSubmatch(ref)[1]]; v.sure() {
			return v.text
		}
		return ref
	})
	now := cmakeValue{text, r.settingNote()}
	switch {
	case text == "" || len(text) > maxValue || strings.Contains(text, "${"):
		delete(r.vars, name)
		return
	case now.note != "" && was.text != "" && was.text != text:
		now.note = joined(now.note, "else "+was.text, was.note)
	}
	r.vars[name] = now
}

// settingNote says under what a variable is set.
func (r *cmakeRun) settingNote() string {
	when := r.when()
	note := when.note()
	if len(when.releases) > 0 {
		note = joined(note, "only for some releases of the toolkit")
	}
	if r.inner > 0 {
		note = joined(note, "set in a function or a loop")
	}
	return note
}
