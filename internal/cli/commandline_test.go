package cli_test

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupel/internal/cli"
)

var (
	// call finds cupel where a command can begin: at the start, after a prompt or a label, inside $(…), after a pipe.
	call = regexp.MustCompile(`(?:^\s*(?:\$ |> |PS> |- |run: |RUN |next:\s+|go run )?|\$\(|<\(|[|;&]\s*|\bsudo |\bexec )(?:\S*/)?cupel(?:\.exe)?(\s[^\n]*)?$`)
	// ends is where the call is over: another command, a redirection, a comment, or the remark two blanks away.
	ends = regexp.MustCompile(`\s{2,}|\s*[|;&<>]|\)|\s#|(?:^|\s)(?:…|\.\.\.)`)
)

// calls takes the calls of cupel out of one line of code.
func calls(where, line string) []commandLine {
	var out []commandLine
	for rest := line; ; {
		m := call.FindStringSubmatchIndex(rest)
		if m == nil {
			return out
		}
		args := ""
		if m[2] >= 0 {
			args = rest[m[2]:]
		}
		text := args
		if end := ends.FindStringIndex(strings.TrimPrefix(args, " ")); end != nil {
			text = strings.TrimPrefix(args, " ")[:end[0]]
		}
		if text = strings.TrimSpace(text); !strings.HasPrefix(text, "=") { // cupel = 1 is the first line of a contract
			out = append(out, commandLine{where, strings.TrimRight("cupel "+text, " ")})
		}
		rest = args
	}
}

// understood parses a call with the program's own command tree.
func understood(line string) error {
	root := cli.Root(io.Discard, io.Discard)
	root.InitDefaultHelpCmd()
	words, err := shellWords(strings.TrimPrefix(line, "cupel"))
	if err != nil {
		return err
	}
	cmd, args, err := root.Find(words)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(args); err != nil {
		return err
	}
	args = cmd.Flags().Args()
	if err := cmd.ValidateArgs(args); err != nil && len(args) > 0 {
		return err // a command named alone, as in "`cupel compat gpu` tells", is no call
	}
	if !cmd.Runnable() && len(args) > 0 {
		return fmt.Errorf("%s has no command %q", cmd.CommandPath(), args[0])
	}
	if diff := cmd.Flags().Lookup("diff"); diff != nil && !diff.Changed && len(args) > 0 {
		return fmt.Errorf("%s takes no argument: %q", cmd.CommandPath(), args[0])
	}
	return knownValues(cmd)
}

// knownValues holds flags that have a list of values to it; FORMAT and the like stand for any.
func knownValues(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		complete, ok := cmd.GetFlagCompletionFunc(f.Name)
		values := []string{f.Value.String()}
		if list, many := f.Value.(pflag.SliceValue); many {
			values = list.GetSlice()
		}
		values = slices.DeleteFunc(values, func(v string) bool { return strings.ToUpper(v) == v })
		if !ok || len(values) == 0 {
			return
		}
		var known []string
		for _, c := range first(complete(cmd, nil, "")) {
			name, _, _ := strings.Cut(c, "\t")
			known = append(known, name)
		}
		for _, v := range values {
			name, _, _ := strings.Cut(v, "=") // --emit cmake=FILE
			if !slices.Contains(known, v) && !slices.Contains(known, name) {
				err = fmt.Errorf("--%s %s: want one of %s", f.Name, v, strings.Join(known, ", "))
			}
		}
	})
	return err
}

func first[A, B any](a A, _ B) A { return a }

// shellWords splits as shells do, and drops the brackets with which a page marks what may be left out.
func shellWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range s + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, open = r, true
		case r == ' ' || r == '\t' || r == '[' || r == ']':
			if open || word.Len() > 0 {
				words = append(words, word.String())
			}
			open = false
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation mark is not closed")
	}
	return words, nil
}

// TestCommandLineReader proves the reader above: it finds calls, leaves prose alone, and refuses what is wrong.
func TestCommandLineReader(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"a plain call", "cupel doctor --json", []string{"cupel doctor --json"}},
		{"the bare program", "cupel", []string{"cupel"}},
		{"after a prompt", "$ cupel doctor", []string{"cupel doctor"}},
		{"in a shell expansion", `eval "$(cupel env --toolkit 12.4)"`, []string{"cupel env --toolkit 12.4"}},
		{"before a pipe", "cupel env --format fish | source", []string{"cupel env --format fish"}},
		{"with a remark", "  next:  cupel compat solve    which release fits", []string{"cupel compat solve"}},
		{"with a redirection", "cupel doctor --json > machine.json", []string{"cupel doctor --json"}},
		{"two in a line", "cupel doctor --json && cupel env", []string{"cupel doctor --json", "cupel env"}},
		{"by its path", "go run ./cmd/cupel doctor", []string{"cupel doctor"}},
		{"a sentence in a block", "Recorded by cupel doctor --record.", nil},
		{"an error message", "cupel: no toolkit", nil},
		{"any call", "cupel …", []string{"cupel"}},
		{"another program", "cupel-gpu --json", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range calls("here", tt.in) {
				got = append(got, c.text)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("calls(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCommandLineJudge(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		ok       bool
	}{
		{"a known command", "cupel env --toolkit 12.4 --arch 86", true},
		{"quotes", `cupel compat gpu "RTX 5060 Ti"`, true},
		{"a placeholder", "cupel doctor --snapshot FILE", true},
		{"a placeholder for a listed value", "cupel env --format FORMAT", true},
		{"two snapshots", "cupel doctor --diff A.json B.json", true},
		{"help", "cupel env --help", true},
		{"an unknown command", "cupel smelt", false},
		{"an unknown command below one", "cupel compat oven 3", false},
		{"an unknown flag", "cupel doctor --fix", false},
		{"an unknown value", "cupel env --format nushell", false},
		{"an unknown check", "cupel doctor --show no-such-check", false},
		{"an argument too many", "cupel version now", false},
		{"an argument for doctor", "cupel doctor machine.json", false},
		{"a quotation mark left open", `cupel compat gpu "RTX`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := understood(tt.in); (err == nil) != tt.ok {
				t.Errorf("understood(%q) = %v, want ok %v", tt.in, err, tt.ok)
			}
		})
	}
}
