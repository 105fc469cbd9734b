package build

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"cupel/internal/cache"
	"cupel/internal/closure"
	"cupel/internal/digest"
	"cupel/internal/nvcc"
	"cupel/internal/recipe"
	"cupel/internal/toolchain"
	"cupel/internal/wire"
)

func since(w *cache.Work) float64 { return time.Since(w.Began).Seconds() }

// kindLink is the kind of the notes of links: the digest of what was made, by everything it was made from.
const kindLink = "link"

// lookLink decides about a link whose inputs are all there; one that waits for a compilation is decided when that ended.
func (m *maker) lookLink(t *task) {
	t.step.How = ToBuild
	for _, in := range t.call.Inputs {
		if from := m.byOut[in]; from != nil && from.step.How == ToBuild {
			t.step.Why = filepath.ToSlash(in) + " is made anew"
			return
		}
	}
	if m.knownLink(t, t.call.Argv) {
		return
	}
	if t.step.Why == "" {
		t.step.Why = "it was never linked like this"
	}
}

// knownLink: it is up to date, or the store has it.
func (m *maker) knownLink(t *task, argv []string) bool {
	key, err := m.linkKey(t, argv)
	if err != nil {
		t.step.Uncached = err.Error()
		return false
	}
	t.key = key
	last := m.last[t.call.Out]
	if last != nil && last.Key == key && m.changedOutput(last) == "" {
		if now, miss := m.cache.Still(m.job.Root, m.old.closureOf(*last)); miss == (cache.Miss{}) {
			t.step.How, t.step.Said, t.closure, t.took = UpToDate, last.Said, now, last.Seconds
			m.keepOutputs(t)
			return true
		}
	}
	if m.opt.NoCache {
		return false
	}
	d, said, c, ok := m.linkNote(key)
	if !ok {
		return false
	}
	if m.opt.DryRun {
		t.step.How, t.would = Cached, d
		return true
	}
	m.clear(t)
	if err := m.opt.Store.Place(d, m.place(t.call.Out), modeOf(t.call.Kind)); err != nil {
		return false
	}
	m.forget(t)
	m.keepOutputs(t)
	m.opt.Store.Count("hit")
	t.step.How, t.step.Said, t.closure = Cached, said, c
	return true
}

// linkNote is what was linked by this key and what the linkers said, where every library that they read is what it was.
func (m *maker) linkNote(key digest.Digest) (d digest.Digest, said string, c closure.Closure, ok bool) {
	note, err := m.opt.Store.Note(kindLink, key)
	if err != nil || len(note) < len(d) {
		return d, "", c, false
	}
	copy(d[:], note)
	r := wire.Read(string(note[len(d):]))
	said = r.Text()
	c, rest, err := closure.Take(r.Rest())
	if r.Bad || err != nil || rest != "" {
		return d, "", c, false
	}
	c, miss := m.cache.Still(m.job.Root, c)
	return d, said, c, miss == cache.Miss{}
}

// linkKey is made of everything that a link reads: its words, its tools, the bytes of its inputs and of the libraries that
// the toolkit brings.
func (m *maker) linkKey(t *task, argv []string) (digest.Digest, error) {
	h := digest.NewHash()
	h.Field("link 5", argv...)
	tools, err := m.tools(t)
	if err != nil {
		return digest.Digest{}, err
	}
	tools.Walk(h)
	h.Field("libraries", tools.Libraries)
	for _, v := range linkVariables {
		if value := cache.Variable(m.job.Tools.Env, v); value != "" {
			h.Field("variable", v, value)
		}
	}
	programs, _ := m.linkTools(t)
	for _, tool := range programs {
		k, err := m.cache.Files.Known(tool)
		if err != nil {
			return digest.Digest{}, err
		}
		if script, err := toolchain.IsScript(tool); err == nil && script && filepath.Base(tool) == "g++" {
			return digest.Digest{}, &recipe.Refusal{Reason: "host-compiler-is-a-script", Detail: tool}
		}
		h.Field("tool", tool, k.Digest.String())
	}
	for _, in := range t.call.Inputs {
		d, err := m.input(in)
		if err != nil {
			return digest.Digest{}, err
		}
		h.Field("input", in, d.String())
	}
	return h.Sum(), nil
}

// input is what a link reads of another call's: what lies there, or in a dry run what the store would place there.
func (m *maker) input(in string) (digest.Digest, error) {
	if from := m.byOut[in]; from != nil && !from.would.IsZero() {
		return from.would, nil
	}
	k, err := m.cache.Files.Known(m.place(in))
	return k.Digest, err
}

// linkVariables change what nvcc, the compiler driver and the linkers do (gcc's and ld's manuals, "Environment Variables";
// Microsoft's of LINK and LIB). TMPDIR and the like do not get into a library.
var linkVariables = []string{"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "LD_RUN_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "GNUTARGET", "LDEMULATION", "COLLECT_NO_DEMANGLE", "LINK", "_LINK_", "LIB"}

// linkTools are the programs of a link besides nvcc's own and what a compilation has: nvcc starts g++ where it compiles with gcc,
// beside it or on PATH, and gcc looks for the others in folders of its own, then on PATH. The first of each name counts. looked
// are all places up to those.
func (m *maker) linkTools(t *task) (programs, looked []string) {
	tools, err := m.tools(t)
	if err != nil {
		return nil, nil // the key says so too
	}
	onPath := filepath.SplitList(tools.Path)
	first := func(name string, folders ...[]string) {
		for _, dir := range slices.Concat(folders...) {
			path := m.place(filepath.Join(dir, name))
			looked = append(looked, path)
			if s, err := m.cache.Files.Stamp(path); err == nil && s.Exists() && !s.Dir {
				programs = append(programs, path)
				return
			}
		}
	}
	if m.job.Tools.Platform.Windows() {
		first("link.exe", onPath)
		first("lib.exe", onPath)
		return programs, looked
	}
	switch t.call.Kind {
	case "static":
		first("ar", tools.Programs, onPath)
	case "shared":
		if filepath.Base(tools.Host) == "gcc" {
			first("g++", []string{filepath.Dir(tools.Host)})
			first("g++", onPath)
		}
		first("ld", tools.Programs, onPath)
		first("collect2", tools.Programs, onPath)
	}
	return programs, looked
}

// link puts files together, unless what they are says that it was done before.
func (m *maker) link(ctx context.Context, t *task) error {
	argv, ok := m.withoutMissing(t.call)
	if !ok {
		return m.nothingToLink(t)
	}
	t.call.Argv, t.step.Argv = argv, argv
	t.call.Inputs = slices.DeleteFunc(slices.Clone(t.call.Inputs), func(in string) bool { return !slices.Contains(argv, in) })
	if m.knownLink(t, argv) {
		return nil
	}
	args, account, remove := m.accounted(t, argv[1:])
	defer remove()
	if _, err := m.call(ctx, t, args, nil); err != nil {
		return err
	}
	t.step.How = Built
	m.keepOutputs(t)
	c, known := m.linked(ctx, t, account)
	t.closure = c
	// What it read is not known, or not what the key says: it is linked anew next time.
	path, word := m.changedTool(t), untold(t.call)
	switch {
	case path != "":
		t.step.Uncached = (&recipe.Refusal{Reason: "changed-meanwhile", Detail: path}).Error()
	case word != "":
		t.step.Uncached = (&recipe.Refusal{Reason: "linker-option", Detail: word}).Error()
	case !known:
		t.step.Uncached = "the linker does not tell what it read"
	}
	if t.step.Uncached != "" {
		t.key = digest.Digest{}
	}
	m.keepLink(t)
	return nil
}

// nothingToLink: every file of it is optional and failed. Whoever asked for a library that is not optional does not get it.
func (m *maker) nothingToLink(t *task) error {
	m.clear(t) // an older one would be taken for this build's
	if t.step.How = Left; !t.call.Optional {
		t.step.How, t.code, t.step.Said = Failed, 1, "none of its objects could be made; each of them is optional, "+t.call.Out+" is not\n"
	}
	return errFailed
}

// changedTool is a program of the link that was replaced since its key was made.
func (m *maker) changedTool(t *task) string {
	tools, err := m.tools(t)
	if err != nil {
		return "" // there is no key then
	}
	programs, _ := m.linkTools(t)
	return m.cache.Changed(m.job.Root, tools, programs...)
}

// tools are those behind a link: of several words for the host compiler nvcc takes the last.
func (m *maker) tools(t *task) (toolchain.Tools, error) {
	ccbin, _ := nvcc.Parse(m.words(t)).Last("compiler-bindir")
	return m.cache.Tools(t.call.Argv[0], ccbin, m.job.Root)
}

// words are those of a call with what variables put around them.
func (m *maker) words(t *task) []string {
	env := m.job.Tools.Env
	return nvcc.WithEnv(t.call.Argv[1:], cache.Variable(env, "NVCC_PREPEND_FLAGS"), cache.Variable(env, "NVCC_APPEND_FLAGS"))
}

func (m *maker) keepLink(t *task) {
	if m.opt.NoCache || t.key.IsZero() {
		return
	}
	d, _, err := m.opt.Store.PutFile(m.place(t.call.Out))
	if err == nil {
		err = m.opt.Store.SetNote(kindLink, t.key, t.closure.Append(wire.Text(d[:], t.step.Said)))
	}
	if err != nil {
		m.unkept(err)
	}
}

// withoutMissing takes optional files out of a call that could not be made; without a file that is needed there is no
// call.
func (m *maker) withoutMissing(c PlannedCall) (argv []string, ok bool) {
	missing := func(in string) bool {
		from := m.byOut[in]
		return from != nil && from.call.Optional && !from.done()
	}
	for _, in := range c.Inputs {
		if from := m.byOut[in]; from != nil && !from.done() && !from.call.Optional {
			return nil, false
		}
	}
	left := slices.DeleteFunc(slices.Clone(c.Inputs), missing)
	if len(c.Inputs) > 0 && len(left) == 0 {
		return nil, false
	}
	// Its own output is not made yet either, and stays.
	return slices.DeleteFunc(slices.Clone(c.Argv), func(word string) bool { return slices.Contains(c.Inputs, word) && missing(word) }), true
}
