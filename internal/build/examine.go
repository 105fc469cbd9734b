package build

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"cupel/internal/cache"
)

// How many calls of eachIn are worth a worker.
const (
	shortWork = 16 // a look at a file
	longWork  = 1
)

// eachIn calls f for 0 … n-1, side by side where that pays.
func eachIn(n, worth int, f func(i int)) {
	var next atomic.Int64
	work := func() {
		for {
			to := int(next.Add(int64(worth)))
			for i := to - worth; i < min(to, n); i++ {
				f(i)
			}
			if to >= n {
				return
			}
		}
	}
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 1+(n-1)/worth) - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
}

// examine looks what is up to date and what the store has. Compilations first: whether a link is needed follows.
func (m *maker) examine(ctx context.Context) {
	var compiles []*task
	for _, t := range m.tasks {
		if !t.links() {
			compiles = append(compiles, t)
		}
	}
	eachIn(len(compiles), shortWork, func(i int) {
		if ctx.Err() == nil {
			m.look(compiles[i])
			if compiles[i].step.How != ToBuild {
				m.tell("examined", compiles[i], "")
			}
		}
	})
	for _, t := range m.tasks {
		if t.links() && ctx.Err() == nil {
			m.lookLink(t)
			if t.step.How != ToBuild {
				m.tell("examined", t, "")
			}
		}
	}
}

// look decides about one compilation.
func (m *maker) look(t *task) {
	t.step.How = ToBuild
	t.q, t.refused = m.cache.Ask(cache.Call{Nvcc: t.call.Argv[0], Args: t.call.Argv[1:], Dir: m.job.Root})
	if t.refused != nil {
		t.step.Why, t.step.Uncached = eachTime, t.refused.Error()
		return
	}
	t.key = t.q.Key
	fresh, why := m.fresh(t)
	if fresh {
		t.step.How = UpToDate
		return
	}
	t.step.Why = why
	if last := m.anew[t.call.Out]; why == "" && last != "" {
		t.step.Why = "its last result could not be remembered"
		t.step.Uncached = last // until it is known how it is now
	}
	if m.opt.NoCache {
		return
	}
	found, miss := t.q.Find(true)
	if t.miss = miss.Reason; found == nil {
		if t.step.Why == "" {
			t.step.Why = inWords(miss)
		}
		return
	}
	if m.opt.DryRun {
		t.step.How, t.step.Uncached, t.would = Cached, "", found.Result.Main()
		return
	}
	m.unlink(t)
	if err := t.q.Place(found.Result); err != nil {
		t.step.Why, t.miss = err.Error(), "lost"
		return
	}
	t.step.Uncached = ""
	t.step.How, t.step.Said, t.step.Saved = Cached, m.said(t, string(found.Result.Stdout)+string(found.Result.Stderr)), found.Result.Seconds
	t.took = t.step.Saved
	t.closure, t.shared = found.Closure, found.Shared
	m.keepOutputs(t)
	m.opt.Store.Count("hit")
}

// eachTime is why a step runs whose result cannot be remembered; Uncached says why that is so.
const eachTime = "it is compiled each time"

// passing: the reason belongs to the moment and not to the source.
func passing(reason string) bool {
	switch reason {
	case "vanished", "changed-meanwhile", "unreadable", "same-call-running":
		return true
	}
	return false
}

func inWords(m cache.Miss) string {
	switch m.Reason {
	case "new":
		return "it was never built like this"
	case "changed":
		return filepath.ToSlash(m.Detail) + " changed"
	case "appeared":
		return filepath.ToSlash(m.Detail) + " came, which would be included"
	}
	return m.String()
}

// fresh: the last build made it from the same files with the same call, and its outputs are what they were.
func (m *maker) fresh(t *task) (bool, string) {
	last := m.last[t.call.Out]
	if last == nil {
		return false, ""
	}
	if last.Key != t.key && !slices.Equal(last.Call.Argv, t.call.Argv) {
		return false, m.difference(t, last)
	}
	for _, i := range last.Files {
		if !m.same[i] {
			if !m.rows[i].Stamp.Exists() {
				return false, filepath.ToSlash(m.old.Files[i].Path) + " went"
			}
			return false, filepath.ToSlash(m.old.Files[i].Path) + " changed"
		}
	}
	if last.Key != t.key {
		return false, m.difference(t, last)
	}
	was := m.old.closureOf(*last)
	for i, at := range last.Files {
		was.Files[i].Known = m.rows[at]
	}
	now, miss := m.cache.Still(m.job.Root, was)
	if miss != (cache.Miss{}) {
		return false, inWords(miss)
	}
	if out := m.changedOutput(last); out != "" {
		return false, filepath.ToSlash(out) + " is missing or was changed"
	}
	t.closure, t.step.Said, t.step.Peak, t.took = now, last.Said, last.Peak, last.Seconds
	m.keepOutputs(t)
	return true, ""
}

// changedOutput is the first output that is not what the last build made.
func (m *maker) changedOutput(last *made) string {
	for _, at := range last.Outputs {
		o := m.old.Outputs[at]
		m.cache.Files.Learn(o.Path, o.Known)
		if k, err := m.cache.Files.Known(o.Path); err != nil || !k.Stamp.Exists() || k.Digest != o.Known.Digest {
			return o.Path
		}
	}
	return ""
}

// keepOutputs notes what lies in the place of the outputs now.
func (m *maker) keepOutputs(t *task) {
	t.outputs = nil
	paths := []string{m.place(t.call.Out)}
	if t.q != nil {
		paths = paths[:0]
		for _, o := range t.q.Recipe.Outputs {
			paths = append(paths, m.place(o.Path))
		}
	}
	for _, p := range paths {
		if k, err := m.cache.Files.Known(p); err == nil {
			t.outputs = append(t.outputs, row{Path: p, Known: k})
		}
	}
}

// difference says what is other in a call than the last time.
func (m *maker) difference(t *task, last *made) string {
	old, now := last.Call.Argv, t.call.Argv
	if old[0] != now[0] {
		return "another nvcc: " + filepath.ToSlash(now[0])
	}
	head := 1
	for head < min(len(old), len(now)) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(now))-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	if head > 1 && strings.HasPrefix(now[head-1], "-") && !strings.Contains(now[head-1], "=") {
		head-- // its value is other
	}
	went, came := strings.Join(old[head:len(old)-tail], " "), strings.Join(now[head:len(now)-tail], " ")
	switch {
	case went == "" && came != "":
		return came + " is new"
	case went != "" && came == "":
		return went + " went"
	case went != came:
		return went + " became " + came
	}
	return "the toolkit, the host compiler or the environment changed"
}
