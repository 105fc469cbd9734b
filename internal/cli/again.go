package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupel/internal/pattern"
)

// notAgain are flags that say how an answer is shown or how long is waited; the same call without them does the same.
var notAgain = []string{"format", "json", "timeout", "dry-run"}

// again is the command that was typed, as it can be pasted: every flag that was given, quoted. source is added where
// the source was not named.
func again(cmd *cobra.Command, source string) string {
	words := strings.Fields(cmd.CommandPath())
	for _, a := range cmd.Flags().Args() {
		words = append(words, pasted(a))
	}
	if source != "" && !cmd.Flags().Changed("from") {
		words = append(words, "--from", pasted(source))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(notAgain, f.Name) {
			words = append(words, flagWords(f)...)
		}
	})
	return strings.Join(words, " ")
}

func flagWords(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return []string{"--" + f.Name, pasted(strings.Join(list.GetSlice(), ","))}
	}
	switch {
	case f.Value.Type() != "bool":
		return []string{"--" + f.Name, pasted(f.Value.String())}
	case f.Value.String() == "true":
		return []string{"--" + f.Name}
	}
	return []string{"--" + f.Name + "=" + f.Value.String()}
}

// plainWord needs no quotes in any shell.
var plainWord = pattern.New(`^[A-Za-z0-9_./:=,@+-]+$`)

// pasted quotes a word for the shell of this system.
func pasted(word string) string { return quotedFor(platformHere().Windows(), word) }

// quotedFor: between single quotes nothing has a meaning in a Unix shell; cmd and PowerShell both know double ones, and
// a path of Windows holds none.
func quotedFor(windows bool, word string) string {
	switch {
	case plainWord.MatchString(word), windows && plainWord.MatchString(strings.ReplaceAll(word, `\`, "/")):
		return word
	case windows:
		return `"` + strings.ReplaceAll(word, `"`, "") + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
