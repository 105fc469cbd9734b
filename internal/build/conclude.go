package build

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/cache"
	"cupel/internal/cas"
	"cupel/internal/closure"
	"cupel/internal/digest"
	"cupel/internal/stamp"
	"cupel/internal/toolchain"
	"cupel/internal/wire"
)

func (m *maker) note(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(m.result.Notes, text) {
		m.result.Notes = append(m.result.Notes, text)
	}
}

// conclude puts the result together in the order of the contract, and remembers the build.
func (m *maker) conclude() {
	r := &m.result
	r.Seconds = time.Since(m.began).Seconds()
	for _, t := range m.tasks {
		s := &t.step
		s.Start = max(s.Start, 0)
		r.Steps = append(r.Steps, *s)
		switch s.How {
		case Failed:
			r.Calls++
			if t.call.Optional {
				m.note("%s", warning("optional-kernel-failed", fmt.Sprintf("kernel %s: %s could not be made of %s; it is optional, so the build goes on", t.call.Kernel, t.call.Out, t.call.of())))
			}
			r.Failed = append(r.Failed, Call{Kernel: t.call.Kernel, Source: t.call.Source, Out: t.call.Out, Argv: s.Argv, Code: t.code, Output: s.Said, Optional: t.call.Optional})
		case Built:
			r.Calls++
		}
		if t.done() && t.call.Asked && len(t.outputs) > 0 {
			r.Outputs = append(r.Outputs, Output{Kernel: t.call.Kernel, Kind: t.call.Kind, Path: t.outputs[0].Path, Size: t.outputs[0].Known.Stamp.Size})
		}
	}
	s := m.state()
	r.Inputs = s.inputs(m.job.Root, m.readToo()...)
	m.dead() // its words are of this build only, so they are not in the state
	if m.opt.DryRun {
		return
	}
	s.sum(m.old)
	if err := s.write(m.out); err != nil {
		m.note("the next build has to look at everything again: %v", err)
	}
	if !m.opt.NoCache {
		s.keep(m.opt.Store, m.out)
	}
	_ = m.book.Save()
}

// interrupted remembers what a build made that was stopped, and what was known of the rest.
func (m *maker) interrupted() {
	if m.opt.DryRun {
		return
	}
	m.stopped = true
	s := m.state()
	s.Whole = false
	s.sum(nil)
	_ = s.write(m.out) // the next build looks at everything again
	_ = m.book.Save()
}

// state is what the next build should know.
func (m *maker) state() *state {
	read := m.sources()
	s := &state{Root: m.job.Root, Request: m.opt.Plan.Request, Machine: m.opt.Plan.Machine, Whole: !m.opt.Plan.Request.IsZero(), Notes: slices.Clone(m.result.Notes), Release: m.result.Release, Toolkit: m.opt.Plan.Toolkit, Way: m.opt.Plan.Way}
	for _, path := range slices.Concat(m.opt.Plan.Paths, m.toolPaths()) {
		if !read[path] { // else it is compared as a file that a step read
			s.watch(path, m.opt.Plan.Began, false)
		}
	}
	for _, path := range m.opt.Plan.Seen {
		if !read[path] {
			s.watch(path, m.opt.Plan.Began, true)
		}
	}
	s.Watched = needed(s.Watched)
	sites, ok := sitesOf(m.job.Root, read)
	s.Sites, s.Whole = sites, s.Whole && ok
	seen := known{map[content]uint32{}, map[string]uint32{}, map[*cache.Shared]places{}}
	for _, t := range m.tasks {
		if !t.done() || t.refused != nil || t.step.Uncached != "" && !t.links() || t.key.IsZero() || len(t.outputs) == 0 {
			s.Whole = false
			if t.done() && t.step.Uncached != "" && !t.links() {
				s.Anew = append(s.Anew, anew{t.call.Out, t.step.Uncached})
			}
			if t.done() && !t.named {
				s.Loose = slices.Concat(s.Loose, t.outputs, m.beside(t))
			}
			continue
		}
		s.Steps = append(s.Steps, s.row(t, seen))
	}
	if len(m.job.Only) > 0 || m.job.Narrowed || m.stopped || !m.all() {
		m.others(s, seen)
	}
	return s
}

// others keeps what is known of kernels that this build was not asked for or did not come to, and of those that are gone while
// another cannot be built: their outputs go when all is well again.
func (m *maker) others(s *state, seen known) {
	if m.old == nil {
		return
	}
	ours := m.ours(func(t *task) bool { return t.done() || !m.stopped })
	for _, r := range m.old.Loose {
		if ours[strings.ToLower(r.Path)] == "" {
			s.Whole = false
			s.Loose = append(s.Loose, r)
		}
	}
	for _, last := range m.old.Steps {
		if t := m.byOut[last.Call.Out]; t != nil && (t.done() || !m.stopped) {
			continue
		}
		t := &task{call: last.Call, named: last.Named, key: last.Key, closure: m.old.closureOf(last), step: Step{Said: last.Said, Peak: last.Peak}, took: last.Seconds}
		for _, at := range last.Outputs {
			t.outputs = append(t.outputs, m.old.Outputs[at])
		}
		s.Whole = false
		s.Steps = append(s.Steps, s.row(t, seen))
	}
}

// sitesOf are those of sources, whole paths.
func sitesOf(root string, sources map[string]bool) ([]site, bool) {
	real, err := filepath.EvalSymlinks(root)
	all, ok := map[string]string{root: real}, err == nil
	for path := range sources {
		if isLink(path) {
			all[path], err = filepath.EvalSymlinks(path)
			ok = ok && err == nil
		}
		for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
			if _, known := all[dir]; known {
				break
			}
			rel, err := filepath.Rel(root, dir)
			below := err == nil && filepath.IsLocal(rel)
			if all[dir] = ""; !below || isLink(dir) {
				all[dir], err = filepath.EvalSymlinks(dir)
				ok = ok && err == nil
			}
			if !below {
				break
			}
		}
	}
	list := make([]site, 0, len(all))
	for _, path := range slices.Sorted(maps.Keys(all)) {
		list = append(list, site{path, all[path]})
	}
	return list, ok
}

// needed has for names that are not there the uppermost folder on their way that is not there either, and leaves those out
// whose folder is watched itself: when one comes, it changes.
func needed(rows []watched) []watched {
	folders := map[string]bool{}
	for _, w := range rows {
		folders[w.Path] = w.Stamp.Dir && w.Settled && !w.Kind
	}
	list, seen := rows[:0], map[string]bool{}
	for _, w := range rows {
		if !w.Stamp.Exists() && filepath.Clean(w.Path) == w.Path && missing(w.Path) {
			for dir := filepath.Dir(w.Path); dir != w.Path && missing(dir); dir = filepath.Dir(dir) {
				w.Path = dir
			}
			if seen[w.Path] || folders[filepath.Dir(w.Path)] {
				continue
			}
			seen[w.Path] = true
		}
		list = append(list, w)
	}
	return list
}

// missing: nothing has that name, not even a link to nothing.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return os.IsNotExist(err)
}

func (s *state) watch(path string, began time.Time, seen bool) {
	st, err := stamp.Of(path)
	if err != nil {
		s.Whole = false
		return
	}
	s.Watched = append(s.Watched, watched{Path: path, Stamp: st, Settled: !st.Exists() || st.Settled(began), Kind: seen && st.Dir})
}

// content is a file as one step read it: one that was edited while the build went on is another for later steps.
type content struct {
	path   string
	digest digest.Digest
}

// toolPaths are the programs behind the calls, and their folders: what comes there may be taken in their stead.
func (m *maker) toolPaths() []string {
	all := map[string]bool{}
	seen := map[*toolchain.File]bool{} // calls share them
	for _, t := range m.tasks {
		if t.q == nil || len(t.q.Tools.Files) == 0 || seen[&t.q.Tools.Files[0]] {
			continue
		}
		seen[&t.q.Tools.Files[0]] = true
		for _, f := range t.q.Tools.Files {
			path := m.place(f.Path)
			all[path], all[filepath.Dir(path)] = true, true
		}
		for _, path := range t.q.Tools.Watched {
			all[path] = true
		}
	}
	for _, t := range m.tasks {
		if t.links() {
			_, looked := m.linkTools(t)
			for _, path := range looked {
				all[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// sources are the files that steps compile, whole: the plan looked for them, and the steps read them.
func (m *maker) sources() map[string]bool {
	all := map[string]bool{}
	for _, t := range m.tasks {
		if !t.links() && t.done() && t.refused == nil {
			all[m.place(t.call.Source)] = true
		}
	}
	return all
}

func (s *state) row(t *task, seen known) made {
	row := made{Named: t.named, Call: t.call, Key: t.key, Said: t.step.Said, Seconds: t.took, Peak: t.step.Peak}
	for _, o := range t.outputs {
		row.Outputs = append(row.Outputs, uint32(len(s.Outputs)))
		s.Outputs = append(s.Outputs, o)
	}
	row.Files, row.Absent = s.read(t.closure, seen)
	if t.q != nil {
		row.Files = append(row.Files, s.words(t.q.Words, row.Files, seen)...)
	}
	if t.shared != nil {
		more, ok := seen.shared[t.shared]
		if !ok {
			more.files, more.absent = s.read(t.shared.Closure, seen)
			seen.shared[t.shared] = more
		}
		row.Files, row.Absent = append(row.Files, more.files...), append(row.Absent, more.absent...)
	}
	return row
}

// sum is that of the file whose digest is known. One that changed since has none: it may be a hard link, and the blob with it.
func (r *row) sum() cas.Sum {
	sum := cas.SumOf(r.Path)
	if now, err := stamp.Of(r.Path); err != nil || now != r.Known.Stamp {
		return 0
	}
	return sum
}

// sum takes the sums of the outputs.
func (s *state) sum(old *state) {
	s.Sums = make([]cas.Sum, len(s.Outputs))
	if !s.Whole {
		return // it is not restored from
	}
	had := map[content]cas.Sum{}
	if old != nil {
		for i, o := range old.Outputs {
			had[content{o.Path, o.Known.Digest}] = old.Sums[i]
		}
	}
	eachIn(len(s.Outputs), longWork, func(i int) {
		o := s.Outputs[i]
		if s.Sums[i] = had[content{o.Path, o.Known.Digest}]; s.Sums[i] == 0 {
			s.Sums[i] = o.sum()
		}
	})
}

// known is where things stand in a state already.
type known struct {
	files   map[content]uint32
	absents map[string]uint32
	shared  map[*cache.Shared]places
}

type places struct{ files, absent []uint32 }

// words adds response files that are not among those of the step yet.
func (s *state) words(all []closure.File, among []uint32, seen known) []uint32 {
	files, _ := s.read(closure.Closure{Files: all}, seen)
	return slices.DeleteFunc(files, func(at uint32) bool { return slices.Contains(among, at) })
}

// read adds what a closure names, and gives its places.
func (s *state) read(c closure.Closure, seen known) (files, absents []uint32) {
	for _, f := range c.Files {
		key := content{f.Path, f.Known.Digest}
		at, ok := seen.files[key]
		if !ok {
			at = uint32(len(s.Files))
			seen.files[key] = at
			s.Files = append(s.Files, rowOf(f.Path, f.Known))
		}
		files = append(files, at)
	}
	for _, a := range c.Absent {
		key := string(wire.List(wire.Text(nil, a.Dir), a.Names))
		at, ok := seen.absents[key]
		if !ok {
			at = uint32(len(s.Absent))
			seen.absents[key] = at
			s.Absent = append(s.Absent, absent(a))
		}
		absents = append(absents, at)
	}
	return files, absents
}

func rowOf(path string, k stamp.Known) row { return row{Path: path, Known: k} }

// readToo are the files of steps that are not in the state: they failed, or are made each time. Who mends one wants it built.
func (m *maker) readToo() (all []string) {
	for _, t := range m.tasks {
		if !t.links() {
			all = append(append(all, t.call.Source), t.read...)
		}
	}
	return all
}

// inputs are the files that were read, whole and sorted.
func (s *state) inputs(root string, more ...string) []string {
	all, dirs := map[string]bool{}, map[string]string{}
	for _, f := range s.Files {
		more = append(more, f.Path)
	}
	for _, name := range more {
		path := place(root, name)
		if strings.Contains(path, "..") {
			path = straight(path, dirs)
		}
		all[path] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// straight is a path without bin/.., where that is the same folder: bin may be a link to one elsewhere.
func straight(path string, dirs map[string]string) string {
	dir, name := filepath.Split(path)
	to, ok := dirs[dir]
	if !ok {
		to = filepath.Clean(dir)
		was, err := os.Stat(dir)
		now, err2 := os.Stat(to)
		if err != nil || err2 != nil || !os.SameFile(was, now) {
			to = ""
		}
		dirs[dir] = to
	}
	if to == "" {
		return path
	}
	return filepath.Join(to, name)
}
