package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Make makes the mirror, or brings it up to date. program is cupel-nvcc. Several processes may do it at once; a build that
// uses the mirror meanwhile never misses an entry: each is made under another name and moved to its place. Windows cannot
// move onto a folder or a running program, so there an entry that has to change is away for a moment.
func Make(ctx context.Context, p Plan, program string) error {
	if err := makeAll(ctx, p, program); err != nil {
		return fmt.Errorf("make the mirror %s: %w", p.Dir, err)
	}
	return nil
}

// maker works below the mirror's folder alone: a name that a link on the way leads out of it is refused, because behind the
// links lies the real toolkit.
type maker struct {
	Plan
	root *os.Root
}

func makeAll(ctx context.Context, p Plan, program string) (err error) {
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return maker{p, root}.make(ctx, program)
}

func (m maker) make(ctx context.Context, program string) error {
	folders, err := m.folders()
	if err != nil {
		return err
	}
	for _, dir := range folders {
		if err := m.folder(dir); err != nil {
			return err
		}
	}
	m.sweep()
	for _, l := range m.Links {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := m.link(l); err != nil {
			return err
		}
	}
	for at, text := range m.Files {
		if err := m.file(at, text); err != nil {
			return err
		}
	}
	for _, s := range m.Shims {
		if err := m.shim(s, program); err != nil {
			return err
		}
	}
	return m.stale(folders)
}

// folders are the mirror's own, outer ones first.
func (m maker) folders() ([]string, error) {
	out, places := []string{newDir, oldDir, activeDir}, m.places()
	for at := range places {
		for dir := above(at); dir != ""; dir = above(dir) {
			if places[dir] {
				return nil, fmt.Errorf("%s is planned below %s, which leads to the real toolkit", at, dir)
			}
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// places are all entries that are no folders.
func (m maker) places() map[string]bool {
	out := map[string]bool{}
	for _, l := range m.Links {
		out[l.At] = true
	}
	for at := range m.Files {
		out[at] = true
	}
	for _, s := range m.Shims {
		out[s.At] = true
	}
	return out
}

// folder makes a folder; a link in its place was part of another layout.
func (m maker) folder(dir string) error {
	info, err := m.root.Lstat(dir)
	switch {
	case err == nil && isFolder(m.at(dir), info):
		return nil
	case err == nil:
		if err := m.away(dir); err != nil {
			return err
		}
	}
	if err := m.root.Mkdir(dir, 0o755); !errors.Is(err, fs.ErrExist) { // another process was faster
		return err
	}
	return nil
}

// link makes one entry that leads to the real toolkit.
func (m maker) link(l Link) error {
	good := func() bool { return leads(m.at(l.At), l.To) }
	return m.entry(l.At, good, func(temp string) error { return point(temp, l.To) })
}

func (m maker) file(at, text string) error {
	good := func() bool {
		b, err := os.ReadFile(m.at(at))
		return err == nil && string(b) == text
	}
	return m.entry(at, good, func(temp string) error { return os.WriteFile(temp, []byte(text), 0o644) })
}

// entry makes one entry where it is not good: under another name, then moved to its place.
func (m maker) entry(at string, good func() bool, build func(temp string) error) error {
	if good() {
		return nil
	}
	dir, err := m.fresh(newDir)
	if err != nil {
		return err
	}
	defer m.remove(dir)
	if err := build(m.at(dir + "/x")); err != nil {
		return err
	}
	return m.put(dir+"/x", at, good)
}
