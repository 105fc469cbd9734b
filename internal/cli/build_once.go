package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/build"
	"cupel/internal/cache"
	"cupel/internal/diagnose"
	"cupel/internal/doctor"
	"cupel/internal/emit"
	"cupel/internal/finding"
	"cupel/internal/render"
	"cupel/internal/signature"
	"cupel/internal/trace"
	"cupel/internal/verify"
)

// once builds, and tells how it went.
func (b *building) once() error {
	a, err := b.build()
	if err != nil {
		return err
	}
	if err := b.show(a); err != nil {
		return err
	}
	if !a.Result.OK() {
		return codeError(exitFindings)
	}
	return nil
}

// build makes everything, or sees that there is nothing to make.
func (b *building) build() (render.Build, error) {
	if r, ok := b.unchanged(); ok {
		return b.answer(r), nil
	}
	if b.ctx.Err() != nil {
		return render.Build{}, b.stopped()
	}
	p, err := b.plan()
	if b.ctx.Err() != nil { // what was not looked at any more is not missing
		err = b.stopped()
	}
	if err != nil {
		return render.Build{}, err
	}
	if p.job.Tools.Nvcc == "" {
		return render.Build{}, fmt.Errorf("build: %s has no nvcc (see: cupel doctor)", p.choice.toolkit.Root)
	}
	release, err := b.alone()
	if err != nil && b.ctx.Err() != nil {
		err = b.stopped()
	}
	if err != nil {
		return render.Build{}, err
	}
	defer release()
	r, err := b.run(p)
	if err != nil {
		return render.Build{}, err
	}
	a := b.answer(r)
	if !r.OK() {
		a.Explained = b.explain(r, p)
		for _, e := range a.Explained {
			for _, f := range e.Findings {
				a.Findings = append(a.Findings, f.Finding)
			}
		}
	}
	return a, nil
}

// unchanged is the fast way: nothing changed since the last build, but outputs may be gone.
func (b *building) unchanged() (build.Result, bool) {
	if b.flags.dryRun {
		return build.Result{}, false
	}
	a := build.Asked{Root: b.root, Out: b.out, Request: b.request(), Machine: machineWord, Details: b.details()}
	if !b.flags.noCache && b.store.Dir != "" {
		var view *buildView
		a.Store, a.Alone = b.store, b.alone
		a.Tell = func(e build.Event) {
			if view == nil {
				view = b.view()
			}
			view.take(e)
		}
		defer func() {
			if view != nil {
				view.end()
			}
		}()
	}
	return build.Unchanged(a)
}

// details: somebody wants to know more than how many steps there were.
func (b *building) details() bool {
	f := b.flags
	return b.as != "text" || len(b.emits) > 0 || f.why || f.verbose || f.resources || f.timeline != "" || f.watch
}

func (b *building) run(p planned) (build.Result, error) {
	o := b.options()
	o.Plan = p.plan
	defer tokens(&o, b.say)()
	view := b.view()
	defer view.end()
	o.Tell = view.take
	if !o.NoCache && o.Store.Dir != "" && !o.DryRun {
		go func() {
			cache.New(o.Store, nil).Sweep()
			o.Store.TrimSometimes()
		}()
	}
	r, err := build.Run(b.ctx, p.job, o)
	view.end()
	if b.ctx.Err() != nil {
		return r, b.stopped()
	}
	if noPlan(err) {
		return r, usageError{err}
	}
	return r, err
}

// noPlan: what is asked for cannot be built, whatever cupel does.
func noPlan(err error) bool {
	none := build.NoPlan{}
	return errors.As(err, &none)
}

// stopped is why a build ended early.
func (b *building) stopped() error {
	if err := context.Cause(b.ctx); errors.Is(err, errTimeLimit) {
		return err
	}
	return errInterrupted
}

func (b *building) view() *buildView {
	f := b.flags
	return newBuildView(b.cmd.ErrOrStderr(), viewOptions{root: b.root, verbose: f.verbose, resources: f.resources, quiet: f.quiet || b.as == "json" && !f.verbose})
}

// alone makes two builds of the same outputs wait for each other: they would delete and link what the other just makes.
func (b *building) alone() (release func(), err error) {
	if b.flags.dryRun {
		return func() {}, nil
	}
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		return nil, fmt.Errorf("make room for the kernels: %w (--out names another folder)", err)
	}
	g := guard{patience: math.MaxInt64, quiet: time.Second, tell: b.say}
	return g.take(b.ctx, filepath.Join(b.out, "kernel"))
}

func (b *building) answer(r build.Result) render.Build {
	a := render.Build{Format: "cupel.build/1", Cupel: Version, Findings: []finding.Finding{}, Root: b.root, Out: b.out, Toolkit: r.Toolkit, DryRun: b.flags.dryRun, Notes: []string{}, Result: r, From: filepath.ToSlash(relativeTo(b.out))}
	for _, n := range r.Notes {
		if id, what, ok := build.Warning(n); ok {
			a.Findings = append(a.Findings, finding.Finding{ID: id, Severity: finding.Warning, What: what})
		} else {
			a.Notes = append(a.Notes, n)
		}
	}
	if b.flags.resources {
		for _, s := range r.Steps {
			for _, r := range render.Resources(s.Source, s.Said) {
				if !slices.Contains(a.Resources, r) { // the same code in several outputs
					a.Resources = append(a.Resources, r)
				}
			}
		}
	}
	return a
}

// relativeTo is a folder as seen from the current one; itself where that is no shorter.
func relativeTo(dir string) string {
	here, err := os.Getwd()
	if err != nil {
		return dir
	}
	if rel, err := filepath.Rel(here, dir); err == nil && !strings.HasPrefix(rel, filepath.Join("..", "..")) {
		return rel
	}
	return dir
}

// explain names the cause of each failure, sharpened by what is known of this machine.
func (b *building) explain(r build.Result, p planned) []diagnose.Answer {
	set, err := signature.Compile(slices.Concat(signature.OfProject(p.choice.contract), signature.All()))
	if err != nil {
		return nil
	}
	platform, _ := verify.PlatformOf(p.choice.machine, "")
	m := diagnose.Machine{Answer: doctor.Judge(p.choice.machine, p.choice.project, doctor.Options{
		Version: Version, Choice: p.choice.choices(b.flags.toolkit, p.choice.machine.System, platform), Flags: b.flags.asText(), Contract: p.choice.contract != nil,
	})}
	var out []diagnose.Answer
	for _, c := range r.Failed {
		seen, err := diagnose.Read(strings.NewReader(c.Output), set)
		if err != nil || c.Optional {
			continue
		}
		a := diagnose.Judge(seen, diagnose.Options{Version: Version, Name: saidFor(c), Kind: "output", Machine: &m})
		if len(a.Findings) == 0 {
			a.Findings, a.Log.Failed = []diagnose.Finding{unsaid(c)}, true
		}
		if slices.ContainsFunc(out, func(o diagnose.Answer) bool { return alikeFindings(o, a) }) {
			continue // the same source for another output
		}
		out = append(out, a)
		if len(out) == maxExplained {
			break
		}
	}
	return out
}

// unsaid is a failed call whose words show no failure, or that said nothing.
func unsaid(c build.Call) diagnose.Finding {
	what, why := fmt.Sprintf("a call ended with code %d", c.Code), "its output names no failure"
	switch {
	case c.Code == 0:
		what = "a call ended with code 0 and made no file"
	case c.Code < 0:
		what = "a call did not end by itself"
	}
	switch nothing := strings.TrimSpace(c.Output) == ""; {
	case nothing && c.Code < 0:
		why = "it wrote nothing: a signal ended it, from outside (the system's memory killer, the limit of a container, a person) or of a crash"
	case nothing:
		why = "it wrote nothing before it ended"
	}
	next := []finding.Step{{Note: "cupel build --verbose shows the call: run it by itself"}}
	return diagnose.Finding{Finding: finding.Finding{ID: diagnose.Unknown, Label: diagnose.Unknown, Severity: finding.Error, What: what + ", and cupel does not know the cause", Where: cmp.Or(c.Source, c.Out), Why: why, Next: next}}
}

// saidFor names what is explained: a line of it is no line of the source.
func saidFor(c build.Call) string {
	if c.Source != "" {
		return "the compiler's output for " + c.Source
	}
	return "the linker's output for " + c.Out
}

// alikeFindings: both say the same.
func alikeFindings(a, b diagnose.Answer) bool {
	return slices.EqualFunc(a.Findings, b.Findings, func(x, y diagnose.Finding) bool { return x.ID == y.ID && x.Text == y.Text && x.Where == y.Where })
}

// maxExplained is how many failures are explained: more have the same cause, most times.
const maxExplained = 5

// show writes the answer, and what build systems want to know.
func (b *building) show(a render.Build) error {
	stdout, err := b.record(a.Result)
	if err != nil {
		return err
	}
	return b.print(a, stdout)
}

// record writes what was asked for in files; what is to go to stdout beside it is given back.
func (b *building) record(r build.Result) (stdout []byte, err error) {
	if err := b.timeline(r); err != nil {
		return nil, err
	}
	return b.emitAll(r)
}

func (b *building) print(a render.Build, stdout []byte) error {
	out := b.cmd.OutOrStdout()
	switch {
	case slices.ContainsFunc(b.emits, func(e emission) bool { return e.file == "" }):
		if _, err := out.Write(stdout); err != nil {
			return err
		}
		out = b.cmd.ErrOrStderr() // the build system reads stdout
	case b.as == "json":
		return writeJSON(out, a)
	}
	if b.flags.quiet && a.Result.OK() {
		_, err := out.Write([]byte(styleFor(out).BuildResources(a))) // it was asked for
		return err
	}
	text := styleFor(out).Build(a, render.BuildOptions{Why: b.flags.why, Verbose: b.flags.verbose})
	if b.as == "md" {
		text = render.BuildMarkdown(a)
	}
	_, err := out.Write([]byte(text))
	return err
}

func (b *building) timeline(r build.Result) error {
	if b.flags.timeline == "" || b.flags.dryRun {
		return nil
	}
	var events []trace.Event
	for _, s := range r.Steps {
		if s.Seconds == 0 {
			continue
		}
		events = append(events, trace.Event{Name: s.Out, Category: s.Kind, Start: seconds(s.Start), Duration: seconds(s.Seconds), Args: map[string]string{
			"kernel": s.Kernel, "source": s.Source, "how": s.How, "why": s.Why, "archs": strings.Join(s.Archs, " "), "threads": fmt.Sprint(s.Threads), "peak": fmt.Sprintf("%d MB", s.Peak>>20),
		}})
	}
	if err := writeWhole(b.flags.timeline, trace.Write(events), 0o644); err != nil {
		return fmt.Errorf("write --timeline: %w", err)
	}
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// emitAll writes every --emit; what goes to stdout is given back. A build that failed tells nothing.
func (b *building) emitAll(r build.Result) (stdout []byte, err error) {
	if len(b.emits) == 0 || !r.OK() || b.flags.dryRun {
		return nil, nil
	}
	built := b.built(r)
	for _, e := range b.emits {
		text, err := emit.Write(e.format, built)
		if err != nil {
			return nil, err
		}
		if e.file == "" {
			stdout = text
			continue
		}
		if old, err := os.ReadFile(e.file); err == nil && string(old) == string(text) {
			continue // a new time would make the build system run again
		}
		if err := writeWhole(e.file, text, 0o644); err != nil {
			return nil, fmt.Errorf("emit %s: write %s: %w", e.format, e.file, err)
		}
	}
	return stdout, nil
}
