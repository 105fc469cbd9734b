package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cupel/data"
	"cupel/internal/depot"
	"cupel/internal/lock"
	"cupel/internal/remedy"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/verify"
	"cupel/internal/version"
)

type upFlags struct {
	contractFlags
	sourceFlags
	consentFlags
	out     string
	dryRun  bool
	noBuild bool
}

func newUp() *cobra.Command {
	var f upFlags
	cmd := &cobra.Command{
		Use:   "up [DIR]",
		Short: "From this machine to built kernels: installs what is missing without root, verifies, builds",
		Long: `Plans the cheapest way from this machine to the contract of DIR (default: the nearest folder with a cupel.toml), shows
it, carries out what needs no root (toolkits, a host compiler, libclang, cuDNN, each in CUPEL_HOME), verifies, and
builds the contract's [[kernels]] with plain nvcc into build/cupel/KERNEL. What a person must do as root, such as a
driver, is printed at the end; kernels are built without it.

Toolkits come from the first source that can be reached and has what is wanted: ` + "redist, pip, apt, conda" + `. One that cannot be
reached costs no more than three seconds and is said; one that --from names alone, or that is merely slow where no other
answers, is given fifteen.

Before anything is installed you are asked, once more for NVIDIA's licences. Where there is no terminal, --yes answers
both.

Exit code: 0 the project can be built here and its kernels are, 1 not so, 2 called wrongly, not confirmed or a contract
that cannot be used, 3 cupel could not do its work, 128+n ended by signal n (130: Ctrl-C).`,
		Example: `  cupel up
  cupel up examples/vector-add --yes      for CI
  cupel up --dry-run                      show the plan with what can be had now
  cupel up --from pip
  cupel up --no-build`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runUp(cmd, args, f) },
	}
	fs := cmd.Flags()
	f.consentFlags.add(cmd)
	fs.StringVar(&f.from, "from", "", "bring toolkits from this `SOURCE` alone: redist, pip, apt, conda")
	fs.StringVar(&f.mirror, "mirror", "", "where redist finds NVIDIA's archives: an `ADDRESS` or a folder (default: CUPEL_REDIST, else NVIDIA's own)")
	fs.DurationVar(&f.timeout, "timeout", 0, "give up after this time (default: never)")
	fs.StringVar(&f.machineFlags.toolkit, "toolkit", "", "with this release or root and no other")
	fs.StringVar(&f.contractFlags.compiler, "host-compiler", "", "the host compiler to build with (g++-12; default: what nvcc takes, or one that fits)")
	fs.StringVar(&f.out, "out", "", "where the kernels go: a `DIR` (default: build/cupel of the project)")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the plan and do nothing")
	fs.BoolVar(&f.noBuild, "no-build", false, "install and verify only")
	_ = cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(upSources(), cobra.ShellCompDirectiveNoFileComp))
	formatFlags(cmd, "text", "json")
	return cmd
}

// upSources are those that bring something; local only registers what is here.
func upSources() []string {
	return slices.DeleteFunc(slices.Clone(data.SourceNames), func(s string) bool { return s == "local" })
}

func runUp(cmd *cobra.Command, args []string, f upFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	if f.from == "local" {
		return usage("--from local: a root that is here is found without being installed; cupel toolkit install --from local DIR registers one elsewhere")
	}
	if len(args) == 1 {
		f.project = args[0]
	}
	f.sourceFlags = f.sourceFlags.bound()
	ctx, cancel := f.limited(cmd.Context())
	defer cancel()
	u := &up{cmd: cmd, ctx: ctx, flags: f, depot: depotHere(), json: as == "json"}
	err = u.run()
	if cmd.Context().Err() != nil {
		return errInterrupted
	}
	return u.finish(err)
}

// up is one call of the command.
type up struct {
	cmd    *cobra.Command
	ctx    context.Context
	flags  upFlags
	depot  depot.Depot
	json   bool
	judged judged
	answer render.Up

	locked   lock.Toolkit // what cupel.lock says, where that decides
	toolkit  string       // root of the toolkit that the plan ends with; "" leaves the choice to the machine
	compiler string       // g++ that was brought in this run
}

// run gathers, plans, shows, acts, gathers again, verifies and builds.
func (u *up) run() error {
	var err error
	if u.judged, err = gatherContract(u.cmd, u.flags.contractFlags); err != nil {
		return err
	}
	u.obeyLock()
	u.begin()
	if u.lacks() {
		if err := u.plan(); err != nil || u.flags.dryRun {
			u.answer.Passed = err == nil && len(u.answer.Plan.Plans) > 0
			return err
		}
		if err := u.act(); err != nil {
			return err
		}
	} else if u.say("nothing to install: %s can be built here", u.judged.contract.Project.Name); u.flags.dryRun {
		u.answer.Passed = true
		return nil
	}
	return u.buildIt()
}

// begin fills the head of the answer.
func (u *up) begin() {
	v := verify.Judge(u.judged.input)
	u.answer = render.Up{Format: "cupel.up/1", Cupel: Version, Findings: []verify.Check{}, Contract: v.Contract, Project: v.Project, Root: u.judged.root,
		Platform: v.Platform, DryRun: u.flags.dryRun, Sources: []render.ToolkitSource{}, Done: []render.UpStep{}, Left: []remedy.Step{}, InTheWay: []string{}, Unmet: []string{}}
	if from := fromHere(u.judged.root); from != "." {
		u.answer.From = from
	}
}

// say is a line on stderr.
func (u *up) say(format string, args ...any) {
	fmt.Fprintln(u.cmd.ErrOrStderr(), "cupel up: "+render.Line(fmt.Sprintf(format, args...)))
}

// lacks: something keeps the kernels from being built, or cupel could bring what the contract wants besides.
func (u *up) lacks() bool {
	inTheWay, unmet := u.failing()
	noToolkit := len(u.judged.contract.Kernels) > 0 && u.chosen().Toolkit == nil
	if len(inTheWay) > 0 || noToolkit || len(unmet) == 0 {
		return len(inTheWay) > 0 || noToolkit
	}
	a := remedy.Plan(remedy.Input{Verify: u.judged.input, UserSpace: true})
	if !a.Brings() {
		u.left(a)
	}
	return a.Brings()
}

// plan asks the sources and finds the cheapest way with what they have.
func (u *up) plan() error {
	sources, err := sourcesFor(u.flags.sourceFlags, "")
	if err != nil {
		return err
	}
	here := platformHere()
	if !slices.Contains(resolve.Platforms, here) {
		sources = nil
	}
	sources = u.onlyLocked(sources)
	u.say("asking the sources of toolkits: %s", sourceNames(sources))
	ctx, cancel := context.WithTimeoutCause(u.ctx, time.Minute, errTimeout{time.Minute})
	defer cancel()
	u.answer.Sources = offersOf(ctx, sources, here, waitingFor(u.cmd))
	if u.ctx.Err() != nil {
		return context.Cause(u.ctx)
	}
	if err := u.lockedOffers(); err != nil {
		return err
	}
	in := remedy.Input{Verify: u.judged.input, UserSpace: true}
	in.Sources, in.Offers = reachable(u.answer.Sources)
	if err := u.noneHas(in.Offers); err != nil {
		return err
	}
	a := u.asTyped(remedy.Plan(in))
	u.answer.Plan = &a
	u.left(a)
	return u.write(styleFor(u.cmd.OutOrStdout()).UpPlan(u.answer))
}

// noneHas: --toolkit names a release that is neither here nor to be had.
func (u *up) noneHas(offers []resolve.Offer) error {
	want, err := version.ParseRelease(u.flags.machineFlags.toolkit)
	if err != nil || u.chosen().Toolkit != nil || len(offers) == 0 {
		return nil
	}
	for _, o := range offers {
		if v, err := version.Parse(o.Release); err == nil && want.Covers(v) {
			return nil
		}
	}
	f := noRelease(u.flags.from, want.String(), platformHere(), u.answer.Sources)
	return stoppedStep{verify.Check{Finding: f, Status: verify.Fail}, exitFindings, errors.New(f.What)}
}

func sourceNames(all []source.Source) string {
	var names []string
	for _, s := range all {
		names = append(names, s.Name())
	}
	return strings.Join(names, ", ")
}

// left notes what is a person's to do.
func (u *up) left(a remedy.Answer) {
	for _, r := range a.Plans {
		u.answer.Left = append(u.answer.Left, r.ByPerson()...)
		return
	}
}

// write shows a part of the answer as it comes; programs get one answer at the end.
func (u *up) write(text string) error {
	if u.json {
		return nil
	}
	_, err := io.WriteString(u.cmd.OutOrStdout(), text)
	return err
}

// finish shows the end, with what stopped it.
func (u *up) finish(err error) error {
	var code codeError
	var wrong usageError
	if errors.As(err, &code) || errors.As(err, &wrong) {
		return err // told already, or in one line
	}
	var stopped stoppedStep
	switch {
	case errors.As(err, &stopped):
		u.answer.Findings = append(u.answer.Findings, stopped.check)
		u.answer.InTheWay = append(u.answer.InTheWay, stopped.check.ID)
		code = stopped.code
	case err != nil:
		return err
	case !u.answer.Passed:
		code = exitFindings
	}
	if u.json {
		err = writeJSON(u.cmd.OutOrStdout(), u.answer)
	} else {
		err = u.write(styleFor(u.cmd.OutOrStdout()).Up(u.answer))
	}
	if err == nil && code != exitFine {
		return code
	}
	return err
}

// outDir is where the kernels go.
func (u *up) outDir() (string, error) {
	if u.flags.out != "" {
		return filepath.Abs(u.flags.out)
	}
	dir := filepath.Join(u.judged.root, "build", "cupel")
	return dir, inside(u.judged.root, dir)
}
