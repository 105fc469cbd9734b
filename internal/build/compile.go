package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"cupel/internal/cache"
	"cupel/internal/child"
	"cupel/internal/closure"
)

// errFailed marks a step that failed; what it said is in the result.
var errFailed = errors.New("it failed")

// compile makes one call, and keeps its result.
func (m *maker) compile(ctx context.Context, t *task, threads int) error {
	args := t.call.Argv[1:]
	if t.refused == nil {
		t.step.Uncached = "" // that of the last build
	}
	var more []string
	if threads > 1 {
		more = []string{"--threads", strconv.Itoa(threads)}
	}
	var work *cache.Work
	if t.q != nil {
		var err error
		if work, err = t.q.Begin(); err != nil {
			m.unkept(err)
			work, err = t.q.BeginIn(filepath.Join(m.out, roomless)) // what it read is known then, and it is up to date the next time
		}
		if err == nil {
			args = work.Args
			defer work.End()
		}
	}
	got, err := m.call(ctx, t, slices.Concat(more, args), work)
	if work != nil && ctx.Err() == nil && (work.Gone() || errors.Is(err, errFailed) && (work.Full() || work.Hindered([]byte(got.Stdout)))) {
		got, err = m.without(ctx, t, more, work)
		work = nil
	}
	if err != nil {
		t.read = work.Entered()
		return err
	}
	m.remember(t, work, got)
	if err = m.finish(t, work); errors.Is(err, cache.ErrGone) {
		_, err = m.without(ctx, t, more, work)
		t.closure, t.step.Uncached = closure.Closure{}, "no-room"
	}
	if err != nil {
		return err
	}
	m.keepOutputs(t)
	t.step.How = Built
	return nil
}

// without makes a call again: without us nvcc puts its files where it always does, and a store that is full, or that went, must
// not fail a build.
func (m *maker) without(ctx context.Context, t *task, more []string, work *cache.Work) (child.Result, error) {
	m.unkept(fmt.Errorf("nvcc's files cannot be written in %s: the disk is full, or the folder went", filepath.Dir(work.Dir)))
	work.End()
	return m.call(ctx, t, slices.Concat(more, t.call.Argv[1:]), nil)
}

// wrote is the file that a call writes.
func (m *maker) wrote(t *task, work *cache.Work) string {
	if work == nil {
		return m.place(t.call.Out)
	}
	return work.Output()
}

// call runs the compiler. What it said is kept, also where it failed; then nothing of its output stays.
func (m *maker) call(ctx context.Context, t *task, args []string, work *cache.Work) (child.Result, error) {
	m.clear(t)
	env, remove := m.environ(work)
	got, err := child.Run(ctx, child.Command{Path: t.call.Argv[0], Args: args, Dir: m.job.Root, Env: env, Merged: true})
	remove()
	m.forget(t)
	if ctx.Err() != nil {
		m.clear(t) // half of a file would be taken for a whole one
		return got, context.Cause(ctx)
	}
	t.step.Said, t.step.Peak, t.code, t.worked = got.Stdout, got.Peak, got.Code, got.Computed
	var failed child.Failed
	if err != nil && !errors.As(err, &failed) {
		t.step.Said += err.Error() + "\n"
	}
	if _, missing := os.Stat(m.wrote(t, work)); err == nil && missing != nil {
		t.step.Said += "it ended with code 0 and left no " + t.call.Out + "\n"
		err = missing
	}
	if err != nil {
		m.clear(t)
		t.step.How = Failed
		return got, errFailed
	}
	t.step.Said = m.said(t, t.step.Said)
	return got, nil
}

// environ lets nvcc put its other files into a folder that goes with the call: it leaves some when it fails or is killed.
func (m *maker) environ(work *cache.Work) (env []string, remove func()) {
	remove = func() {}
	if m.job.Tools.Platform.Windows() { // nvcc.exe does not heed it, and others do
		return m.job.Tools.Env, remove
	}
	dir := ""
	if work != nil {
		dir = work.Dir
	} else {
		own, err := os.MkdirTemp(m.place(cmp.Or(cache.Variable(m.job.Tools.Env, "TMPDIR"), "/tmp")), "cupel-")
		if err != nil { // nvcc has its own words for that
			return m.job.Tools.Env, remove
		}
		dir, remove = own, func() { _ = os.RemoveAll(own) }
	}
	return append(slices.Clone(m.job.Tools.Env), "TMPDIR="+dir), remove
}

// finish puts what the compiler wrote aside in its place.
func (m *maker) finish(t *task, work *cache.Work) error {
	if work == nil {
		return nil
	}
	err := work.Finish()
	if errors.Is(err, cache.ErrGone) {
		return err
	}
	if err != nil {
		t.step.Said += err.Error() + "\n"
		t.step.How, t.code = Failed, 1
		return errFailed
	}
	return nil
}

// clear takes outputs away: a call that fails must not leave an older one behind, an archiver would add to it, and what
// is linked with the store must not be written.
func (m *maker) clear(t *task) {
	for _, p := range m.outputsOf(t) {
		_ = os.Remove(p)
	}
	m.forget(t)
}

// unlink takes links in the place of outputs away: what they lead to is not this step's to write.
func (m *maker) unlink(t *task) {
	for _, p := range m.outputsOf(t) {
		if isLink(p) {
			_ = os.Remove(p)
		}
	}
}

func (m *maker) forget(t *task) {
	for _, p := range m.outputsOf(t) {
		m.cache.Files.Forget(p)
	}
}

func (m *maker) outputsOf(t *task) []string {
	if t.q == nil {
		return []string{m.place(t.call.Out)}
	}
	var out []string
	for _, o := range t.q.Recipe.Outputs {
		out = append(out, m.place(o.Path))
	}
	return out
}

// remember finds out what the call read, and puts the result into the store.
func (m *maker) remember(t *task, work *cache.Work, got child.Result) {
	if t.refused != nil {
		m.opt.Store.Count("refused " + t.refused.Reason)
		return
	}
	if work == nil {
		t.step.Uncached = "no-room"
		return
	}
	c, refused, err := work.Closure()
	switch {
	case err != nil:
		t.step.Uncached = "unreadable: " + err.Error()
	case refused != nil:
		t.refused, t.step.Uncached = refused, refused.Error()
		t.read = work.Entered()
		if !passing(refused.Reason) {
			t.step.Why = eachTime
		}
		m.opt.Store.Count("refused " + refused.Reason)
	default:
		t.closure = c
		m.store(t, work, got)
	}
}

func (m *maker) store(t *task, work *cache.Work, got child.Result) {
	if m.opt.NoCache {
		return
	}
	m.opt.Store.Count("miss " + t.miss)
	// The names of files come on stdout. A caller who keeps the streams apart can be told these again, not more.
	merged := t.step.Said != "" || got.Stdout == ""
	r := cache.Result{Stdout: []byte(got.Stdout), Merged: merged, Seconds: since(work), Peak: got.Peak}
	if _, err := work.Save(t.closure, r); err != nil {
		m.opt.Store.Count("unsaved")
		m.unkept(err)
	}
}
