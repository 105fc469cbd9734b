package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/probe"
	"cupel/internal/probe/look"
	"cupel/internal/probe/project"
	"cupel/internal/snapshot"
	"cupel/internal/verify"
	"cupel/internal/version"
)

type doctorFlags struct {
	machineFlags
	need      string
	consumers bool
	redact    bool
	record    string
	diff      bool
	verbose   bool
	list      bool
	show      string
}

// machineFlags say which machine is meant; doctor, env and compat solve share them.
type machineFlags struct {
	toolkit  string
	snapshot string
	host     string
	pythons  []string
	conda    []string
}

func (m *machineFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&m.toolkit, "toolkit", "", "the toolkit to choose: a release (13.0, cu130) or a root")
	fs.StringVar(&m.snapshot, "snapshot", "", "judge the saved answer of another machine instead of this one")
	fs.StringVar(&m.host, "host", "", "read a recorded host instead of this machine")
	fs.StringArrayVar(&m.pythons, "python", nil, "interpreter to look into (repeatable; default: the active one)")
	fs.StringArrayVar(&m.conda, "conda-env", nil, "conda environment to look into, by name (repeatable)")
	_ = fs.MarkHidden("host")
}

func newDoctor() *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "What CUDA is on this machine, what is wrong, what to do",
		Long: `Looks at the machine and at the project in the current folder, and says what CUDA is here, what is wrong with
it, and what to type next. It reads files first, starts few processes, and changes nothing.

Exit code: 0 nothing wrong, 1 findings of severity error, 2 called wrongly, 3 cupel could not do its work.`,
		Example: `  cupel doctor
  cupel doctor --json > machine.json          keep this machine's snapshot
  cupel doctor --snapshot machine.json        judge it elsewhere
  cupel doctor --diff laptop.json runner.json what differs, and which difference matters
  cupel doctor --consumers                    which toolkit each kind of build would take here
  cupel doctor --format md --redact           text for a public bug report
  cupel doctor --need gpu                     no GPU is an error`,
		RunE: func(cmd *cobra.Command, args []string) error { return runDoctor(cmd, args, f) },
	}
	f.add(cmd.Flags())
	fs := cmd.Flags()
	fs.StringVar(&f.need, "need", "", "what must be here: gpu")
	fs.BoolVar(&f.consumers, "consumers", false, "which toolkit each kind of build would take, and why")
	fs.BoolVar(&f.redact, "redact", false, "replace user, home folder, host name and serials")
	fs.StringVar(&f.record, "record", "", "write everything the probe read into `FILE` (a test fixture)")
	fs.BoolVar(&f.diff, "diff", false, "compare two snapshots: doctor --diff A.json B.json (with one: against this machine)")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "show notes in full")
	fs.BoolVar(&f.list, "list", false, "list every check")
	fs.StringVar(&f.show, "show", "", "show the page of one check, by its `ID`")
	formatFlags(cmd, "text", "json", "md")
	_ = cmd.RegisterFlagCompletionFunc("show", completeRules)
	_ = cmd.RegisterFlagCompletionFunc("need", cobra.FixedCompletions([]string{"gpu"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runDoctor(cmd *cobra.Command, args []string, f doctorFlags) error {
	out := cmd.OutOrStdout()
	as, err := format(cmd, "text", "json", "md")
	if err != nil {
		return err
	}
	if f.need != "" && f.need != "gpu" {
		return usage("--need %s: only gpu can be asked for", f.need)
	}
	switch {
	case f.list:
		return listRules(out, as)
	case f.show != "":
		return showTopic(out, f.show)
	case f.diff:
		return runDiff(cmd, args, f, as)
	case len(args) > 0:
		return usage("doctor takes no arguments: %q (a saved answer is given with --snapshot FILE)", args[0])
	}
	a, hide, err := askDoctor(cmd, f)
	if err != nil {
		return err
	}
	if err := writeDoctor(out, a, as, f, hide); err != nil {
		return err
	}
	if finding.Count(a.Findings, finding.Error) > 0 {
		return codeError(exitFindings)
	}
	return nil
}

func askDoctor(cmd *cobra.Command, f doctorFlags) (doctor.Answer, snapshot.Redactor, error) {
	return askDoctorFor(cmd, f, wishes(cmd, f.machineFlags))
}

// askDoctorFor judges the machine with what a project wishes.
func askDoctorFor(cmd *cobra.Command, f doctorFlags, w workspace) (doctor.Answer, snapshot.Redactor, error) {
	g, err := gather(cmd, f.machineFlags, gatherOptions{record: f.record, redact: f.redact})
	if err != nil {
		return doctor.Answer{}, g.hide, err
	}
	platform, _ := verify.PlatformOf(g.machine, "") // macOS has none, and no wishes either
	a := doctor.Judge(g.machine, g.project, doctor.Options{
		Version: Version, Choice: w.choices(f.toolkit, g.machine.System, platform), Flags: f.asText(),
		NeedGPU: f.need == "gpu", Consumers: f.consumers, Contract: w.contract != nil,
	})
	a.Processes = g.processes
	return a, g.hide, nil
}

// writeDoctor shows the answer. It is judged first and redacted last: a path that is replaced before the judging
// would lead nowhere.
func writeDoctor(out io.Writer, a doctor.Answer, as string, f doctorFlags, hide snapshot.Redactor) error {
	style := styleFor(out)
	var text []byte
	switch {
	case as == "json":
		var buf bytes.Buffer
		if err := writeJSON(&buf, a); err != nil {
			return err
		}
		text = buf.Bytes()
	case as == "md" && f.consumers:
		text = []byte(style.ConsumersMarkdown(a))
	case as == "md":
		text = []byte(style.DoctorMarkdown(a))
	case f.consumers:
		text = []byte(style.Consumers(a))
	default:
		text = []byte(style.Doctor(a, f.verbose))
	}
	_, err := out.Write(hide.Bytes(text))
	return err
}

func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// gathered is what deciding starts from, and what to hide when it is shown.
type gathered struct {
	machine   fact.Machine
	project   fact.Project
	processes int
	hide      snapshot.Redactor
}

// gatherOptions are what a command wants besides the machine.
type gatherOptions struct {
	record   string // file to record everything into that is read
	redact   bool
	contract *contract.Contract // names variables to look up
	dir      string             // the project; "" is the current folder
	on       host.Host          // nil: the one that the flags name
}

// gather reads this machine, a recorded one, or a snapshot.
func gather(cmd *cobra.Command, f machineFlags, opt gatherOptions) (gathered, error) {
	record, redact := opt.record, opt.redact
	if f.snapshot != "" && f.host != "" {
		return gathered{}, usage("--snapshot and --host exclude each other")
	}
	if err := f.check(); err != nil {
		return gathered{}, err
	}
	if f.snapshot != "" {
		return fromSnapshot(cmd, f, redact)
	}
	h, helper, err := hostFor(f.host)
	if err != nil {
		return gathered{}, err
	}
	if opt.on != nil {
		h = opt.on
	}
	var rec *host.Recorder
	if record != "" {
		rec = host.Record(h, func(name string) bool { return probe.Known(name, h.System().OS) })
		h = rec
	}
	g := gathered{}
	g.machine, g.project = probe.Survey(cmd.Context(), h, probe.Options{
		Helper: helper, Dir: opt.dir, Pythons: f.pythons, Conda: f.conda, Root: f.root(h.System()), Contract: opt.contract,
	})
	if cmd.Context().Err() != nil {
		// Half a survey is no answer: what did not answer was stopped, not broken.
		return gathered{}, errInterrupted
	}
	g.processes = h.Processes()
	if redact {
		g.hide = snapshot.NewRedactor(h.System(), g.machine)
	}
	if rec != nil {
		if err := writeRecording(record, rec.Archive("Recorded by cupel doctor --record.", g.hide.Bytes)); err != nil {
			return gathered{}, err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "recorded to %s: read it before you pass it on\n", record)
	}
	return g, nil
}

// check refuses a --toolkit that is neither a release nor a path.
func (m *machineFlags) check() error {
	if m.toolkit == "" || strings.ContainsAny(m.toolkit, `/\`) || choice.IsName(m.toolkit) {
		return nil
	}
	if _, err := version.ParseRelease(m.toolkit); err != nil {
		return usage("--toolkit: %v (or the path of a root)", err)
	}
	return nil
}

// root is the folder --toolkit names, when it names one: it is looked at even where nothing else leads to it.
func (m *machineFlags) root(sys host.System) string {
	switch s := sys.Paths(); {
	case !strings.ContainsAny(m.toolkit, `/\`):
		return ""
	case !s.Abs(m.toolkit):
		return s.Join(sys.Cwd, m.toolkit)
	}
	return m.toolkit
}

// asText is what was said to find the machine's toolkit, for the commands that findings name.
func (m *machineFlags) asText() string {
	var out []string
	for _, p := range m.pythons {
		out = append(out, "--python "+p)
	}
	for _, c := range m.conda {
		out = append(out, "--conda-env "+c)
	}
	if m.toolkit != "" {
		out = append(out, "--toolkit "+m.toolkit)
	}
	return strings.Join(out, " ")
}

func writeRecording(path string, b []byte) error {
	if err := os.WriteFile(path, b, 0o644); err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	return nil
}

// fromSnapshot judges a saved machine; the project is that of the current folder.
func fromSnapshot(cmd *cobra.Command, f machineFlags, redact bool) (gathered, error) {
	m, err := snapshot.Load(f.snapshot)
	if err != nil {
		return gathered{}, err
	}
	a := look.New(host.Here())
	g := gathered{machine: m, project: project.Survey(cmd.Context(), a, a.System.Cwd)}
	if redact {
		g.hide = snapshot.NewRedactor(host.System{OS: m.System.OS, Home: m.System.Home}, m)
	}
	return g, nil
}

// hostFor opens a recorded host, or this machine with the helper program beside it.
func hostFor(path string) (host.Host, string, error) {
	if path == "" {
		return host.Here(), findHelper(), nil
	}
	rec, err := host.LoadFile(path)
	if err != nil {
		return nil, "", err
	}
	return rec, "cupel-gpu", nil
}

// findHelper looks for the program that asks the driver.
func findHelper() string { return besides("cupel-gpu") }

// besides looks for a program of cupel's own beside this one, then in CUPEL_HOME/bin.
func besides(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var dirs []string
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe))
	}
	if home := look.CupelHome(look.New(host.Here())); home != "" {
		dirs = append(dirs, filepath.Join(home, "bin"))
	}
	for _, dir := range dirs {
		p := filepath.Join(dir, name)
		if fi, err := os.Stat(p); err == nil && !fi.IsDir() {
			return p
		}
	}
	return ""
}
