package cli

import (
	"cmp"
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
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/toolkit"
	"cupel/internal/version"
)

type installFlags struct {
	sourceFlags
	consentFlags
	with     []string
	minimal  bool
	full     bool
	compiler bool
	dryRun   bool
	keep     bool
	jobs     int
}

func toolkitInstall() *cobra.Command {
	var f installFlags
	cmd := &cobra.Command{
		Use:   "install [RELEASE | --from local DIR]",
		Short: "Installs a toolkit in the user's own folder",
		Long: `Fetches the parts of a CUDA release, checks them, lays them out as one normal CUDA root in CUPEL_HOME and proves that
its compiler answers; only then is it there. Killed at any moment it leaves nothing half-installed, and the next run
goes on where it stood. What is installed already is not fetched again; --with adds to it.

Without RELEASE it is the release that cupel.lock of the project names, else the contract's recommended one. Without
--from the first source is taken that can be reached and has all of it: ` + strings.Join(data.SourceNames[:4], ", ") + `. The minimal set compiles and
links kernels; --with adds libraries, --full takes everything the source has of the toolkit.

NVIDIA's licences are asked for once each, on a terminal. Elsewhere they are accepted with --accept-license, --yes or
CUPEL_ACCEPT_LICENSE=1.

Exit code: 0 installed, 1 it could not be had or was not as it should be, 2 called wrongly or a licence was not accepted,
3 cupel could not do its work, 128+n ended by signal n (130: Ctrl-C).`,
		Example: `  cupel toolkit install 13.0
  cupel toolkit install 13.0 --from pip --with cublas,nvrtc --accept-license
  cupel toolkit install 12.4 --with-host-compiler
  cupel toolkit install 13.0 --platform windows-x86_64
  cupel toolkit install 12.9 --mirror /mnt/cuda/redist --dry-run
  cupel toolkit install --from local /opt/cuda-12.2`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeReleases,
		RunE:              func(cmd *cobra.Command, args []string) error { return runInstall(cmd, args, f) },
	}
	f.sourceFlags.add(cmd)
	f.consentFlags.add(cmd)
	fs := cmd.Flags()
	fs.StringSliceVar(&f.with, "with", nil, "`COMPONENTS` beside the minimal set: cublas, cudnn, nvrtc …")
	fs.BoolVar(&f.minimal, "minimal", false, "what compiles and links kernels (the default)")
	fs.BoolVar(&f.full, "full", false, "everything the source has of the toolkit")
	fs.BoolVar(&f.compiler, "with-host-compiler", false, "bring a gcc that the toolkit accepts too, where none is here")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show what would be installed")
	fs.BoolVar(&f.keep, "keep-downloads", false, "keep the fetched files in CUPEL_CACHE")
	fs.IntVar(&f.jobs, "jobs", 0, "how many files are fetched at once (default 4)")
	cmd.MarkFlagsMutuallyExclusive("minimal", "full")
	_ = cmd.RegisterFlagCompletionFunc("with", completeComponents)
	formatFlags(cmd, "text", "json")
	return cmd
}

func runInstall(cmd *cobra.Command, args []string, f installFlags) error {
	as, err := format(cmd, "text", "json")
	if err != nil {
		return err
	}
	job, err := prepare(cmd, args, f)
	if err != nil {
		return err
	}
	ctx, cancel := f.limited(cmd.Context())
	defer cancel()
	job.ctx = ctx
	err = job.run()
	if cmd.Context().Err() != nil {
		return errInterrupted
	}
	return job.finish(as, err)
}

// install is one call of the command.
type install struct {
	cmd     *cobra.Command
	ctx     context.Context
	flags   installFlags
	request resolve.Request
	root    string // local: the folder
	depot   depot.Depot
	project workspace // of the current folder; may be none
	answer  render.ToolkitInstall
	adding  bool // a toolkit of that name is there
	have    *depot.Installed
}

// prepare reads the command line and refuses what is wrong with it before anything is asked.
func prepare(cmd *cobra.Command, args []string, f installFlags) (*install, error) {
	j := &install{cmd: cmd, flags: f, depot: depotHere()}
	j.answer = render.ToolkitInstall{Format: "cupel.toolkit.install/1", Cupel: Version, Findings: []finding.Finding{}, DryRun: f.dryRun,
		PassedBy: []render.ToolkitSource{}, Parcels: []render.Parcel{}, Proof: []string{}}
	var err error
	if j.request.Platform, err = platformFor(f.platform); err != nil {
		return nil, err
	}
	for _, w := range f.with {
		w = strings.ToLower(w)
		if !slices.Contains(resolve.Words(), w) {
			return nil, usageError{resolve.UnknownComponent{Word: w}}
		}
		j.request.With = append(j.request.With, w)
	}
	j.request.Full = f.full
	if strings.Contains(j.depot.Home+j.depot.Cache, `"`) {
		return nil, usage("CUPEL_HOME and CUPEL_CACHE: nvcc takes no path with a quotation mark: %s, %s", j.depot.Home, j.depot.Cache)
	}
	if f.from == "local" && (len(f.with) > 0 || f.full) {
		return nil, usage("--from local registers a root as it is: --with and --full add nothing to it")
	}
	if f.jobs < 0 {
		return nil, usage("--jobs %d: a number of files from 1 on", f.jobs)
	}
	if w, err := openWorkspace(host.Here(), "", shown); err == nil {
		j.project = w
	} else if len(args) == 0 {
		return nil, err
	}
	if err := j.wanted(args); err != nil {
		return nil, err
	}
	j.flags.sourceFlags = j.flags.sourceFlags.bound()
	if j.have = j.already(); j.have != nil {
		_, err := sourcesFor(f.sourceFlags, "")
		return j, err
	}
	if _, err := sourcesFor(f.sourceFlags, j.root); err != nil || j.flags.from == "local" || f.dryRun {
		return j, err
	}
	return j, mayInstall(cmd, j.depot, f.consentFlags, j.request.With)
}

// wanted reads what is to be installed: a folder with --from local, a release, or what the project is built with.
func (j *install) wanted(args []string) (err error) {
	if j.flags.from == "local" {
		if len(args) == 0 {
			return usage("--from local needs the folder of a CUDA root: cupel toolkit install --from local DIR")
		}
		j.root, err = filepath.Abs(args[0])
		return err
	}
	text := ""
	if len(args) == 1 {
		text = args[0]
	}
	if text == "" {
		if text = j.projectRelease(); j.flags.mirror == "" {
			j.flags.from = cmp.Or(j.flags.from, j.lockedSource())
		}
		if text == "" {
			return usage("name a release (cupel toolkit install 13.0): no cupel.lock or cupel.toml here names one")
		}
	}
	if strings.ContainsAny(text, `/\`) {
		return usage("%s is no release; a folder is registered with: cupel toolkit install --from local %s", text, text)
	}
	j.request.Release, err = version.ParseRelease(text)
	if err == nil && j.request.Release.Parts() < 2 {
		err = fmt.Errorf("CUDA %s has several releases: name one of %s", j.request.Release, strings.Join(releasesOf(j.request.Release), ", "))
	}
	if err != nil {
		return usageError{err}
	}
	return nil
}

// releasesOf are the X.Y of a major that the tables have, newest first.
func releasesOf(major version.V) []string {
	all, _ := completeReleases(nil, nil, "")
	return slices.DeleteFunc(all, func(text string) bool {
		v, err := version.Parse(text)
		return err != nil || !major.Covers(v)
	})
}

// run finds the source and installs from it. What goes wrong is an error; finish makes a finding of it.
func (j *install) run() error {
	begin := time.Now()
	if j.have != nil {
		return j.answerAlready(*j.have)
	}
	f, err := j.plan()
	if err != nil {
		return err
	}
	if f.source == nil {
		return nothingFound{j.request, f}
	}
	missing, err := j.meet(f)
	if err != nil || j.flags.dryRun {
		return err
	}
	if len(missing) > 0 || f.plan.Root != "" {
		fmt.Fprint(j.cmd.ErrOrStderr(), styleFor(j.cmd.ErrOrStderr()).ToolkitPlan(f.plan, missing, j.answer.Root))
	}
	if err := consent(j.cmd, j.depot, j.flags.consentFlags, licensesOf(missing), filepath.Join(j.answer.Root, "licenses")); err != nil {
		return err
	}
	err = j.bring(f)
	j.answer.Seconds = time.Since(begin).Round(100 * time.Millisecond).Seconds()
	return err
}

// meet compares a plan with what is here and with the project's lock: what is still to be fetched.
func (j *install) meet(f found) ([]resolve.Parcel, error) {
	name := f.plan.Name()
	j.answer.Plan, j.answer.Root = &f.plan, filepath.Join(j.depot.Home, depot.Toolkits, name)
	if err := j.locked(f.plan); err != nil {
		return nil, err
	}
	all, _ := j.depot.List(depot.Toolkits)
	j.adding = slices.Contains(namesOf(all), name)
	missing, err := toolkit.Installer{Depot: j.depot, Here: platformHere()}.Missing(j.ctx, f.plan)
	j.answer.Missing = append([]resolve.Parcel{}, missing...)
	return missing, err
}

// plan asks the sources; those that are passed over are told at once.
func (j *install) plan() (found, error) {
	sources, err := sourcesFor(j.flags.sourceFlags, j.root)
	if err != nil {
		return found{}, err
	}
	f, err := findPlan(j.ctx, reachAll(j.ctx, j.inOrder(sources), waitingFor(j.cmd)), j.request)
	j.answer.PassedBy = append(j.answer.PassedBy, f.passed...)
	style := styleFor(j.cmd.ErrOrStderr())
	for _, p := range f.passed {
		if f.source != nil { // where nothing is left the finding names them
			fmt.Fprintln(j.cmd.ErrOrStderr(), style.Refused(p.Name, p.Why, p.Next))
		}
	}
	return f, err
}

// bring carries the plan out, then looks for the compiler.
func (j *install) bring(f found) error {
	report, end := showProgress(j.cmd.ErrOrStderr())
	defer end()
	i := toolkit.Installer{Depot: j.depot, Cupel: Version, Here: platformHere(), Compiler: j.proofCompiler(f.plan), Jobs: j.flags.jobs, Keep: j.flags.keep, Report: report}
	out, err := i.Install(j.ctx, f.source, f.plan)
	end()
	if err != nil {
		return err
	}
	j.installed(out)
	if err := j.lockedAfter(f.plan); err != nil {
		return err
	}
	if j.flags.compiler {
		return j.hostCompiler()
	}
	return nil
}

// installed puts what was done into the answer.
func (j *install) installed(o toolkit.Outcome) {
	a, m := &j.answer, o.Installed.Manifest
	a.Name, a.Root, a.Already, a.Added = nameOf(o.Installed), o.Installed.Root(), o.Already, o.Added
	a.Fetched, a.Unpacked, a.Proof = o.Fetched, o.Unpacked, append(a.Proof, o.Proof...)
	for _, c := range m.Components {
		a.Parcels = append(a.Parcels, render.Parcel{Name: c.Name, Version: c.Version, File: c.File, SHA256: c.SHA256, Size: c.Size})
	}
	a.Use = "cupel toolkit use " + m.Release
	switch {
	case m.Platform != platformHere():
		a.Use = "" // it cannot run here
	case j.project.root == "":
		a.Use = fmt.Sprintf(`eval "$(cupel env --toolkit %s)"`, m.Release)
		if platformHere().Windows() {
			a.Use = fmt.Sprintf("cupel toolkit run %s -- nvcc --version", m.Release)
		}
	}
}

// finish shows the answer, with what went wrong as a finding.
func (j *install) finish(as string, err error) error {
	code := error(nil)
	if err != nil {
		f, known := installFinding(j, err)
		if !known && as != "json" {
			return err
		}
		j.answer.Findings = append(j.answer.Findings, f)
		code = exitOf(err, known)
	} else if finding.Count(j.answer.Findings, finding.Error) > 0 {
		code = codeError(exitFindings)
	}
	out := j.cmd.OutOrStdout()
	if as == "json" {
		return errors.Join(writeJSON(out, j.answer), code)
	}
	_, err = io.WriteString(out, styleFor(out).ToolkitInstall(j.answer))
	return errors.Join(err, code)
}

// exitOf: a world that is not as it should be is 1, a command called wrongly 2, and what cupel itself could not do 3.
func exitOf(err error, known bool) error {
	var wrong usageError
	switch {
	case errors.As(err, &wrong):
		return codeError(exitUsage)
	case known:
		return codeError(exitFindings)
	}
	return codeError(exitUnable)
}
