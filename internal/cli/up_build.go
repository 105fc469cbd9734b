package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"cupel/internal/build"
	"cupel/internal/cas"
	"cupel/internal/choice"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/remedy"
	"cupel/internal/verify"
)

// chosen is the toolkit that builds: that of the plan, else the machine's choice.
func (u *up) chosen() choice.Pick {
	opt := u.judged.input.Choice
	if u.toolkit != "" {
		opt.Flag = u.toolkit
	}
	_, pick := choice.Toolkit(u.judged.machine, opt)
	return pick
}

// environment is that of the toolkit, which the build gets and this shell need not have.
func (u *up) environment(t fact.Toolkit) environ.Set {
	req := u.judged.contract.For(u.judged.input.Platform)
	return environ.For(u.judged.machine, t, environ.Options{Compiler: u.judged.compiler, Contract: &req, Root: u.judged.root})
}

// verified judges the machine with the toolkit and compiler that build.
func (u *up) verified() verify.Answer { return verify.Judge(u.building(u.judged.input)) }

func (u *up) building(in verify.Input) verify.Input {
	pick := u.chosen()
	if pick.Toolkit == nil {
		return in
	}
	in.Choice.Flag = pick.Toolkit.Root
	if c := u.hostCompilerFor(*pick.Toolkit); in.Host == "" && c != nil {
		in.Host = c.Command
	}
	return in
}

// failing are the checks that keep the kernels from being built, and the others that fail. What the environment of the
// toolkit settles is not among them: the build gets it. What that environment alone would bring is not either: where its
// variables lead was not looked at.
func (u *up) failing() (inTheWay, unmet []string) {
	for _, c := range u.staying() {
		list := &unmet
		if remedy.ForBuilding(c) {
			list = &inTheWay
		}
		if !slices.Contains(*list, c.ID) {
			*list = append(*list, c.ID)
		}
	}
	return inTheWay, unmet
}

// staying are the checks that fail in this shell and in the environment of the toolkit.
func (u *up) staying() []verify.Check {
	now := remedy.Unmet(u.verified())
	pick := u.chosen()
	if pick.Toolkit == nil {
		return now
	}
	in := u.building(u.judged.input)
	in.Machine.Env = maps.Clone(in.Machine.Env)
	for _, v := range u.environment(*pick.Toolkit).Vars {
		if v.Kind == environ.Assign {
			in.Machine.Env[v.Name] = v.Value
		}
	}
	then := remedy.Unmet(verify.Judge(in))
	return slices.DeleteFunc(now, func(c verify.Check) bool {
		stays := slices.ContainsFunc(then, func(o verify.Check) bool { return o.ID == c.ID && o.Subject == c.Subject })
		return !stays || c.ID == "toolkit-active"
	})
}

// hostCompilerFor is the compiler that nvcc must be told; nil: it takes a fitting one by itself.
func (u *up) hostCompilerFor(t fact.Toolkit) *fact.Compiler {
	return compilerOf(u.judged.machine, t, u.judged.compiler)
}

// buildIt looks at the machine as it is now, verifies it, and builds.
func (u *up) buildIt() error {
	if len(u.answer.Done) > 0 {
		before := u.judged
		var err error
		if u.judged, err = gatherContract(u.cmd, u.flags.contractFlags); err != nil {
			return err
		}
		u.judged.compiler = before.compiler
		u.obeyLock()
	}
	u.answer.Findings = u.verified().Findings
	inTheWay, unmet := u.failing()
	u.answer.InTheWay, u.answer.Unmet = append(u.answer.InTheWay, inTheWay...), append(u.answer.Unmet, unmet...)
	pick := u.chosen()
	if pick.Toolkit == nil {
		return nil
	}
	u.answer.Toolkit = choice.Name(*pick.Toolkit) + " in " + pick.Toolkit.Root
	if err := u.remember(*pick.Toolkit); err != nil {
		return err
	}
	if len(inTheWay) > 0 || u.flags.noBuild {
		u.answer.Passed = len(inTheWay) == 0
		return nil
	}
	if err := u.asLocked(*pick.Toolkit); err != nil {
		return err
	}
	r, err := u.kernels(*pick.Toolkit)
	if err != nil {
		return err
	}
	u.answer.Build = &r
	u.answer.Passed = r.OK()
	return nil
}

// kernels builds those of the contract.
func (u *up) kernels(t fact.Toolkit) (build.Result, error) {
	out, err := u.outDir()
	if err != nil {
		return build.Result{}, err
	}
	release, err := u.alone(out)
	if err != nil {
		return build.Result{}, err
	}
	defer release()
	req := u.judged.contract.For(u.judged.input.Platform)
	store, ok := cas.Here()
	if wrong := limitIgnored(); wrong != "" && ok {
		u.say("%s", wrong)
	}
	view := newBuildView(u.cmd.ErrOrStderr(), viewOptions{root: u.judged.root})
	defer view.end()
	j := build.Job{Root: u.judged.root, Out: out, Requirements: req, Sources: u.judged.project.Kernels, Targets: environ.Archs(u.judged.machine, t, req), Tools: u.tools(t)}
	notes := slices.Concat(families(look.New(host.Here()), u.judged.machine, &j), stoodIn(&j, u.judged.machine))
	o := build.Options{Store: store, NoCache: !ok && store.Dir != "", KeepGoing: true, Tell: view.take, Plan: build.Plan{Notes: notes}}
	defer tokens(&o, u.say)()
	r, err := build.Run(u.ctx, j, o)
	view.end()
	if noPlan(err) {
		return r, usageError{err}
	}
	if err != nil && u.cmd.Context().Err() == nil {
		err = fmt.Errorf("build the kernels: %w", err)
	}
	return r, err
}

// alone makes two builds of the same files wait for each other: they would delete and link what the other just makes.
func (u *up) alone(out string) (release func(), err error) {
	err = os.MkdirAll(out, 0o755)
	if err == nil {
		err = unwritable(out)
	}
	if err != nil && cannotWrite(err) {
		return nil, u.notBuilt(out, err)
	}
	if err != nil {
		return nil, fmt.Errorf("make room for the kernels: %w", err)
	}
	g := guard{patience: math.MaxInt64, quiet: time.Second, tell: u.say}
	return g.take(u.ctx, filepath.Join(out, "kernel"))
}

func cannotWrite(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// unwritable tries it: rights alone do not tell.
func unwritable(dir string) error {
	f, err := os.CreateTemp(dir, ".try-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// notBuilt: a project that may not be written can be built elsewhere.
func (u *up) notBuilt(out string, err error) error {
	f := finding.Finding{ID: "project-not-writable", Severity: finding.Error, What: "the kernels cannot be written there", Where: out, Why: err.Error(),
		Next: []finding.Step{{Note: "--out names another folder"}}}
	if u.flags.out == "" {
		f.Next = []finding.Step{{Command: again(u.cmd, "") + " --out DIR", Note: "writes them into a folder of your own"}}
	}
	return stoppedStep{verify.Check{Finding: f, Status: verify.Fail}, exitFindings, err}
}

// tools are nvcc, its host compiler and their environment.
func (u *up) tools(t fact.Toolkit) build.Tools {
	tools := toolsOf(u.judged.machine, t, u.judged.compiler, u.environment(t))
	if c := u.hostCompilerFor(t); c != nil && tools.Compiler != "" {
		u.answer.Compiler = fmt.Sprintf("%s %s (%s)", c.Family, c.Version.Value, c.Path)
	}
	return tools
}

// remember keeps the plan's toolkit as the project's choice where another one would be taken by the next command.
func (u *up) remember(t fact.Toolkit) error {
	free := u.judged.input.Choice
	_, pick := choice.Toolkit(u.judged.machine, free)
	u.answer.Use = useCommand(u.judged, t)
	if u.flags.machineFlags.toolkit != "" || pick.Toolkit != nil && pick.Toolkit.Home() == t.Home() {
		return nil
	}
	file, err := chooseToolkit(u.judged.root, u.nameFor(t))
	if err != nil && cannotWrite(err) {
		u.say("this project now needs --toolkit %s in other commands: %v", choice.Release(t), err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("choose %s for the project: %w", choice.Name(t), err)
	}
	u.say("%s now chooses %s for this project; cupel toolkit use --unset takes that back", file, choice.Name(t))
	return nil
}

// nameFor is the release where one toolkit alone has it, else the root.
func (u *up) nameFor(t fact.Toolkit) string {
	release := choice.Release(t)
	for _, o := range u.judged.machine.Toolkits {
		if release.IsZero() || o.Home() != t.Home() && choice.Release(o) == release {
			return t.Root
		}
	}
	return release.String()
}

// useCommand is how a shell gets the environment.
func useCommand(j judged, t fact.Toolkit) string {
	name := wordFor(j.machine, t)
	if j.machine.System.Paths().Windows() {
		return "cupel env --toolkit " + name + " --format powershell | Out-String | Invoke-Expression"
	}
	return fmt.Sprintf(`eval "$(cupel env --toolkit %s)"`, name)
}

// wordFor is how a toolkit is asked for where it is not alone: X.Y, else the name of cupel's folder, else its root.
func wordFor(m fact.Machine, t fact.Toolkit) string {
	short := choice.Release(t).Short()
	alone := !slices.ContainsFunc(m.Toolkits, func(o fact.Toolkit) bool { return o.Home() != t.Home() && choice.Release(o).Short() == short })
	switch {
	case alone && !short.IsZero():
		return short.String()
	case t.Installed != nil:
		return t.Installed.Name
	}
	return `"` + t.Root + `"`
}
