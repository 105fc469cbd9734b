package project

import (
	"slices"
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/version"
)

// maxCommands bounds what is taken of one CMake file.
const maxCommands = 5000

// command is one call in a CMake file.
type command struct {
	name string // in lower case
	args []string
	line int
}

var commandName = pattern.New(`(?m)^[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*\(`)

// commands takes a CMake file apart; its comments are blanked already.
func (f *clueFile) commands(text string) []command {
	var out []command
	for at := 0; len(out) < maxCommands; {
		m := commandName.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		c := command{name: strings.ToLower(text[at+m[2] : at+m[3]]), line: f.lineAt(at + m[2])}
		n := 0
		c.args, n = arguments(text[at+m[1]:])
		out = append(out, c)
		at += m[1] + n
		// The next name must begin a line of its own, as it does everywhere.
		if at > len(text) {
			break
		}
	}
	return out
}

// arguments reads up to the closing parenthesis and returns how far that was. Quotes are taken off, lists are
// not: "a;b" is one argument.
func arguments(text string) (args []string, used int) {
	depth := 1
	var word strings.Builder
	started := false
	flush := func() {
		if started {
			args = append(args, word.String())
		}
		word.Reset()
		started = false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			n := stringEnd(text[i:])
			word.WriteString(strings.TrimSuffix(text[i+1:i+n], `"`))
			started = true
			i += n - 1
		case c == '[' && bracketOpen(text[i:]) != "" && !started:
			open := bracketOpen(text[i:])
			n := textEnd(text[i:], len(open), strings.ReplaceAll(open, "[", "]"))
			word.WriteString(text[i+len(open) : max(i+len(open), i+n-len(open))])
			started = true
			i += n - 1
		case c == '(' || c == ')':
			flush()
			if c == '(' {
				depth++
			} else if depth--; depth == 0 {
				return args, i + 1
			}
			args = append(args, string(c))
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			flush()
		default:
			word.WriteByte(c)
			started = true
		}
	}
	flush()
	return args, len(text)
}

// cmakeRun goes through the commands with the conditions they stand under.
type cmakeRun struct {
	*clueFile
	stack  []frame
	events []event
	vars   map[string]cmakeValue
	inner  int    // functions and loops around the command
	doubt  string // about the variables that the command was read with
}

// frame is one if: the condition of the branch being read, and the ones of the branches before it.
type frame struct {
	now  condition
	past condition
}

var envRef = pattern.New(`\$?ENV\{([A-Za-z_][A-Za-z0-9_]*)\}`)

func cmakeClues(f *clueFile) {
	r := &cmakeRun{clueFile: f, vars: map[string]cmakeValue{}}
	all := f.commands(cmakeText.blank(f.text))
	f.cmakeEitherOr(all)
	for _, c := range all {
		r.branch(c)
		if do := cmakeCommands[c.name]; do != nil && len(c.args) > 0 {
			do(r, r.resolved(c))
		}
		r.remember(c)
		for _, a := range c.args {
			for _, m := range envRef.FindAllStringSubmatch(a, -1) {
				if c.name != "set" || !strings.HasPrefix(c.args[0], "ENV{") {
					f.reads(m[1], c.line, "")
				}
			}
		}
	}
	if f.isRoot() && strings.HasSuffix(f.name, "CMakeLists.txt") {
		f.rootBuild("cmake")
	}
	f.tellArchs(r.events)
}

// archList is the list that targets have unless they are given their own; flagList stands for nvcc's options, which
// add to it.
const (
	archList = "CMAKE_CUDA_ARCHITECTURES"
	flagList = "options of nvcc"
)

// note is what makes a command uncertain: conditions around it, and variables it was read with.
func (r *cmakeRun) note() string { return joined(r.when().note(), r.doubt) }

// joined puts remarks together.
func joined(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}

func (r *cmakeRun) when() condition {
	var all condition
	for _, f := range r.stack[:min(len(r.stack), maxConditions)] {
		all = all.with(f.now)
	}
	return all
}

// branch keeps the stack of conditions.
func (r *cmakeRun) branch(c command) {
	top := len(r.stack) - 1
	switch {
	case c.name == "if":
		c = r.resolved(c)
		now := cmakeCondition(c.args)
		r.stack = append(r.stack, frame{now: now, past: negate(now, c.args)})
	case top < 0:
	case c.name == "elseif":
		c = r.resolved(c)
		now := cmakeCondition(c.args)
		past := r.stack[top].past
		r.stack[top] = frame{now: past.with(now), past: past.with(negate(now, c.args))}
	case c.name == "else":
		r.stack[top].now = r.stack[top].past
	case c.name == "endif":
		r.stack = r.stack[:top]
	}
}

var (
	releaseName = pattern.New(`(?i)cuda.*version|cudart.*version|nvcc.*version`)
	neutral     = pattern.New(`(?i)^((not )?(defined )?\S*(architectures|archs?|arch_list|cuda_standard)|(defined )?\S*(cuda|nvcc)\S*( or \S+)*|\S+ (streq\S*|matches) \S*cuda\S*|not \S*(cuda_optional|cpu_only)|(\S+ )?not_found)$`)
	versionOps  = map[string]string{"VERSION_LESS": "<", "VERSION_GREATER": ">", "VERSION_LESS_EQUAL": "<=", "VERSION_GREATER_EQUAL": ">=", "LESS": "<", "GREATER": ">", "LESS_EQUAL": "<=", "GREATER_EQUAL": ">="}
)

// cmakeCondition reads the arguments of an if: comparisons of the toolkit's release joined by AND, and anything
// else as text. A condition that asks whether CUDA is meant at all is none: the contract is about CUDA.
func cmakeCondition(args []string) condition {
	var out condition
	if strings.Contains(" "+strings.Join(args, " ")+" ", " OR ") {
		return plainCondition(args)
	}
	for _, part := range splitWord(args, "AND") {
		if b, ok := releaseBound(part); ok {
			out.releases = append(out.releases, b)
		} else {
			out = out.with(plainCondition(part))
		}
	}
	return out
}

func plainCondition(args []string) condition {
	text := strings.Join(args, " ")
	if text == "" || neutral.MatchString(text) {
		return condition{}
	}
	return condition{other: []string{shorten(text)}}
}

func splitWord(args []string, word string) [][]string {
	out := [][]string{nil}
	for _, a := range args {
		if a == word {
			out = append(out, nil)
		} else if a != "(" && a != ")" {
			out[len(out)-1] = append(out[len(out)-1], a)
		}
	}
	return out
}

func releaseBound(args []string) (bound, bool) {
	not := len(args) == 4 && args[0] == "NOT"
	if not {
		args = args[1:]
	}
	if len(args) != 3 || !releaseName.MatchString(args[0]) {
		return bound{}, false
	}
	op, known := versionOps[args[1]]
	v, err := version.Parse(args[2])
	if !known || err != nil {
		return bound{}, false
	}
	if not {
		op = negated[op]
	}
	return bound{op, v}, true
}

// negate is the condition of the branches that come after one.
func negate(c condition, args []string) condition {
	switch {
	case len(c.releases) == 1 && len(c.other) == 0:
		return condition{releases: []bound{{negated[c.releases[0].op], c.releases[0].v}}}
	case len(args) == 0:
		return condition{}
	}
	text := strings.Join(args, " ")
	if m := switchedOff.FindStringSubmatch(text); m != nil {
		return condition{}
	}
	return condition{other: []string{"not (" + shorten(text) + ")"}}
}

// switchedOff: after these, the other branch is the one about CUDA.
var switchedOff = pattern.New(`(?i)^(not \S*(cuda|nvcc)\S*|\S*(rocm|hip|cpu)\S*|not \S*cuda_optional|apple|defined \S*(architectures|archs?))$`)
