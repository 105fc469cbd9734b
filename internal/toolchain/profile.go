package toolchain

import (
	"strings"

	"cupel/internal/recipe"
)

// settings are variables as nvcc has them: those of its profile, else those of the environment.
type settings struct {
	own map[string]string
	env environ
}

func (s settings) lookup(name string) (string, bool) {
	if v, ok := s.own[envName(name)]; ok {
		return v, true
	}
	return s.env.lookup(name)
}

func (s settings) get(name string) string {
	v, _ := s.lookup(name)
	return v
}

func (s settings) set(name, value string) { s.own[envName(name)] = value }

// read runs the lines of an nvcc.profile. Its syntax, as Debian's says: name = text assigns, ?= if it is not set, += puts
// before, =+ behind; $(name) stands for a value, of the environment too, and for nothing when there is none. A # counts at
// the beginning of a line only. It gives the first line that is none of these.
func (s settings) read(text string) (unclear string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if !s.line(line) {
			return line
		}
	}
	return ""
}

func (s settings) line(line string) bool {
	name, value, found := strings.Cut(line, "=")
	if !found || name == "" {
		return false
	}
	op := byte('=')
	switch last := name[len(name)-1]; {
	case last == '+' || last == '?':
		op, name = last, name[:len(name)-1]
	case strings.HasPrefix(value, "+"):
		op, value = '>', value[1:]
	}
	if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, " \t$\"") {
		return false
	}
	value, ok := s.expand(strings.TrimSpace(value))
	if !ok {
		return false
	}
	old, was := s.lookup(name)
	switch op {
	case '+':
		value += old
	case '>':
		value = old + value
	case '?':
		if was {
			return true
		}
	}
	s.set(name, value)
	return true
}

func (s settings) expand(text string) (string, bool) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$(")
		out.WriteString(before)
		if !found {
			return out.String(), true
		}
		name, after, closed := strings.Cut(rest, ")")
		if !closed {
			return "", false
		}
		out.WriteString(s.get(name))
		text = after
	}
}

// folders are the -I and -isystem of INCLUDES and SYSTEM_INCLUDES. ok is false where a shell would read the words in
// another way than this does, or where they say something else.
func folders(words string) (all []recipe.Folder, ok bool) {
	kind := ""
	for words != "" {
		word, rest, ok := cutWord(words)
		if !ok {
			return nil, false
		}
		words = rest
		switch {
		case word == "" && kind == "":
		case kind != "":
			all = append(all, recipe.Folder{Path: word, Kind: kind})
			kind = ""
		case word == "-I":
			kind = "user"
		case word == "-isystem":
			kind = "system"
		case strings.HasPrefix(word, "-I"):
			all = append(all, recipe.Folder{Path: word[len("-I"):], Kind: "user"})
		case strings.HasPrefix(word, "-isystem"):
			all = append(all, recipe.Folder{Path: word[len("-isystem"):], Kind: "system"})
		default:
			return nil, false
		}
	}
	return all, kind == ""
}

// LibraryFolders are the -L of LIBRARIES and of other options of nvcc. ok is false where they say more than that about
// linking, or something that a shell would read in another way.
func LibraryFolders(words string) (all []string, ok bool) {
	value := false
	for words != "" {
		word, rest, ok := cutWord(words)
		if !ok {
			return nil, false
		}
		words = rest
		list, isFolder := strings.CutPrefix(word, "-L")
		if !isFolder {
			list, isFolder = strings.CutPrefix(word, "--library-path")
		}
		list = strings.TrimPrefix(list, "=")
		switch {
		case value:
			all, value = append(all, strings.Split(word, ",")...), false
		case isFolder && list == "":
			value = true
		case isFolder:
			all = append(all, strings.Split(list, ",")...)
		case startsAny(word, "-l", "--library", "-X", "--linker", "--nvlink", "-dlto", "-static", "--cudart", "-cudart", "--cudadevrt", "-cudadevrt", "--options-file", "-optf"):
			return nil, false
		}
	}
	return all, !value
}

func startsAny(word string, with ...string) bool {
	for _, w := range with {
		if strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

// cutWord takes one word off, double quotes undone.
func cutWord(s string) (word, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	var b strings.Builder
	quoted := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t'):
			return b.String(), strings.TrimLeft(s[i:], " \t"), true
		case !onWindows && (strings.IndexByte("`$\\", c) >= 0 || !quoted && strings.IndexByte("';&|<>()*?[#~", c) >= 0):
			return "", "", false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", !quoted
}
