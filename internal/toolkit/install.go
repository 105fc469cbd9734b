package toolkit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
)

// Install carries a plan out.
func (i Installer) Install(ctx context.Context, src source.Source, plan resolve.Plan) (Outcome, error) {
	out, err := i.install(ctx, src, plan)
	if err != nil {
		return out, fmt.Errorf("install CUDA %s: %w", plan.Release, err)
	}
	return out, nil
}

func (i Installer) install(ctx context.Context, src source.Source, plan resolve.Plan) (Outcome, error) {
	if runtime.GOOS == "windows" && !plan.Platform.Windows() {
		return Outcome{}, errors.New("a root for Linux is full of symbolic links and cannot be made on Windows")
	}
	change, err := i.Depot.Begin(ctx, depot.Toolkits, plan.Name(), i.Report)
	if err != nil {
		return i.given(ctx, plan, err)
	}
	defer change.End()
	if plan.Root != "" {
		return i.register(ctx, change, plan)
	}
	w := &work{Installer: i, src: src, plan: plan, change: change, times: newClock()}
	w.have, w.adopted = have(ctx, change.Old, plan)
	if w.have.all(plan) {
		w.forget() // a run that was killed after its last step left its downloads
		return Outcome{Installed: *change.Old, Already: true, Proof: change.Old.Manifest.Proof}, nil
	}
	if err := w.fill(ctx); err != nil {
		return Outcome{}, err
	}
	return w.commit()
}

// given: a depot that may not be written can still have everything, put there by somebody else.
func (i Installer) given(ctx context.Context, plan resolve.Plan, err error) (Outcome, error) {
	var no depot.NotWritable
	if !errors.As(err, &no) {
		return Outcome{}, err
	}
	all, _ := i.Depot.List(depot.Toolkits)
	for _, old := range all {
		if filepath.Base(old.Dir) != plan.Name() {
			continue
		}
		if s, _ := have(ctx, &old, plan); s.all(plan) || registered(ctx, &old, plan) {
			return Outcome{Installed: old, Already: true, Proof: old.Manifest.Proof}, nil
		}
	}
	return Outcome{}, err
}

// work is one install under way.
type work struct {
	Installer
	src     source.Source
	plan    resolve.Plan
	change  *depot.Change
	have    standing // of what is there already
	adopted bool     // the old folder is the beginning of the new one
	brought []brought
	root    *root
	proof   proof
	times   *clock
}

// fill makes the new folder: what is there already, what is fetched, what is mended; and proves it.
func (w *work) fill(ctx context.Context) error {
	if err := w.start(ctx); err != nil {
		return err
	}
	if err := w.bring(ctx); err != nil {
		return err
	}
	if err := (&root{dir: w.change.Dir}).putBack(mended); err != nil {
		return err
	}
	w.root = &root{dir: w.change.Dir, plan: w.plan, components: w.components()}
	if err := w.finish(); err != nil {
		return fmt.Errorf("finish the root: %w", depot.Full(w.change.Dir, 0, err))
	}
	defer w.times.start(progress.Prove)()
	var err error
	w.proof, err = w.prove(ctx, w.change.Dir, w.change.Dir, w.plan)
	return err
}

func (w *work) finish() error {
	defer w.times.start(progress.Finish)()
	w.Report.Say(progress.Finish, "finishing the root")
	return w.root.finish()
}

// start adopts the old folder, without what was made for it: more components can need it made anew.
func (w *work) start(ctx context.Context) error {
	if !w.adopted {
		w.tellLost()
		return nil
	}
	if err := w.change.Adopt(ctx); err != nil {
		return depot.Full(w.change.Dir, 0, err)
	}
	r := &root{dir: w.change.Dir}
	if err := r.unmake(w.change.Old.Manifest.Made); err != nil {
		return err
	}
	return r.setAside(mended)
}

// tellLost names what the old root had and the new one will not: it is made anew, because it was broken or of other
// versions.
func (w *work) tellLost() {
	if w.change.Old == nil {
		return
	}
	lost := slices.DeleteFunc(slices.Clone(w.change.Old.Manifest.Words), func(word string) bool { return slices.Contains(w.plan.Components, word) })
	if len(lost) > 0 {
		w.Report.Say(progress.Resolve, fmt.Sprintf("the root is made anew without %s, which it had: ask for it again with --with %s", strings.Join(lost, ", "), strings.Join(lost, ",")))
	}
}

func (w *work) commit() (Outcome, error) {
	files, err := stock(w.change.Dir, w.sums())
	if err != nil {
		return Outcome{}, fmt.Errorf("list the files: %w", err)
	}
	m := w.manifest()
	m.Files = files
	for _, f := range files {
		m.Size += f.Size
	}
	installed, err := w.change.Commit(m)
	if err != nil {
		return Outcome{}, depot.Full(w.change.Dir, 0, err)
	}
	out := Outcome{Installed: installed, Times: w.times.all(), Proof: w.proof.lines}
	for _, b := range w.brought {
		out.Added = append(out.Added, b.parcel.Name)
		out.Unpacked += b.unpacked
		if !b.cached {
			out.Fetched += b.size
		}
	}
	w.forget()
	return out, nil
}

// forget removes the downloads of the plan, which are of no more use.
func (w *work) forget() {
	if w.Keep {
		return
	}
	for _, p := range w.plan.Parcels {
		w.Depot.Forget(key(p, w.plan.Platform))
	}
}

func (w *work) manifest() depot.Manifest {
	m := depot.Manifest{
		Cupel: w.Cupel, Release: w.plan.Release, Nvcc: w.proof.nvcc, Source: w.plan.Source, Platform: w.plan.Platform, Installed: time.Now().UTC().Truncate(time.Second),
		Asked: w.plan.Asked, Full: w.plan.Full, Words: w.plan.Components, Components: w.components(), Proof: w.proof.lines, Made: w.root.made,
	}
	if w.adopted {
		old := w.change.Old.Manifest
		m.Asked, m.Words, m.Full = union(old.Asked, m.Asked), union(old.Words, m.Words), old.Full || m.Full
	}
	return m
}

// Remove takes an installed toolkit away; of a registered one only the registration.
func (i Installer) Remove(ctx context.Context, name string) (depot.Installed, error) {
	change, err := i.Depot.Begin(ctx, depot.Toolkits, name, i.Report)
	if err != nil {
		return depot.Installed{}, fmt.Errorf("remove %s: %w", name, err)
	}
	defer change.End()
	if change.Old == nil {
		return depot.Installed{}, change.Remove()
	}
	gone := *change.Old
	return gone, change.Remove()
}
