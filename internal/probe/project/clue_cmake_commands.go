package project

import (
	"slices"
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/version"
)

// cmakeCommands say what is read of which command.
var cmakeCommands = map[string]func(*cmakeRun, command){
	"project":                 (*cmakeRun).project,
	"enable_language":         (*cmakeRun).enableLanguage,
	"find_package":            (*cmakeRun).findPackage,
	"cmake_minimum_required":  (*cmakeRun).minimum,
	"message":                 (*cmakeRun).message,
	"set":                     (*cmakeRun).set,
	"list":                    (*cmakeRun).list,
	"string":                  (*cmakeRun).list,
	"set_target_properties":   (*cmakeRun).properties,
	"set_property":            (*cmakeRun).properties,
	"target_compile_features": (*cmakeRun).features,
	"target_link_libraries":   (*cmakeRun).libraries,
	"target_compile_options":  (*cmakeRun).options,
	"add_compile_options":     (*cmakeRun).options,
}

var plainName = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

func (r *cmakeRun) project(c command) {
	if r.isRoot() && plainName.MatchString(c.args[0]) {
		r.add("project.name", c.args[0], c.line, r.note())
	}
	if slices.Contains(c.args[1:], "CUDA") {
		r.add("toolkit.components", "nvcc", c.line, r.note())
	}
}

func (r *cmakeRun) enableLanguage(c command) {
	if c.args[0] == "CUDA" {
		r.add("toolkit.components", "nvcc", c.line, r.note())
	}
}

// packages say which demand a find_package is. One that is not REQUIRED may be missing.
var packages = map[string]string{
	"CUDAToolkit": "toolkit.min", "CUDA": "toolkit.min", "NCCL": "components.nccl", "CUDNN": "components.cudnn", "cuDNN": "components.cudnn",
	"Torch": "components.torch", "Python": "components.python", "Python3": "components.python",
}

func (r *cmakeRun) findPackage(c command) {
	key, ok := packages[c.args[0]]
	if !ok {
		return
	}
	v, note := "", r.note()
	if len(c.args) > 1 {
		v, _, _ = strings.Cut(c.args[1], "...") // a range: the lower end
	}
	if _, err := version.Parse(v); err != nil {
		v = ""
	}
	switch {
	case key == "toolkit.min":
		r.add(key, v, c.line, note)
	case !slices.Contains(c.args, "REQUIRED"):
		r.add(key, atLeast(v), c.line, "the build goes on without it")
	default:
		r.add(key, atLeast(v), c.line, note)
	}
}

func atLeast(v string) string {
	if v == "" {
		return "any"
	}
	return ">=" + v
}

func (r *cmakeRun) minimum(c command) {
	if len(c.args) < 2 || c.args[0] != "VERSION" {
		return
	}
	v, _, _ := strings.Cut(c.args[1], "...")
	if _, err := version.Parse(v); err == nil {
		r.add("components.cmake", ">="+v, c.line, r.note())
	}
}

// compilers are the words CMAKE_CXX_COMPILER_ID is compared with.
var compilers = []struct {
	id  *pattern.Pattern
	key string
}{
	{pattern.New(`COMPILER_ID"?\}? (STREQUAL|MATCHES) \^?GNU\$?$`), "host.linux.gcc"},
	{pattern.New(`CMAKE_COMPILER_IS_GNU(CXX|CC)$`), "host.linux.gcc"},
	{pattern.New(`COMPILER_ID"?\}? (STREQUAL|MATCHES) \^?Clang\$?$`), "host.linux.clang"},
}

var (
	compilerBound = pattern.New(`CMAKE_(?:CXX|C|CUDA_HOST)_COMPILER_VERSION\}? VERSION_LESS ([0-9.]+)$`)
	msvcBound     = pattern.New(`MSVC_VERSION\}? (?:VERSION_)?LESS ([0-9]{2})([0-9]{2})$`)
)

// message: a FATAL_ERROR under a comparison of versions refuses them.
func (r *cmakeRun) message(c command) {
	if c.args[0] != "FATAL_ERROR" || len(r.stack) == 0 {
		return
	}
	when := r.when()
	if len(when.releases) > 0 {
		r.events = append(r.events, event{fatal: true, when: when, line: c.line})
	}
	for _, o := range when.other {
		if m := msvcBound.FindStringSubmatch(o); m != nil {
			r.add("host.windows.msvc", ">="+m[1]+"."+m[2], c.line, "")
		}
		m := compilerBound.FindStringSubmatch(o)
		for _, id := range compilers {
			if m != nil && slices.ContainsFunc(when.other, id.id.MatchString) {
				r.add(id.key, ">="+m[1], c.line, "")
			}
		}
	}
}

var (
	stdName  = pattern.New(`^(CMAKE_)?(CUDA|CXX)_STANDARD$`)
	flagName = pattern.New(`(?i)(cuda|nvcc).*(flags|options)|^CMAKE_CUDA_FLAGS`)
	archName = pattern.New(`(?i)(cuda|gpu|sm|nv).*arch|^archs?$|arch.*(cuda|list)`)
)

func (r *cmakeRun) set(c command) {
	name, values := c.args[0], cacheless(c.args[1:])
	switch {
	case stdName.MatchString(name) && len(values) > 0:
		r.standard(name, values[0], c.line)
	case archName.MatchString(name):
		forced := !slices.Contains(c.args, "CACHE") || slices.Contains(c.args, "FORCE")
		if forced || !slices.ContainsFunc(r.events, func(e event) bool { return e.list == name && e.always() }) {
			r.archs(name, values, true, c.line)
		}
	case flagName.MatchString(name):
		r.flagEvents(flagList, strings.Join(values, " "), c.line)
	}
}

// cacheless cuts CACHE TYPE "text" and PARENT_SCOPE off.
func cacheless(args []string) []string {
	for i, a := range args {
		if a == "CACHE" || a == "PARENT_SCOPE" {
			return args[:i]
		}
	}
	return args
}

// archs keeps what a list of architectures becomes. Names of one list that are spelt differently are different
// lists; those that flow into CMAKE_CUDA_ARCHITECTURES are followed.
func (r *cmakeRun) archs(name string, values []string, set bool, line int) {
	items := r.archItems(values)
	if set && len(items) == 1 && items[0] == "${"+name+"}" {
		return
	}
	if len(items) > maxItems {
		return
	}
	r.events = append(r.events, event{list: name, items: items, set: set, onto: !set, told: strings.HasPrefix(name, ownPrefix), when: r.when(), line: line})
}

// archItems takes values apart. Lists of architectures are followed by the events; any other variable is put in here.
func (r *cmakeRun) archItems(values []string) []string {
	parts := func(v string) []string {
		return strings.FieldsFunc(v, func(c rune) bool { return c == ';' || c == ' ' || c == ',' })
	}
	var out []string
	for _, v := range values {
		for _, item := range parts(v) {
			m := listName.FindStringSubmatch(item)
			if m != nil && !archName.MatchString(m[1]) && r.vars[m[1]].sure() {
				out = append(out, parts(r.vars[m[1]].text)...)
				continue
			}
			out = append(out, item)
		}
	}
	return out
}

func (r *cmakeRun) standard(name, value string, line int) {
	note := r.note()
	if strings.HasSuffix(name, "CXX_STANDARD") {
		note = strings.TrimPrefix(note+"; the C++ sources', which CUDA's need not share", "; ")
	}
	r.add("host.std", stdWord(value), line, note)
}

func stdWord(number string) string {
	if slices.Contains([]string{"11", "14", "17", "20", "23"}, number) {
		return "c++" + number
	}
	return ""
}

// list is list(OP NAME …) and string(APPEND NAME …). Sorting changes nothing that counts; what else is done to a
// list of architectures leaves a mark in it that no target has.
func (r *cmakeRun) list(c command) {
	if len(c.args) < 3 {
		return
	}
	op, name, values := c.args[0], c.args[1], c.args[2:]
	switch {
	case flagName.MatchString(name) && op == "APPEND":
		r.flagEvents(flagList, strings.Join(values, " "), c.line)
	case !archName.MatchString(name):
	case op == "APPEND" || op == "PREPEND":
		r.archs(name, values, false, c.line)
	case op == "REMOVE_ITEM":
		r.events = append(r.events, event{list: name, items: values, drop: true, when: r.when(), line: c.line})
	case c.name == "list" && slices.Contains([]string{"FILTER", "INSERT", "POP_BACK", "POP_FRONT", "REMOVE_AT", "SUBLIST"}, op):
		r.archs(name, []string{"list(" + op + ")"}, false, c.line)
	}
}

// flagEvents: options for nvcc add up.
func (r *cmakeRun) flagEvents(list, text string, line int) {
	when := r.when()
	if items := r.flags(text, line, when.note()); len(items) > 0 {
		r.events = append(r.events, event{list: list, items: items, told: true, when: when, line: line})
	}
}

// properties: targets with a list of their own do not take the common one.
func (r *cmakeRun) properties(c command) {
	start := slices.IndexFunc(c.args, func(a string) bool { return a == "PROPERTY" || a == "PROPERTIES" })
	if start < 0 {
		return
	}
	of := c.args[:start]
	for _, p := range propertiesOf(c.name, c.args[start+1:]) {
		switch name, values := p[0], p[1:]; {
		case name == "CUDA_ARCHITECTURES":
			r.archs(ownList(of), values, !slices.Contains(of, "APPEND"), c.line)
		case stdName.MatchString(name):
			r.standard(name, values[0], c.line)
		}
	}
}

// propertiesOf: set_property gives one property any number of values, set_target_properties one value to each. Each
// is its name with its values.
func propertiesOf(command string, args []string) [][]string {
	if command == "set_property" && len(args) > 1 {
		return [][]string{args}
	}
	var out [][]string
	for i := 0; i+1 < len(args) && command != "set_property"; i += 2 {
		out = append(out, args[i:i+2])
	}
	return out
}

const ownPrefix = "CUDA_ARCHITECTURES of "

// ownList names the list of some targets.
func ownList(of []string) string {
	of = slices.DeleteFunc(slices.Clone(of), func(a string) bool { return a == "APPEND" || a == "TARGET" })
	return ownPrefix + strings.Join(of, " ")
}

func (r *cmakeRun) features(c command) {
	for _, a := range c.args {
		if n, ok := strings.CutPrefix(a, "cuda_std_"); ok {
			r.add("host.std", stdWord(n), c.line, r.note())
		}
		if n, ok := strings.CutPrefix(a, "cxx_std_"); ok {
			r.standard("CXX_STANDARD", n, c.line)
		}
	}
}

func (r *cmakeRun) libraries(c command) {
	for _, a := range c.args[1:] {
		if name, ok := strings.CutPrefix(a, "CUDA::"); ok {
			r.library(name, c.line, r.note())
		}
	}
}

func (r *cmakeRun) options(c command) {
	if text := strings.Join(c.args, " "); strings.Contains(text, "CUDA") || strings.Contains(text, "-gencode") {
		list := flagList
		if c.name == "target_compile_options" {
			list += " for " + c.args[0]
		}
		r.flagEvents(list, text, c.line)
	}
}
