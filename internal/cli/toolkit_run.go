package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// exitNotStarted: the command could not be started at all.
const exitNotStarted = 125

func toolkitRun() *cobra.Command {
	var f envFlags
	cmd := &cobra.Command{
		Use:   "run RELEASE -- COMMAND…",
		Short: "Runs a command in the environment of a toolkit",
		Long: `Runs a command with the environment that "cupel env --toolkit RELEASE" prints, and with nothing else changed. In place of a
release the name of an installed toolkit (cupel toolkit list) or a root can stand. Signals are passed on.

Exit code: that of the command; 128+n when signal n ended it, 125 when it could not be started, 2 called wrongly, 3 there
is no such toolkit.`,
		Example: `  cupel toolkit run 13.0 -- nvcc --version
  cupel toolkit run 12.4 --host-compiler g++-12 -- cmake --build build`,
		Args:              runArgs,
		ValidArgsFunction: completeHere,
		RunE:              func(cmd *cobra.Command, args []string) error { return runIn(cmd, args, f) },
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usage("%v; put -- before the command: cupel toolkit run 13.0 -- nvcc --version", err)
	})
	fs := cmd.Flags()
	fs.StringVar(&f.compiler, "host-compiler", "", "the host compiler: a command (g++-12) or a path")
	return cmd
}

func runArgs(cmd *cobra.Command, args []string) error {
	switch dash := cmd.ArgsLenAtDash(); {
	case len(args) >= 2 && dash != 0:
		return nil
	case dash == 1:
		return usage("there is no command after --: cupel toolkit run %s -- nvcc --version", args[0])
	}
	return usage("name a toolkit and a command: cupel toolkit run 13.0 -- nvcc --version")
}

func runIn(cmd *cobra.Command, args []string, f envFlags) error {
	var err error
	if f.toolkit, err = meantBy(args[0]); err != nil {
		return err
	}
	set, _, err := computeEnv(cmd, f)
	var none noToolkit
	if errors.As(err, &none) {
		return notHere(args[0], exitUnable)
	}
	if err != nil {
		return err
	}
	old := map[string]string{}
	for _, e := range os.Environ() {
		if name, value, ok := strings.Cut(e, "="); ok && name != "" {
			old[name] = value
		}
	}
	env := set.Apply(old)
	for name, value := range env {
		if old[name] != value && strings.EqualFold(name, "PATH") {
			_ = os.Setenv(name, value) // the command is looked for where it will look itself
		}
	}
	var list []string
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	return start(cmd, args[1:], list)
}

// start runs a command with this program's own streams and ends as it ended.
func start(cmd *cobra.Command, argv, env []string) error {
	path, err := exec.LookPath(argv[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		fmt.Fprintf(cmd.ErrOrStderr(), "cupel: start %s: %v\n", argv[0], err)
		return codeError(exitNotStarted)
	}
	child := exec.Command(path, argv[1:]...)
	child.Env, child.Stdin, child.Stdout, child.Stderr = env, os.Stdin, cmd.OutOrStdout(), cmd.ErrOrStderr()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, passedOn...)
	defer signal.Stop(signals)
	if err := child.Start(); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "cupel: start %s: %v\n", argv[0], err)
		return codeError(exitNotStarted)
	}
	done := make(chan error, 1)
	go func() { done <- child.Wait() }()
	// What is typed on a terminal reaches the command by itself: it belongs to the same group.
	typed := term.IsTerminal(int(os.Stdin.Fd()))
	for {
		select {
		case s := <-signals:
			if s != os.Interrupt || !typed {
				_ = child.Process.Signal(s)
			}
		case err := <-done:
			if code := endOf(child.ProcessState); code != 0 {
				return codeError(code)
			}
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				return nil
			}
			return err
		}
	}
}
