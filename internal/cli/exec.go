package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupel/internal/cas"
	"cupel/internal/mend/choose"
	"cupel/internal/mirror"
	"cupel/internal/render"
)

var execFormats = []string{"text", "json", "md"}

type execFlags struct {
	envFlags
	fix     []string
	tools   []string
	tries   []string
	configs []string
	before  string
	out     string
	noCache bool
	quiet   bool
	verbose bool
	timeout time.Duration
}

func newExec() *cobra.Command {
	var f execFlags
	cmd := &cobra.Command{
		Use:   "exec [--] COMMAND…",
		Short: "Runs any build in the chosen toolkit's environment, records every compiler call, explains a failure",
		Long: `Runs a build with the environment that "cupel env" prints and with a shim in the place of nvcc that passes every call
through, byte for byte, and writes it down: arguments, folder, environment, both streams, exit code, time and memory. The
command keeps its streams, colours, terminal and exit code. When it fails, the failing compiler call follows with its real
output, its cause and the command to replay it, also where the build tool lost them; that text goes to stderr, or with
--out to a file (--json and --format md too: standard output is the command's). Where stderr and stdout are no terminal,
the command's own output is kept too.

A call that was made before with the same files, options and tools is answered from the store that cupel build uses, with
the output it had (cupel cache); --no-cache makes every call.

Runs are kept in CUPEL_HOME/runs, the last 100 or 1 GB of them: cupel runs. What the command leaves running is ended.

--fix lets the shim repair calls, each repair named and listed at the end with the permanent fix:
  host-compiler    the right -ccbin where the compiler is too new for the toolkit
  arch             an architecture that the toolkit does not know becomes its best PTX
  zc-preprocessor, math-defines, no-fpic    what Microsoft's compiler needs

--try runs the build once more for each variation and prints which pass: a name, then variables, then options of exec or
another command, as in the examples. --config runs rows [[config]] of the contract so.

Exit code: that of the command; 128+n when signal n ended it, 125 when it could not be started, 2 called wrongly, 3 there
is no toolkit. With --try or --config: 0 all went as expected, 1 not so, 3 every one was skipped.`,
		Example: `  cupel exec -- cargo build --release
  cupel exec --toolkit 12.4 --host-compiler g++-12 -- cmake --build build
  cupel exec --fix -- pip install .
  cupel exec --format md --out issue.md -- make -j8
  cupel exec --tools ptxas,g++ -- make
  cupel exec --try "plain=" --try "no wrapper=RUSTC_WRAPPER=" --try "12.4=--toolkit 12.4" --before "cargo clean" -- cargo build
  cupel exec --config all --format md`,
		Args: func(cmd *cobra.Command, args []string) error { return execArgs(cmd, f, args) },
		RunE: func(cmd *cobra.Command, args []string) error { return runExec(cmd, args, f) },
	}
	cmd.Flags().SetInterspersed(false) // what follows the command belongs to it, with or without --
	f.add(cmd.Flags())
	f.addExec(cmd.Flags())
	formatFlags(cmd, execFormats...)
	_ = cmd.Flags().MarkHidden("snapshot")
	_ = cmd.RegisterFlagCompletionFunc("tools", cobra.FixedCompletions(mirror.KnownTools(runtime.GOOS), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("fix", cobra.FixedCompletions(append([]string{"all"}, choose.Names()...), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *execFlags) addExec(fs *pflag.FlagSet) {
	fs.StringVar(&f.compiler, "host-compiler", "", "the host compiler: a command (g++-12) or a path")
	fs.StringSliceVar(&f.archs, "arch", nil, "architectures to build for (86, sm_90a; default: the GPUs here)")
	fs.StringSliceVar(&f.fix, "fix", nil, "let the shim repair calls: all, or some of "+strings.Join(choose.Names(), ", "))
	fs.Lookup("fix").NoOptDefVal = "all"
	fs.StringSliceVar(&f.tools, "tools", nil, "record these too: "+strings.Join(mirror.KnownTools("linux"), ", ")+"; on Windows also cl")
	fs.StringArrayVar(&f.tries, "try", nil, "one `VARIATION` of the build: NAME=[VAR=VALUE…] [--toolkit R] [--host-compiler X] [--unset VAR] [COMMAND…]")
	fs.StringSliceVar(&f.configs, "config", nil, "run these [[config]] rows of cupel.toml; all: every one")
	fs.StringVar(&f.before, "before", "", "with --try or --config: a `COMMAND` to run before each, not timed (cargo clean)")
	fs.BoolVar(&f.noCache, "no-cache", false, "make every call: results of earlier ones are not used, and none is kept")
	fs.StringVar(&f.out, "out", "", "write the closing text to a `FILE`")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "say nothing after a command that succeeded")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "show every failing call in full, and what was decided")
	fs.DurationVar(&f.timeout, "timeout", 0, "end the command after this time (default: never)")
}

// words are the options that decide how the command runs, as they can be typed again.
func (f execFlags) words() []string {
	var out []string
	add := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				out = append(out, "--"+name+"="+v)
			}
		}
	}
	add("toolkit", f.toolkit)
	add("host-compiler", f.compiler)
	add("arch", strings.Join(f.archs, ","))
	add("fix", strings.Join(f.fix, ","))
	add("tools", strings.Join(f.tools, ","))
	add("python", f.pythons...)
	add("conda-env", f.conda...)
	if f.noCache {
		out = append(out, "--no-cache")
	}
	return out
}

func execArgs(cmd *cobra.Command, f execFlags, args []string) error {
	switch several := len(f.tries)+len(f.configs) > 0; {
	case len(args) == 0 && !several:
		return usage("there is no command: cupel exec -- cargo build")
	case len(args) > 0 && len(f.tries) == 0 && len(f.configs) > 0:
		return usage("--config runs the commands of the contract: %q would not be run", args[0])
	case cmd.Flags().Changed("before") && strings.TrimSpace(f.before) == "":
		return usage("--before is empty")
	case f.before != "" && !several:
		return usage("--before stands with --try or --config")
	case len(args) > 1 && len(f.fix) > 0 && args[1] == "--" && (args[0] == "all" || slices.Contains(choose.Names(), args[0])):
		return usage("--fix %s: write it with =: --fix=%s", args[0], args[0])
	}
	return nil
}

func runExec(cmd *cobra.Command, args []string, f execFlags) error {
	as, err := format(cmd, execFormats...)
	if err != nil {
		return err
	}
	if f.host != "" || f.snapshot != "" {
		return usage("exec runs a command on this machine: it excludes --snapshot and --host")
	}
	if err := checkOut(f.out); err != nil {
		return err
	}
	for _, name := range f.fix {
		if name != "all" && !slices.Contains(choose.Names(), name) {
			return usage("--fix=%s: one of all, %s", name, strings.Join(choose.Names(), ", "))
		}
	}
	if _, on := cas.Here(); on && !f.noCache {
		if wrong := limitIgnored(); wrong != "" { // cupel-nvcc, which uses the store, says only what nvcc says
			fmt.Fprintln(cmd.ErrOrStderr(), "cupel exec: "+wrong)
		}
	}
	if len(f.tries)+len(f.configs) > 0 {
		return runTries(cmd, args, f, as)
	}
	x, err := newExecution(cmd, f)
	if err != nil {
		return noToolkitHere(err)
	}
	return x.command(args, as)
}

// noToolkitHere turns a missing toolkit into a finding with the next command.
func noToolkitHere(err error) error {
	var none noToolkit
	if errors.As(err, &none) {
		return fmt.Errorf("%w, or install one: %s", none, none.install)
	}
	return err
}

// note is one line on stderr.
func (x *execution) note(format string, args ...any) {
	fmt.Fprintln(x.cmd.ErrOrStderr(), "cupel exec: "+render.Line(fmt.Sprintf(format, args...)))
}

// checkOut finds out before the build whether its ending could be written.
func checkOut(file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usage("--out %s is a folder: name a file", file)
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return usage("--out %s: there is no folder %s", file, filepath.Dir(file))
	}
	return nil
}
