package build

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/stamp"
)

// kindState is the kind of the store's copies of states.
const kindState = "state"

func stateKey(out, root string, request digest.Digest) digest.Digest {
	h := digest.NewHash()
	h.Field(stateHead, out, root, request.String())
	return h.Sum()
}

// keep puts a copy into the store: who deletes a folder of outputs deletes the state with it.
func (s *state) keep(store cas.Store, out string) {
	if s.Whole && len(s.Steps) > 0 {
		_ = store.SetNote(kindState, stateKey(out, s.Root, s.Request), s.append(nil)) // without it the next build plans
	}
}

func storedState(store cas.Store, out, root string, request digest.Digest) *state {
	note, err := store.Note(kindState, stateKey(out, root, request))
	if err != nil {
		return nil
	}
	s, err := takeState(textOf(note))
	if err != nil {
		return nil
	}
	return s
}

// restored places the outputs that are gone, when all else holds. It has the folder of outputs for itself then, and so looks
// at it again. On any trouble it is as if it had not been tried: what was placed is right, and the build that is planned then
// sees so.
func (c *check) restored() (Result, bool) {
	if c.s.steps() != nil || !c.holds() {
		return Result{}, false
	}
	release, err := c.asked.Alone()
	if err != nil {
		return Result{}, false
	}
	defer release()
	if !c.still() {
		return Result{}, false
	}
	c.collect() // placing leaves garbage for every file
	after := *c.s
	after.Outputs = slices.Clone(c.s.Outputs)
	for _, at := range c.missing {
		after.Outputs[at].Known = stamp.Known{Digest: after.Outputs[at].Known.Digest} // the next build reads it, as all that is young
	}
	if !c.place(&after) {
		return Result{}, false
	}
	return c.told(), true
}

// still: what was read before the folder was locked is so, or what is there now holds.
func (c *check) still() bool {
	now, err := stamp.Of(filepath.Join(c.asked.Out, stateFile))
	if err == nil && now == c.stamped {
		return c.look()
	}
	return c.read() && c.s.steps() == nil && c.holds()
}

// place fills the folder of outputs: the state that holds afterwards, and the missing files, the largest first.
func (c *check) place(after *state) bool {
	s := c.s
	modes, dirs := make([]fs.FileMode, len(s.Outputs)), map[string]bool{}
	for i := range s.Steps {
		for _, at := range s.Steps[i].Outputs {
			modes[at] = modeOf(s.Steps[i].Call.Kind)
		}
	}
	for _, at := range c.missing {
		rel, err := filepath.Rel(c.asked.Out, s.Outputs[at].Path)
		if err != nil || !filepath.IsLocal(rel) || leads(c.asked.Out, rel) {
			return false // a copy from a store that others write to must not name files elsewhere
		}
		if dir := filepath.Dir(s.Outputs[at].Path); !dirs[dir] {
			dirs[dir] = true
			if os.MkdirAll(dir, 0o755) != nil {
				return false
			}
		}
	}
	bySize := slices.SortedFunc(slices.Values(c.missing), func(a, b uint32) int {
		return cmp.Compare(s.Outputs[b].Known.Stamp.Size, s.Outputs[a].Known.Stamp.Size)
	})
	c.each(1+len(bySize), longWork, func(i int) bool {
		if i == 0 {
			_ = after.write(c.asked.Out) // without it the next build plans
			return true
		}
		at := bySize[i-1]
		o := &s.Outputs[at]
		_, err := os.Lstat(o.Path)
		if err == nil {
			return false // a link to nothing
		}
		if c.asked.Store.PlaceBySum(o.Known.Digest, s.Sums[at], o.Path, modes[at]) != nil {
			return false
		}
		o.Known.Stamp, err = stamp.Of(o.Path)
		return err == nil && o.Known.Stamp.Exists()
	})
	return !c.bad.Load()
}

// leads: a file, or a folder on the way to it, is a link, and may lead out.
func leads(out, rel string) bool {
	for dir := rel; dir != "."; dir = filepath.Dir(dir) {
		if isLink(filepath.Join(out, dir)) {
			return true
		}
	}
	return false
}

// modeOf is how compilers and linkers leave a file.
func modeOf(kind string) fs.FileMode {
	if kind == "shared" {
		return 0o777
	}
	return 0o666
}

// told is the result, with every step.
func (c *check) told() Result {
	s, a := c.s, c.asked
	gone := map[uint32]bool{}
	for _, at := range c.missing {
		gone[at] = true
	}
	r := Result{Outputs: []Output{}, Notes: s.Notes, Release: s.Release, Toolkit: s.Toolkit}
	s.tell(&r, func(m *made) string {
		for _, at := range m.Outputs {
			if gone[at] {
				return Cached
			}
		}
		return UpToDate
	})
	if a.Details {
		r.Inputs = s.inputs(a.Root)
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		if step.How == Cached {
			r.Hits++
			if !c.copied {
				step.Why = filepath.ToSlash(step.Out) + " is missing"
			}
		} else {
			r.Fresh++
		}
		if a.Tell != nil {
			a.Tell(Event{State: "examined", Step: *step, Done: i + 1, Total: len(r.Steps), Fresh: r.Fresh, Hits: r.Hits})
		}
	}
	a.Store.Count(slices.Repeat([]string{"hit"}, r.Hits)...)
	r.Seconds = time.Since(c.now).Seconds()
	return r
}
