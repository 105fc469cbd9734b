package cli

import (
	"bytes"
	"io"
	"testing"
)

// TestCommandNames: rootFor finds a command by the name that stands in the table, without building it.
func TestCommandNames(t *testing.T) {
	for _, c := range commands() {
		built := c.build()
		if built.Name() != c.name || len(built.Aliases) > 0 {
			t.Errorf("the table says %q; the command is %q with the aliases %q, which rootFor does not know", c.name, built.Name(), built.Aliases)
		}
	}
}

// TestPartOfTheTree: a person cannot tell that the other commands were not built.
func TestPartOfTheTree(t *testing.T) {
	for _, c := range commands() {
		for _, rest := range [][]string{{"--help"}, {"--no-such-flag"}, {"no-such-word", "--help"}} {
			args := append([]string{c.name}, rest...)
			var got, want bytes.Buffer
			part, whole := rootFor(args, &got, &got), Root(&want, &want)
			part.SetArgs(args)
			whole.SetArgs(args)
			gotErr, wantErr := part.Execute(), whole.Execute()
			if got.String() != want.String() || text(gotErr) != text(wantErr) {
				t.Errorf("cupel %q says\n%s%s\nwith the whole tree\n%s%s", args, &got, text(gotErr), &want, text(wantErr))
			}
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestWholeTree: what is no command's name sees all commands.
func TestWholeTree(t *testing.T) {
	for _, args := range [][]string{nil, {"help", "doctor"}, {"--help"}, {"doctr"}, {"--json", "version"}, {"__complete", ""}} {
		if got := len(rootFor(args, io.Discard, io.Discard).Commands()); got != len(commands()) {
			t.Errorf("cupel %q has %d commands, want %d", args, got, len(commands()))
		}
	}
}
