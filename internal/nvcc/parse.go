package nvcc

import (
	"slices"
	"strings"
)

// Parse reads the arguments, response files in their place (Expand). It never fails: what it does not know is in Unknown.
func Parse(args []string) Invocation {
	i := Invocation{Args: args, Given: make([]Given, 0, len(args))}
	values := make([]string, 0, len(args)) // one place for all of them: a call has hundreds
	for at := 0; at < len(args); {
		o, value, n, isOption := read(args[at:])
		switch {
		case !isOption:
			i.Inputs = append(i.Inputs, args[at])
		case o == nil:
			i.Unknown = append(i.Unknown, args[at])
		default:
			g := Given{Name: o.Name(), At: at, N: n}
			if o.Kind != Flag && (n == 2 || len(value) > 0 || strings.HasSuffix(args[at], "=")) {
				begin := len(values)
				values = o.values(values, value)
				g.Values = values[begin:len(values):len(values)]
			}
			i.Given = append(i.Given, g)
		}
		at += n
	}
	if i.Has("forward-slash-prefix-opts") { // Windows: /O2 is for the host compiler then
		i.Inputs = slices.DeleteFunc(i.Inputs, func(word string) bool {
			if strings.HasPrefix(word, "/") {
				i.Unknown = append(i.Unknown, word)
				return true
			}
			return false
		})
	}
	return i
}

// read takes the first option of args apart: which it is, its value, how many words it has. A word without a dash, and the
// dash alone (standard input), is none.
func read(args []string) (o *Option, value string, n int, isOption bool) {
	word := args[0]
	if len(word) < 2 || word[0] != '-' {
		return nil, "", 1, false
	}
	name, value, hasValue := strings.Cut(word, "=")
	o = named(name)
	switch {
	case o != nil && hasValue && o.Kind == Flag: // nvcc: no argument expected after '-c'
		return nil, "", 1, true
	case o != nil && hasValue:
		return o, value, 1, true
	case o == nil && strings.IndexByte(joined, word[1]) >= 0 && len(word) > 2:
		return named(word[:2]), word[2:], 1, true // -DX=1 too: = is part of the value
	case o == nil:
		return nil, "", 1, true
	case o.Kind == Flag || len(args) == 1:
		return o, "", 1, true
	case o.Kind == Optional && strings.HasPrefix(args[1], "-"):
		return o, "", 1, true
	}
	return o, args[1], 2, true // any word: nvcc -o -c takes -c for a file name
}

// Has says that one of the options is given.
func (i Invocation) Has(names ...string) bool {
	return slices.ContainsFunc(i.Given, func(g Given) bool { return slices.Contains(names, g.Name) })
}

// Last is the value of an option that takes one: of several nvcc takes the last.
func (i Invocation) Last(name string) (value string, ok bool) {
	for _, g := range slices.Backward(i.Given) {
		if g.Name == name && len(g.Values) > 0 {
			return g.Values[len(g.Values)-1], true
		}
	}
	return "", false
}

// All are the values of an option that adds up, in their order.
func (i Invocation) All(name string) []string {
	var all []string
	for _, g := range i.Given {
		if g.Name == name {
			all = append(all, g.Values...)
		}
	}
	return all
}

// Queries says that the call asks nvcc for something and compiles nothing: its version, its help, the architectures it
// knows, what it would do.
func (i Invocation) Queries() bool {
	return i.Has("version", "help", "list-gpu-code", "list-gpu-arch", "dryrun")
}

// Compiles says that the call compiles or links something: not one that asks for a version, help or a dry run, nor one
// without an input. Preprocessing and dependencies count: they fail as the compilation would.
func (i Invocation) Compiles() bool {
	return !i.Queries() && len(i.Inputs) > 0 && !i.Has("clean-targets")
}

// Archs are the architectures that the call names, in order, each once: sm_90, compute_80, native, all-major.
func (i Invocation) Archs() []string {
	var all []string
	add := func(list string) {
		for a := range strings.FieldsFuncSeq(list, func(r rune) bool { return strings.ContainsRune(`,[]"'\ `, r) }) {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	for _, g := range i.Given {
		for _, v := range g.Values {
			switch g.Name {
			case "gpu-architecture", "gpu-code":
				add(v)
			case "generate-code": // arch=compute_80,code=[sm_80,compute_80]: without the keywords it is a list
				add(strings.NewReplacer("arch=", "", "code=", "").Replace(v))
			}
		}
	}
	return all
}
