package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"cupel/internal/diagnose"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/signature"
	"cupel/internal/snapshot"
)

var (
	explainFormats   = []string{"text", "json", "md", "sarif", "github"}
	explainPlatforms = []string{"linux", "windows", "wsl2", "container", "macos"}
)

// memoryLimit makes the collector work before the program grows: what a log needs is bounded and below it.
const memoryLimit = 40 << 20

type explainFlags struct {
	machineFlags
	noMachine bool
	platform  string
	redact    bool
	verbose   bool
	list      bool
	show      string
}

func newExplain() *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain [LOG | CODE | MESSAGE]",
		Short: "Names the cause of a failed build or run and the fix",
		Long: `Reads the log of a failed build or run and names its cause, why it is so and what to do. Without a file, or with -, it
reads standard input. A code (222, CUDA_ERROR_NO_DEVICE, 0xC0000135, exit 137, LNK1181 cuda.lib) or a message can
stand in the place of a file.

What is known of this machine confirms or contradicts the cause and makes the fix concrete; --no-machine leaves it
out, --snapshot asks a saved machine. Rows [[explain]] of the project's cupel.toml come first. When the cause is not
known, it says so and shows the lines to read.

Exit code: 0 a cause was named or the log shows no failure, 1 the cause is not known, 2 called wrongly, 3 the log could
not be read.`,
		Example: `  cargo build 2>&1 | tee build.log; cupel explain build.log
  make 2>&1 | cupel explain
  cupel explain 222
  cupel explain LNK1181 cuda.lib
  cupel explain "no kernel image is available for execution on the device"
  cupel explain build.log --format md           text for an issue
  cupel explain ci.log --no-machine --platform windows
  cupel explain --list                          every failure cupel knows
  cupel explain --show nvcc-unsupported-arch`,
		RunE: func(cmd *cobra.Command, args []string) error { return runExplain(cmd, args, f) },
	}
	f.add(cmd.Flags())
	fs := cmd.Flags()
	fs.BoolVar(&f.noMachine, "no-machine", false, "judge the log alone, without asking this machine")
	fs.StringVar(&f.platform, "platform", "", "where the log was made: "+strings.Join(explainPlatforms, "|")+" (default: as the log tells)")
	fs.BoolVar(&f.redact, "redact", false, "replace user, home folder, host name and serials")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "show what else was seen in full, and the sources")
	fs.BoolVar(&f.list, "list", false, "list every known failure")
	fs.StringVar(&f.show, "show", "", "show the page of one known failure or cause, by its `ID`")
	formatFlags(cmd, explainFormats...)
	_ = cmd.RegisterFlagCompletionFunc("show", completeSignatures)
	_ = cmd.RegisterFlagCompletionFunc("platform", cobra.FixedCompletions(explainPlatforms, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runExplain(cmd *cobra.Command, args []string, f explainFlags) error {
	as, err := format(cmd, explainFormats...)
	if err != nil {
		return err
	}
	if f.platform != "" && !slices.Contains(explainPlatforms, f.platform) {
		return usage("--platform %s: one of %s", f.platform, strings.Join(explainPlatforms, ", "))
	}
	switch {
	case len(args) > 0 && (f.list || f.show != ""):
		return usage("--list and --show take no log: %q", args[0])
	case cmd.Flags().Changed("show") && as != "text":
		return usage("--show prints a page: text alone")
	case f.list:
		return listSignatures(cmd.OutOrStdout(), as)
	case cmd.Flags().Changed("show"):
		return showSignature(cmd.OutOrStdout(), f.show)
	case f.noMachine && (f.snapshot != "" || f.host != ""):
		return usage("--no-machine leaves out the machine that --snapshot or --host names")
	}
	debug.SetMemoryLimit(memoryLimit)
	told, err := subjectOf(cmd, args)
	if err != nil {
		return err
	}
	a, hide, err := explainSubject(cmd, f, told)
	if err != nil {
		return err
	}
	if err := writeExplain(cmd.OutOrStdout(), a, as, f.verbose, hide.Bytes); err != nil {
		return err
	}
	if len(a.Findings) > 0 && a.Findings[0].Label == diagnose.Unknown {
		return codeError(exitFindings)
	}
	return nil
}

// What is explained: a log in a file or from a pipe, a code, or words that a person typed.
const (
	kindFile    = "file"
	kindInput   = "input"
	kindCode    = "code"
	kindMessage = "message"
)

// subject is what is to be explained.
type subject struct {
	name, kind string
	log        io.Reader
	code       *diagnose.Code
	text       string // of a message
	word       bool   // a message of one word: more likely a misspelled file
}

// subjectOf finds the log that the arguments name, or takes them for a code or a message.
func subjectOf(cmd *cobra.Command, args []string) (subject, error) {
	switch {
	case len(args) == 0 || len(args) == 1 && args[0] == "-":
		in := cmd.InOrStdin()
		if file, ok := in.(*os.File); ok && len(args) == 0 && term.IsTerminal(int(file.Fd())) {
			return subject{}, usage("no log was given: cupel explain build.log, or pipe it in: make 2>&1 | cupel explain")
		}
		return subject{name: "standard input", kind: kindInput, log: in}, nil
	case len(args) > 1 && slices.ContainsFunc(args, isLog):
		return subject{}, usage("one log at a time: %s", strings.Join(args, ", "))
	case len(args) == 1 && strings.TrimSpace(args[0]) == "":
		return subject{}, usage("the name of the log is empty")
	case len(args) == 1 && (isLog(args[0]) || namesFile(args[0])):
		return logFile(args[0])
	}
	text := strings.Join(args, " ")
	if c, ok := diagnose.CodeOf(text); ok {
		line := c.Line
		if line == "" {
			line = text
		}
		return subject{name: text, kind: kindCode, log: strings.NewReader(line), code: &c}, nil
	}
	return subject{name: "the message", kind: kindMessage, text: text, log: strings.NewReader(text), word: !strings.ContainsAny(text, " \t\n")}, nil
}

// isLog: the argument is something that can be read, or standard input.
func isLog(arg string) bool {
	_, err := os.Stat(arg)
	return err == nil || arg == "-"
}

// namesFile: an argument that ends as logs do is no message.
func namesFile(arg string) bool {
	return slices.Contains([]string{".log", ".txt", ".out", ".err"}, strings.ToLower(filepath.Ext(arg))) && !strings.Contains(arg, "\n")
}

// logFile is opened when it is read: a named pipe that nobody writes to holds whoever opens it.
func logFile(path string) (subject, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return subject{}, usage("%s: no such file", path)
	case err != nil:
		return subject{}, fmt.Errorf("open log: %w", err)
	case info.IsDir():
		return subject{}, usage("%s is a folder: name the log in it", path)
	}
	return subject{name: path, kind: kindFile, log: &lateFile{path: path}}, nil
}

// lateFile opens its file at the first Read; it is closed when the program ends.
type lateFile struct {
	path string
	file *os.File
}

func (l *lateFile) Read(p []byte) (int, error) {
	if l.file == nil {
		file, err := os.Open(l.path)
		if err != nil {
			return 0, err
		}
		l.file = file
	}
	return l.file.Read(p)
}

// explainSubject looks through the log while the machine is asked, and judges.
func explainSubject(cmd *cobra.Command, f explainFlags, s subject) (diagnose.Answer, snapshot.Redactor, error) {
	w := wishes(cmd, f.machineFlags)
	set, err := signature.Compile(slices.Concat(signature.OfProject(w.contract), signature.All()))
	if err != nil {
		return diagnose.Answer{}, snapshot.Redactor{}, err
	}
	asked := make(chan machineAsked, 1)
	go func() { asked <- askMachine(cmd, f, w) }()
	seen, err := readLog(cmd.Context(), s.log, set)
	m := <-asked
	if err = errors.Join(err, m.err); err != nil {
		return diagnose.Answer{}, m.hide, err
	}
	opt := diagnose.Options{Version: Version, Name: s.name, Kind: s.kind, Platform: f.platform, Machine: m.machine}
	a := diagnose.Judge(seen, opt)
	switch {
	case s.code != nil:
		a = a.WithCode(*s.code)
	case s.kind == kindMessage:
		if a = a.OfMessage(); s.word && a.Findings[0].Label == diagnose.Unknown && len(a.Wrappers)+len(a.Noticed) == 0 {
			return a, m.hide, usage("%s: no such file, and no code or message that cupel knows%s", s.text, alike(s.text))
		}
	case f.snapshot == "" && f.host == "" && !f.noMachine:
		a = lookFurther(look.New(host.Here()), a, set, opt)
	}
	return a, m.hide, nil
}

// readLog reads until the program is asked to end: a pipe that nobody writes to would hold it for ever.
func readLog(ctx context.Context, log io.Reader, set *signature.Set) (*diagnose.Seen, error) {
	type result struct {
		seen *diagnose.Seen
		err  error
	}
	done := make(chan result, 1)
	go func() {
		seen, err := diagnose.Read(log, set)
		done <- result{seen, err}
	}()
	select {
	case r := <-done:
		return r.seen, r.err
	case <-ctx.Done():
		return nil, errInterrupted
	}
}

// machineAsked is what the doctor says of the machine, nil where none is asked.
type machineAsked struct {
	machine *diagnose.Machine
	hide    snapshot.Redactor
	err     error
}

func askMachine(cmd *cobra.Command, f explainFlags, w workspace) machineAsked {
	if f.noMachine {
		out := machineAsked{}
		if f.redact {
			out.hide = snapshot.NewRedactor(host.Here().System(), fact.Machine{})
		}
		return out
	}
	a, hide, err := askDoctorFor(cmd, doctorFlags{machineFlags: f.machineFlags, redact: f.redact}, w)
	return machineAsked{&diagnose.Machine{Answer: a}, hide, err}
}
