package build

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"cupel/internal/cache"
	"cupel/internal/digest"
	"cupel/internal/stamp"
)

// Unchanged is the result of the last build, when nothing that it was planned or made from changed since, and its outputs
// lie there as it left them. Nothing is planned and no process is started for that. machine is asked only when all else
// holds. details: steps, outputs and inputs are wanted, not only how many.
func Unchanged(root, out string, request digest.Digest, machine func() digest.Digest, details bool) (Result, bool) {
	began := time.Now()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a state is small; collecting takes longer than reading it
	s := readState(out)
	if s == nil || !s.Whole || s.Root != root || s.Request != request || s.Count == 0 {
		return Result{}, false
	}
	c := check{s: s, root: root, now: began}
	if !c.holds() || machine() != s.Machine {
		return Result{}, false
	}
	if c.settled.Load() && s.steps() == nil {
		_ = s.write(out) // what was read again need not be the next time
	}
	r := Result{Outputs: []Output{}, Notes: s.Notes, Fresh: s.Count, Release: s.Release, Seconds: time.Since(began).Seconds()}
	if !details {
		return r, true
	}
	if s.later != "" && s.steps() != nil {
		return Result{}, false
	}
	s.tell(root, &r)
	return r, true
}

// check looks at everything a state names, side by side.
type check struct {
	s       *state
	root    string
	now     time.Time
	bad     atomic.Bool
	settled atomic.Bool // a file that was not settled is so now
}

func (c *check) holds() bool {
	s := c.s
	c.each(len(s.Watched), func(i int) bool {
		w := &s.Watched[i]
		now, err := stamp.Of(w.Path)
		return err == nil && (w.Kind && now.Dir || now == w.Stamp && w.Settled)
	})
	c.each(len(s.Files), func(i int) bool { return c.file(cache.Whole(c.root, s.Files[i].Path), &s.Files[i]) })
	c.each(len(s.Absent), func(i int) bool { return c.absent(&s.Absent[i]) })
	c.each(len(s.Outputs), func(i int) bool { return c.file(s.Outputs[i].Path, &s.Outputs[i]) })
	return !c.bad.Load()
}

func (c *check) each(n int, same func(i int) bool) {
	if c.bad.Load() {
		return
	}
	eachIn(n, func(i int) {
		if !c.bad.Load() && !same(i) {
			c.bad.Store(true)
		}
	})
}

// file: it is the same. One that was too young to tell by its stamp is read.
func (c *check) file(path string, r *row) bool {
	now, err := stamp.Of(path)
	if err != nil || now != r.Known.Stamp {
		return false
	}
	if r.Known.Settled {
		return true
	}
	k, err := stamp.New().Known(path)
	if err != nil || k.Digest != r.Known.Digest {
		return false
	}
	if k.Settled {
		r.Known = k
		c.settled.Store(true)
	}
	return true
}

// absent: none of the names came.
func (c *check) absent(a *absent) bool {
	dir := cache.Whole(c.root, a.Dir)
	now, err := stamp.Of(dir)
	if err != nil {
		return false
	}
	if now == a.Stamp && a.Settled {
		return true
	}
	for _, name := range a.Names {
		if _, err := os.Lstat(dir + string(filepath.Separator) + name); err == nil || !os.IsNotExist(err) {
			return false
		}
	}
	if now.Settled(c.now) {
		a.Stamp, a.Settled = now, true
		c.settled.Store(true)
	}
	return true
}

// tell adds the steps of a build in which everything was up to date.
func (s *state) tell(root string, r *Result) {
	for i := range s.Steps {
		m := &s.Steps[i]
		c := m.Call
		r.Planned = append(r.Planned, c)
		r.Steps = append(r.Steps, Step{Kernel: c.Kernel, Kind: c.Kind, Source: c.Source, Out: c.Out, Archs: c.Archs, How: UpToDate, Said: m.Said, Argv: c.Argv, Optional: c.Optional, Peak: m.Peak})
		if c.Asked && len(m.Outputs) > 0 {
			o := s.Outputs[m.Outputs[0]]
			r.Outputs = append(r.Outputs, Output{Kernel: c.Kernel, Kind: c.Kind, Path: o.Path, Size: o.Known.Stamp.Size})
		}
	}
	r.Inputs = s.inputs(root)
}
