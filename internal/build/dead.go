package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// dead takes away what an earlier build made and no kernel makes any more: a program that takes *.ptx would load it. Only
// what still is what that build wrote goes. What the command line named belongs to no contract, and stays; where it
// narrows the contract for one run, everything does.
func (m *maker) dead() {
	if m.old == nil || m.job.Named || m.job.Narrowed || len(m.job.Only) > 0 || !m.all() {
		return
	}
	var went, stay []string
	for _, r := range m.orphans() {
		k, err := m.cache.Files.Known(r.Path)
		info, lost := os.Lstat(r.Path)
		switch {
		case lost != nil:
		case err != nil || !info.Mode().IsRegular() || k.Digest != r.Known.Digest:
			stay = append(stay, m.shown(r.Path))
		case m.opt.DryRun || os.Remove(r.Path) == nil:
			went = append(went, m.shown(r.Path))
			m.unused(filepath.Dir(r.Path))
		default: // a DLL in use
			m.note("of no kernel any more, and it cannot be removed: %s", m.shown(r.Path))
		}
	}
	word := "removed"
	if m.opt.DryRun {
		word = "to be removed"
	}
	if len(went) > 0 {
		m.note("%s, of no kernel any more: %s", word, some(went))
	}
	if len(stay) > 0 {
		m.note("changed since it was built and of no kernel any more, so it stays: %s", some(stay))
	}
}

// all: everything that had to be built was, or would be.
func (m *maker) all() bool {
	return !slices.ContainsFunc(m.tasks, func(t *task) bool { return !t.done() && !t.call.Optional && !m.opt.DryRun })
}

// orphans are the outputs of steps that are not among this build's, in the folder of outputs.
func (m *maker) orphans() (rows []row) {
	made := m.ours(func(*task) bool { return true })
	add := func(o row) {
		rel, err := filepath.Rel(m.out, o.Path)
		if err == nil && filepath.IsLocal(rel) && apart(o.Path, made[strings.ToLower(o.Path)]) {
			rows = append(rows, o)
		}
	}
	for _, last := range m.old.Steps {
		if last.Named {
			continue
		}
		for _, at := range last.Outputs {
			add(m.old.Outputs[at])
		}
	}
	for _, o := range m.old.Loose {
		add(o)
	}
	return rows
}

// ours are the files that some of this build's steps make, by their names in small letters: a kernel may have got another case, which
// some disks do not tell apart.
func (m *maker) ours(some func(*task) bool) map[string]string {
	made := map[string]string{}
	for _, t := range m.tasks {
		if !some(t) {
			continue
		}
		for _, path := range slices.Concat(m.outputsOf(t), []string{m.place(t.call.Out)}, m.besides(t)) {
			made[strings.ToLower(path)] = path
		}
	}
	return made
}

// besides are the names that the linker of Windows gives to files for those who link with a DLL. A static library may have one of
// them.
func (m *maker) besides(t *task) (paths []string) {
	if t.call.Kind != "shared" || !m.job.Tools.Platform.Windows() {
		return nil
	}
	stem := strings.TrimSuffix(t.call.Out, filepath.Ext(t.call.Out))
	for _, name := range []string{stem + ".lib", stem + ".exp", t.call.Out + ".lib", t.call.Out + ".exp"} {
		if m.byOut[name] == nil {
			paths = append(paths, m.place(name))
		}
	}
	return paths
}

// beside are those of these files that this build's linker wrote: what is older is somebody else's.
func (m *maker) beside(t *task) (rows []row) {
	for _, path := range m.besides(t) {
		k, err := m.cache.Files.Now(path)
		if err == nil && t.step.How == Built && k.Stamp.Exists() && k.Stamp.Modified >= m.began.UnixNano() {
			rows = append(rows, row{Path: path, Known: k})
		}
	}
	return rows
}

// apart: a file is not the one that was made under the same name, perhaps in another case. Where one of them is not there, it
// may be.
func apart(path, made string) bool {
	if made == "" || made == path {
		return made == ""
	}
	old, err := os.Lstat(path)
	now, err2 := os.Lstat(made)
	return err == nil && err2 == nil && !os.SameFile(old, now)
}

// unused takes away the folders of a kernel that are empty now.
func (m *maker) unused(dir string) {
	for !m.opt.DryRun && dir != m.out && len(dir) > len(m.out) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}

// shown is a path as seen from the project.
func (m *maker) shown(path string) string {
	if rel, err := filepath.Rel(m.job.Root, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return filepath.ToSlash(path)
}

// some of a list, for a line.
func some(list []string) string {
	const most = 5
	slices.Sort(list)
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
