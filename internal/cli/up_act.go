package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"cupel/internal/depot"
	"cupel/internal/finding"
	"cupel/internal/hostcompiler"
	"cupel/internal/remedy"
	"cupel/internal/render"
	"cupel/internal/resolve"
	"cupel/internal/toolkit"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// stoppedStep is a step of the plan that could not be carried out, told as a check.
type stoppedStep struct {
	check verify.Check
	code  codeError
	err   error
}

func (e stoppedStep) Error() string { return e.err.Error() }
func (e stoppedStep) Unwrap() error { return e.err }

// act carries out what the plan says that cupel does.
func (u *up) act() error {
	if len(u.answer.Plan.Plans) == 0 {
		return nil
	}
	steps := u.answer.Plan.Plans[0].ByCupel()
	if err := u.mayAct(steps); err != nil {
		return err
	}
	installs, err := u.resolve(steps)
	if err != nil {
		return err
	}
	for n, s := range steps {
		do := map[string]func(remedy.Step) error{
			remedy.DoInstall:  func(s remedy.Step) error { return u.install(s, installs[n]) },
			remedy.DoCompiler: u.hostCompiler, remedy.DoClang: u.libclang, remedy.DoUse: u.use,
		}[s.Does.Kind]
		if do == nil {
			continue
		}
		if err := do(s); err != nil {
			return err
		}
	}
	return nil
}

// mayAct asks before anything is installed.
func (u *up) mayAct(steps []remedy.Step) error {
	installs := slices.ContainsFunc(steps, func(s remedy.Step) bool { return s.Does.Kind != remedy.DoUse })
	if !installs || u.flags.yes {
		return nil
	}
	if !canAsk(u.cmd) {
		return usage("there is no terminal to ask on: --yes carries the plan out, --dry-run only shows it")
	}
	if ok, err := confirm(u.cmd, "Carry this out?"); err != nil || !ok {
		return errors.Join(usage("not confirmed: nothing was done"), err)
	}
	return nil
}

// upInstall is the install of one step, with the parcels that it will bring.
type upInstall struct {
	job   *install
	found found
}

// resolve finds the exact parcels of every step before the first is carried out, and asks for the licences of those
// that are not here: nobody is asked again in the middle.
func (u *up) resolve(steps []remedy.Step) (map[int]upInstall, error) {
	out, under := map[int]upInstall{}, []string{}
	for n, s := range steps {
		if s.Does.Kind != remedy.DoInstall {
			continue
		}
		j, err := u.job(s)
		if err != nil {
			return nil, err
		}
		f, err := j.plan()
		if err == nil && f.source == nil {
			err = nothingFound{j.request, f}
		}
		var missing []resolve.Parcel
		if err == nil {
			missing, err = j.meet(f)
		}
		if err != nil {
			return nil, u.stopped(s, j, err)
		}
		out[n], under = upInstall{j, f}, append(under, licensesOf(missing)...)
	}
	slices.Sort(under)
	return out, u.consent(slices.Compact(under))
}

// consent turns what keeps it from being recorded into a finding.
func (u *up) consent(names []string) error {
	err := consent(u.cmd, u.depot, u.flags.consentFlags, names, filepath.Join(u.depot.Home, depot.Toolkits, "…", "licenses"))
	var wrong usageError
	if err == nil || errors.As(err, &wrong) {
		return err
	}
	return u.stopped(remedy.Step{ID: "licence", Title: "record that the licence was accepted"}, &install{cmd: u.cmd, ctx: u.ctx, depot: u.depot}, err)
}

// job is a call of toolkit install for one step.
func (u *up) job(s remedy.Step) (*install, error) {
	release, err := version.ParseRelease(s.Does.Release)
	if err != nil {
		return nil, err
	}
	f := installFlags{sourceFlags: u.flags.sourceFlags, consentFlags: u.flags.consentFlags, with: s.Does.With}
	f.from = cmp.Or(s.Does.Source, f.from)
	if f.from != "redist" {
		f.mirror = ""
	}
	j := &install{cmd: u.cmd, ctx: u.ctx, flags: f, depot: u.depot, project: u.judged.workspace}
	j.request.Release, j.request.Platform, j.request.With = u.exact(release), platformHere(), s.Does.With
	j.answer.PassedBy, j.answer.Parcels, j.answer.Proof = []render.ToolkitSource{}, []render.Parcel{}, []string{}
	return j, nil
}

// install brings a toolkit or more of one.
func (u *up) install(s remedy.Step, in upInstall) error {
	begin := time.Now()
	j, f := in.job, in.found
	report, end := showProgress(u.cmd.ErrOrStderr())
	defer end()
	i := toolkit.Installer{Depot: u.depot, Cupel: Version, Here: platformHere(), Compiler: cmp.Or(u.compiler, j.proofCompiler(f.plan)), Report: report}
	out, err := i.Install(u.ctx, f.source, f.plan)
	end()
	if err == nil {
		j.installed(out)
		err = j.lockedAfter(f.plan)
	}
	if err != nil {
		return u.stopped(s, j, err)
	}
	u.toolkit = out.Installed.Root()
	what := fmt.Sprintf("CUDA %s from %s in %s", f.plan.Release, f.plan.Source, u.toolkit)
	if len(out.Added) > 0 {
		what += fmt.Sprintf(" (%s fetched, %s on disk)", render.Bytes(out.Fetched), render.Bytes(out.Unpacked))
	}
	u.did(s, what, u.toolkit, out.Already, out.Proof, begin)
	return nil
}

// hostCompiler brings a gcc.
func (u *up) hostCompiler(s remedy.Step) error {
	begin := time.Now()
	report, end := showProgress(u.cmd.ErrOrStderr())
	defer end()
	i := hostcompiler.Installer{Depot: u.depot, Cupel: Version, Here: platformHere(), Report: report}
	plan, err := i.Plan(u.ctx, hostcompiler.Want{Majors: []int{s.Does.Major}, For: "CUDA " + u.answer.Plan.Plans[0].Toolkit})
	var out hostcompiler.Outcome
	if err == nil {
		out, err = i.Install(u.ctx, plan)
	}
	end()
	if err != nil {
		return u.stopped(s, nil, err)
	}
	u.compiler = out.Command
	u.did(s, fmt.Sprintf("gcc %s from %s in %s", out.Version, plan.Source, out.Command), out.Installed.Dir, out.Already, out.Proof, begin)
	return nil
}

// libclang brings the library that bindgen loads.
func (u *up) libclang(s remedy.Step) error {
	begin := time.Now()
	report, end := showProgress(u.cmd.ErrOrStderr())
	defer end()
	i := hostcompiler.Installer{Depot: u.depot, Cupel: Version, Here: platformHere(), Report: report}
	plan, err := i.PlanClang(u.ctx, s.Does.Major)
	var out hostcompiler.Outcome
	if err == nil {
		out, err = i.InstallClang(u.ctx, plan)
	}
	end()
	if err != nil {
		return u.stopped(s, nil, err)
	}
	u.did(s, fmt.Sprintf("libclang %s from %s in %s", out.Version, plan.Source, out.Command), out.Installed.Dir, out.Already, out.Proof, begin)
	return nil
}

// use remembers the toolkit that the plan ends with; one that was installed a moment ago is that one already.
func (u *up) use(s remedy.Step) error {
	u.toolkit = cmp.Or(u.toolkit, s.Does.Toolkit)
	return nil
}

func (u *up) did(s remedy.Step, what, root string, already bool, proof []string, begin time.Time) {
	if already {
		what += ": it was there already"
	}
	u.answer.Done = append(u.answer.Done, render.UpStep{ID: s.ID, What: what, Root: root, Already: already, Proof: proof, Seconds: time.Since(begin).Round(100 * time.Millisecond).Seconds()})
}

// stopped tells why a step could not be carried out; j is nil where it was no install of a toolkit.
func (u *up) stopped(s remedy.Step, j *install, err error) error {
	if u.cmd.Context().Err() != nil {
		return errInterrupted
	}
	f := finding.Finding{ID: s.ID + "-stopped", Severity: finding.Error, What: s.Title + ": that could not be done", Why: err.Error()}
	code := codeError(exitFindings)
	if j != nil {
		if told, known := installFinding(j, err); known {
			f = told
		} else {
			code = exitUnable
		}
	} else if j = (&install{cmd: u.cmd}); !cannotBring(err, &f) {
		_ = tooFull(j, err, &f) || held(j, err, &f) || noRight(j, err, &f)
	}
	var late errTimeout // a connection that could not be made in time is another matter, and says so itself
	if errors.As(context.Cause(u.ctx), &late) {
		f.Why = late.Error()
	}
	return stoppedStep{verify.Check{Finding: f, Status: verify.Fail}, code, err}
}
