package build

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"cupel/internal/cache"
	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/stamp"
)

// Asked is a build of which may be told without planning it.
type Asked struct {
	Root, Out string
	Request   digest.Digest
	Machine   func() digest.Digest // as it is now
	Details   bool                 // steps, outputs and inputs are wanted, not only how many

	Store cas.Store
	Alone func() (release func(), err error) // keeps other builds of the same outputs waiting; nil: nothing is restored
	Tell  func(Event)                        // of a build that restores; may be nil
}

// Unchanged is the result of a build whose like was made before, when nothing that it was planned or made from changed
// since. Outputs that are gone are restored from the store. Nothing is planned and no process is started for that.
func Unchanged(a Asked) (Result, bool) {
	began := time.Now()
	c := &check{asked: a, now: began, collect: func() {}}
	if now, err := stamp.Of(filepath.Join(a.Out, stateFile)); err == nil && now.Size > largeState {
		usual := debug.SetGCPercent(-1)
		c.collect = func() { debug.SetGCPercent(usual) }
		defer c.collect()
	}
	if !c.read() {
		return Result{}, false
	}
	if len(c.missing) > 0 || c.copied {
		return c.restored()
	}
	s := c.s
	if !c.holds() {
		return Result{}, false
	}
	if c.settled.Load() && s.steps() == nil {
		_ = s.write(a.Out) // what was read again need not be the next time
	}
	r := Result{Outputs: []Output{}, Notes: s.Notes, Fresh: s.Count, Release: s.Release, Toolkit: s.Toolkit}
	if a.Details {
		if s.later != "" && s.steps() != nil {
			return Result{}, false
		}
		s.tell(&r, func(*made) string { return UpToDate })
		r.Inputs = s.inputs(a.Root)
	}
	r.Seconds = time.Since(began).Seconds()
	return r, true
}

// check looks at everything a state names, side by side.
type check struct {
	asked   Asked
	s       *state
	stamped stamp.Stamp // its file, before it was read
	copied  bool        // it is the store's copy
	missing []uint32
	now     time.Time
	collect func() // lets the collector run again
	bad     atomic.Bool
	settled atomic.Bool // a file that was not settled is so now
}

// largeState is one that makes the collector run while it is read, which takes longer than the reading.
const largeState = 1 << 20

// read finds a state that is about what was asked, and looks at its outputs.
func (c *check) read() bool {
	a, err := c.asked, error(nil)
	if c.stamped, err = stamp.Of(filepath.Join(a.Out, stateFile)); err != nil {
		return false
	}
	c.s = readState(a.Out)
	if c.copied = c.s == nil && a.Alone != nil; c.copied {
		c.s = storedState(a.Store, a.Out, a.Root, a.Request)
	}
	s := c.s
	if s == nil || !s.Whole || s.Root != a.Root || s.Request != a.Request || s.Count == 0 {
		return false
	}
	return c.look()
}

// look: the outputs are as they were, or gone.
func (c *check) look() bool {
	s := c.s
	gone := make([]bool, len(s.Outputs))
	c.missing = nil
	c.bad.Store(false)
	c.each(len(s.Outputs), shortWork, func(i int) bool {
		o := &s.Outputs[i]
		if now, err := stamp.Of(o.Path); err == nil && !now.Exists() {
			gone[i] = true
			return true
		}
		return c.file(o.Path, o)
	})
	for i, g := range gone {
		if g {
			c.missing = append(c.missing, uint32(i))
		}
	}
	return !c.bad.Load() && (len(c.missing) == 0 || c.asked.Alone != nil)
}

// holds: what it was planned and made from is as it was.
func (c *check) holds() bool {
	s := c.s
	watched := 1
	way := watched + len(s.Watched)
	files := way + len(s.Way)
	absents := files + len(s.Files)
	sites := absents + len(s.Absent)
	c.each(sites+len(s.Sites), shortWork, func(i int) bool {
		switch {
		case i < watched:
			return c.asked.Machine() == s.Machine
		case i < way:
			w := &s.Watched[i-watched]
			now, err := stamp.Of(w.Path)
			return err == nil && (w.Kind && now.Dir || now == w.Stamp && w.Settled)
		case i < files:
			return onTheWay(s.Way[i-way], c.asked.Out)
		case i < absents:
			f := &s.Files[i-files]
			return c.file(cache.Whole(c.asked.Root, f.Path), f)
		case i < sites:
			return c.absent(&s.Absent[i-absents])
		}
		return s.Sites[i-sites].same()
	})
	return !c.bad.Load()
}

func (c *check) each(n, worth int, same func(i int) bool) {
	eachIn(n, worth, func(i int) {
		if !c.bad.Load() && !same(i) {
			c.bad.Store(true)
		}
	})
}

// file: it is the same. One that was too young to tell by its stamp is read.
func (c *check) file(path string, r *row) bool {
	now, err := stamp.Of(path)
	if err != nil || now != r.Known.Stamp && !r.byDigest() {
		return false
	}
	if r.Known.Settled {
		return true
	}
	k, err := stamp.New().Known(path)
	if err != nil || k.Digest != r.Known.Digest {
		return false
	}
	if k.Settled || r.byDigest() {
		r.Known = k
		c.settled.Store(true)
	}
	return true
}

// onTheWay: the folder holds what it did, beside its part of the way.
func onTheWay(f Folder, out string) bool {
	names, err := cache.Names(f.Path)
	return (err == nil || errors.Is(err, fs.ErrNotExist)) && FolderOn(f.Path, names, out) == f
}

// absent: none of the names came.
func (c *check) absent(a *absent) bool {
	dir := cache.Whole(c.asked.Root, a.Dir)
	now, err := stamp.Of(dir)
	if err != nil {
		return false
	}
	if now == a.Stamp && a.Settled {
		return true
	}
	if cache.Present(dir, a.Names) != "" {
		return false
	}
	if now.Settled(c.now) {
		a.Stamp, a.Settled = now, true
		c.settled.Store(true)
	}
	return true
}

// tell adds the steps of a build in which nothing was made.
func (s *state) tell(r *Result, how func(*made) string) {
	for i := range s.Steps {
		m := &s.Steps[i]
		c := m.Call
		r.Planned = append(r.Planned, c)
		step := Step{Kernel: c.Kernel, Kind: c.Kind, Source: c.Source, Out: c.Out, Archs: c.Archs, How: how(m), Said: m.Said, Argv: c.Argv, Optional: c.Optional, Peak: m.Peak}
		if step.How == Cached {
			step.Saved, step.Peak = m.Seconds, 0
		}
		r.Steps = append(r.Steps, step)
		if c.Asked && len(m.Outputs) > 0 {
			o := s.Outputs[m.Outputs[0]]
			r.Outputs = append(r.Outputs, Output{Kernel: c.Kernel, Kind: c.Kind, Path: o.Path, Size: o.Known.Stamp.Size})
		}
	}
}
