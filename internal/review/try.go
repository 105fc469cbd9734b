package review

import (
	"fmt"
	"strings"
)

// Try is one variation of a build: --try, or a [[config]] of the contract.
type Try struct {
	Name     string
	Env      map[string]string // set besides
	Unset    []string          // taken away
	Toolkit  string
	Compiler string   // the host compiler
	Command  []string // empty: the command that stands behind --
}

// ParseTry reads NAME=[VAR=VALUE…] [--toolkit R] [--host-compiler X] [--unset VAR] [CMD…]. The name ends at the first =;
// the rest is words, quoted as for a shell. Nothing is expanded in them.
func ParseTry(text string) (Try, error) {
	name, rest, ok := strings.Cut(text, "=")
	t := Try{Name: strings.TrimSpace(name)}
	switch {
	case !ok:
		return t, fmt.Errorf("--try %q: no = behind the name: write \"NAME=VAR=VALUE COMMAND\"", text)
	case t.Name == "":
		return t, fmt.Errorf("--try %q: no name before the first =", text)
	}
	words, err := splitWords(rest)
	if err != nil {
		return t, fmt.Errorf("--try %q: %w", t.Name, err)
	}
	for len(words) > 0 {
		left, err := t.take(words)
		if err != nil {
			return t, fmt.Errorf("--try %q: %w", t.Name, err)
		}
		if left == nil {
			break
		}
		words = left
	}
	return t, nil
}

// take reads the next setting and gives what stands behind it; nil: the rest was the command.
func (t *Try) take(words []string) ([]string, error) {
	word := words[0]
	if name, value, ok := strings.Cut(word, "="); ok && variable(name) {
		if t.Env == nil {
			t.Env = map[string]string{}
		}
		t.Env[name] = value
		return words[1:], nil
	}
	flag, value, given := strings.Cut(word, "=")
	switch {
	case word == "--":
		t.Command = words[1:]
		return nil, nil
	case flag != "--toolkit" && flag != "--host-compiler" && flag != "--unset":
		if strings.HasPrefix(word, "-") {
			return nil, fmt.Errorf("no option %s: it knows --toolkit, --host-compiler and --unset; a command that begins so stands behind --", flag)
		}
		t.Command = words
		return nil, nil
	}
	words = words[1:]
	if !given {
		if len(words) == 0 {
			return nil, fmt.Errorf("%s needs a value", flag)
		}
		value, words = words[0], words[1:]
	}
	return words, t.set(flag, value)
}

func (t *Try) set(flag, value string) error {
	switch {
	case value == "":
		return fmt.Errorf("%s needs a value", flag)
	case flag == "--toolkit":
		t.Toolkit = value
	case flag == "--host-compiler":
		t.Compiler = value
	case !variable(value):
		return fmt.Errorf("--unset %s: not the name of a variable", value)
	default:
		t.Unset = append(t.Unset, value)
	}
	return nil
}

// variable says that a word can be the name of one.
func variable(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// splitWords cuts a line at blanks outside of quotes. A backslash is itself save before a quote or, outside of quotes, a
// blank: paths of Windows need no second one.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		blank := strings.IndexByte(" \t\n", c) >= 0
		switch {
		case c == '\\' && quote != '\'' && escapes(line[i+1:], quote):
			i++
			word.WriteByte(line[i])
			in = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, in = c, true
		case quote == 0 && blank:
			if in {
				words = append(words, word.String())
			}
			word.Reset()
			in = false
		default:
			word.WriteByte(c)
			in = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	}
	if in {
		words = append(words, word.String())
	}
	return words, nil
}

// escapes says that a backslash before this text stands for its first character.
func escapes(next string, quote byte) bool {
	if next == "" {
		return false
	}
	if quote == '"' {
		return next[0] == '"'
	}
	return strings.IndexByte(" \t\n\"'", next[0]) >= 0
}
