// Package cli is the face of cupel: it reads the command line, calls gather, decide and act in order, and
// hands the answer to render. Answers go to stdout, everything else to stderr.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"cupel/internal/pattern"
	"cupel/internal/render"
)

// Version is set by the linker; a plain build says so.
var Version = "devel"

// Exit codes of every command; one that a signal ended has 128 and its number.
const (
	exitFine     = 0
	exitFindings = 1
	exitUsage    = 2
	exitUnable   = 3
)

// codeError carries an exit code that is not an error message: findings were shown already.
type codeError int

func (c codeError) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// errInterrupted: a person pressed Ctrl-C, or another signal asked this program to end.
var errInterrupted = errors.New("interrupted")

// usageError is a command called wrongly.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the program and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, ready, stop := signalled(context.Background())
	defer stop()
	root := rootFor(args, stdout, stderr)
	root.SetArgs(args)
	<-ready
	cmd, err := root.ExecuteContextC(ctx)
	var code codeError
	if err == nil || errors.As(err, &code) {
		return int(code)
	}
	if errors.Is(err, errInterrupted) {
		err = endedBy(ctx, errInterrupted)
	}
	showError(cmd, args, stdout, stderr, err)
	return codeFor(err)
}

// codeFor is the exit code of an error that was shown.
func codeFor(err error) int {
	var t told
	var by ended
	var wrong usageError
	switch {
	case errors.As(err, &by):
		return by.code()
	case errors.Is(err, errInterrupted):
		return ended{syscall.SIGINT}.code()
	case errors.As(err, &t):
		return t.code
	case errors.As(err, &wrong), isUsage(err):
		return exitUsage
	}
	return exitUnable
}

// isUsage knows cobra's own messages about the command line.
func isUsage(err error) bool {
	for _, start := range []string{"unknown command", "unknown flag", "unknown shorthand", "flag needs", "invalid argument", "accepts ", "requires at least", "required flag", "if any flags in the group", "bad flag syntax"} {
		if strings.HasPrefix(err.Error(), start) {
			return true
		}
	}
	return false
}

// goWords are what Go's own functions say about a number, which helps nobody.
var goWords = pattern.New(`strconv\.\w+: parsing "[^"]*": |time: `)

// rootOf is the program with some of its commands.
func rootOf(some []command, stdout, stderr io.Writer) *cobra.Command {
	doctor := newDoctor()
	root := &cobra.Command{
		Use:   "cupel",
		Short: "Tells what CUDA is on a machine, what is wrong with it, and what to type next",
		Long: `cupel tells what CUDA is on this machine, what is wrong with it, and what to type next.
Without a command it runs "cupel doctor".`,
		Example: `  cupel                         what is here, what is wrong, what to do
  cupel doctor --json           the same for programs, with the machine's snapshot
  eval "$(cupel env)"           the chosen toolkit's environment in this shell
  cupel compat gpu "RTX 5060 Ti"
  cupel init                    a first cupel.toml for the project in this folder
  cupel verify                  does this machine meet it?
  cupel exec -- cargo build     run a build; when it fails, see the compiler's own words and the cause
  cupel explain build.log       why did the build fail?`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          doctor.RunE,
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.Flags().AddFlagSet(doctor.Flags())
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usageError{errors.New(goWords.ReplaceAllString(err.Error(), ""))}
	})
	for _, c := range some {
		root.AddCommand(c.build())
	}
	return root
}

// styleFor decides colour and width for a writer: plain when it is not a terminal.
func styleFor(w io.Writer) render.Style {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return render.Style{Colour: os.Getenv("CLICOLOR_FORCE") != "" && os.Getenv("CLICOLOR_FORCE") != "0"}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return render.Style{Colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Width: width}
}

// format reads --format and --json as one value.
func format(cmd *cobra.Command, allowed ...string) (string, error) {
	f, _ := cmd.Flags().GetString("format")
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		if cmd.Flags().Changed("format") && f != "json" {
			return "", usage("--json and --format %s exclude each other", f)
		}
		f = "json"
	}
	for _, a := range allowed {
		if f == a {
			return f, nil
		}
	}
	return "", usage("unknown format %q: one of %s", f, strings.Join(allowed, ", "))
}

func formatFlags(cmd *cobra.Command, allowed ...string) {
	cmd.Flags().String("format", allowed[0], "how to show the answer: "+strings.Join(allowed, "|"))
	cmd.Flags().Bool("json", false, "short for --format json")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp))
}
