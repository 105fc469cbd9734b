package trust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"cupel/internal/build"
	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/trust/testdata/standin/tool"
)

// stepsEach is how many things happen in a sequence.
const stepsEach = 8

// TestSequences: after anything that can happen between two builds, the second makes what a clean one would, says what a
// clean one would, and runs no compiler for what is known.
func TestSequences(t *testing.T) {
	if _, err := standins(); err != nil {
		t.Fatal(err)
	}
	n := *count
	switch {
	case *seed != 0:
		n = 1
	case n != 0:
	case onWindows:
		n = 6
	default:
		n = 500
	}
	first := uint64(time.Now().UnixNano()) % 1_000_000_000
	if *seed != 0 {
		first = *seed
	}
	t.Logf("sequences %d to %d", first, first+uint64(n)-1)
	var next, made, calls, failed, spare, restored atomic.Int64
	var all sync.WaitGroup
	for range 6 { // they wait for file times most of the time
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && !t.Failed(); i = next.Add(1) - 1 {
				number := first + uint64(i)
				w, err := trial(t, number)
				if err != nil {
					t.Errorf("sequence %d: %v\nrepeat it: go test ./internal/trust -run TestSequences -seed %d", number, err, number)
					return
				}
				made.Add(int64(w.made))
				calls.Add(int64(w.calls))
				failed.Add(int64(w.failed))
				spare.Add(int64(w.spare))
				restored.Add(int64(w.restored))
			}
		})
	}
	all.Wait()
	t.Logf("%d outputs were wanted and %d compilers run, of which %d had to fail; %d ran for what came out the same: a name came that could have counted, or a tool changed that the kind does not use; %d times outputs were restored without a plan", made.Load(), calls.Load(), failed.Load(), spare.Load(), restored.Load())
	if !t.Failed() && n >= 100 && restored.Load() == 0 { // a few sequences have few of them, and now and then none
		t.Error("no outputs were restored without a plan: the steps that delete them do not show what they should")
	}
}

// trial is one sequence in a world of its own.
func trial(t *testing.T, number uint64) (*world, error) {
	dir := filepath.Join(scratch, fmt.Sprint("w", number))
	defer os.RemoveAll(dir)
	w, err := newWorld(dir, number)
	if err != nil {
		return nil, err
	}
	w.runs = w.inProcess
	if err := w.begin(); err != nil {
		return nil, err
	}
	if err := w.sequence(t.Context()); err != nil || number%4 != 0 {
		return w, err
	}
	return w, w.clean(t.Context())
}

// sequence does one thing after the other, and builds after each.
func (w *world) sequence(ctx context.Context) error {
	trail := []string{"begin"}
	for i := range stepsEach + 1 {
		if i > 0 {
			s := w.any()
			trail = append(trail, s.name)
			if err := s.do(w); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrExist) && !errors.Is(err, syscall.EISDIR) { // it cannot be done here
				return fmt.Errorf("step %q: %w", trail, err)
			}
		}
		w.early = w.rand.IntN(4) == 0
		if !w.early {
			time.Sleep(30 * time.Millisecond) // stamp.Settled: a younger file may change and keep its time
		}
		if err := w.build(ctx); err != nil {
			return fmt.Errorf("step %q: %w", trail, err)
		}
		if text, err := os.ReadFile(w.mine); w.mine != "" && (err != nil || string(text) != theirs) {
			return fmt.Errorf("step %q: a file of the user's is %q now, %v", trail, text, err)
		}
		w.mine = ""
		if *seed != 0 {
			fmt.Fprintf(os.Stderr, "%s\n%s", trail[len(trail)-1], w.told)
		}
		if s, err := w.snapshot(); err == nil {
			w.past = append(w.past, s)
		}
	}
	return nil
}

// want is what a call would make, if it were made now.
type want struct {
	call   build.PlannedCall
	made   tool.Made
	exact  digest.Digest // of everything that it depends on
	known  digest.Digest // and of everything that may be taken for something that it depends on
	failed bool
}

// wants asks the stand-in about the compilations of a job.
func (w *world) wants(j build.Job) ([]want, error) {
	calls, _, err := build.Calls(j)
	if err != nil {
		return nil, err
	}
	var all []want
	looks := map[string]string{}
	tools := w.tools(j)
	for _, c := range calls {
		if c.Source == "" {
			all = append(all, want{call: c})
			continue
		}
		all = append(all, w.want(j, c, tools, looks))
	}
	return all, nil
}

func (w *world) run(j build.Job, argv []string) tool.Made {
	env := map[string]string{}
	for _, kv := range j.Tools.Env {
		name, value, _ := strings.Cut(kv, "=")
		env[name] = value
	}
	return tool.Run(tool.Call{Nvcc: argv[0], Args: argv[1:], Dir: j.Root, Env: env, Windows: onWindows})
}

// tools are all programs together: each is part of every key.
func (w *world) tools(j build.Job) string {
	h := digest.NewHash()
	for _, path := range w.plan(j).Paths[2:] {
		if info, err := os.Stat(path); err == nil && info.Size() < 1<<16 {
			text, _ := os.ReadFile(path)
			h.Field("tool", path, digest.Of(text).String())
		}
	}
	return h.Sum().String()
}

func (w *world) want(j build.Job, c build.PlannedCall, tools string, looks map[string]string) want {
	m := w.run(j, c.Argv)
	h := digest.NewHash()
	h.Field("call", c.Argv...)
	if slices.Contains(c.Argv, "--options-file") {
		text, _ := os.ReadFile(filepath.Join(j.Root, wordsFile))
		h.Field("words", string(text))
	}
	h.Field("variables", w.env["LANG"], w.env["CPATH"], w.env["SOURCE_DATE_EPOCH"], w.compiler())
	if m.Folder || onWindows { // nvcc.exe gives cl the whole name of a source that is named with its folder
		h.Field("folder", j.Root)
	}
	sums(h, m.Read)
	exact := digest.NewHash()
	exact.Field("same", h.Sum().String())
	sums(exact, m.Tools)
	h.Field("tools", tools)
	for _, path := range m.Mentions {
		h.Field("place", path, look(inFolder(j.Root, path), looks))
	}
	return want{call: c, made: m, exact: exact.Sum(), known: h.Sum(), failed: m.Code != 0}
}

// look is what stands in a place where a header could: bytes, a folder, nothing, or not even the folder around it.
func look(path string, looks map[string]string) string {
	if was, ok := looks[path]; ok {
		return was
	}
	is := "nothing"
	if info, err := os.Lstat(path); err != nil {
		if _, err := os.Lstat(filepath.Dir(path)); err != nil {
			is = "nowhere"
		}
	} else if text, err := os.ReadFile(path); err == nil {
		is = digest.Of(text).String()
	} else {
		is = fmt.Sprint("no file, folder: ", info.IsDir())
	}
	looks[path] = is
	return is
}

func inFolder(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}

func sums(h *digest.Hash, files map[string][32]byte) {
	for _, path := range slices.Sorted(maps.Keys(files)) {
		h.Field("read", path, fmt.Sprintf("%x", files[path]))
	}
}

// build builds as the command does, and holds the result against what is wanted.
func (w *world) build(ctx context.Context) error {
	j, err := w.job()
	if err != nil {
		return err
	}
	wants, err := w.wants(j)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(w.log); err != nil {
		return err
	}
	r, err := w.runs(ctx, j, build.Options{Store: w.store, NoCache: w.noCache, Jobs: 2, KeepGoing: true})
	if err != nil {
		return err
	}
	w.told = told(r)
	if err := w.compare(j, wants, r); err != nil {
		return fmt.Errorf("%w\n%s", err, w.told)
	}
	return w.counted(j, wants, r)
}

// inProcess does what the command does: it looks whether nothing changed, else it builds.
func (w *world) inProcess(ctx context.Context, j build.Job, o build.Options) (build.Result, error) {
	o.Plan = w.plan(j)
	a := build.Asked{Root: j.Root, Out: inFolder(j.Root, j.Out), Request: o.Plan.Request, Machine: func() digest.Digest { return digest.Digest{} }, Details: true, Store: o.Store}
	if !o.NoCache {
		a.Alone = func() (func(), error) { return func() {}, nil }
	}
	if r, same := build.Unchanged(a); same {
		if r.Hits > 0 {
			w.restored++
		}
		w.planned = false
		return r, nil
	}
	w.planned = true
	return build.Run(ctx, j, o)
}

// told is how the steps went, for who looks into a failure.
func told(r build.Result) string {
	var b strings.Builder
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "  %s %s: %s %s\n", s.Out, s.How, s.Why, s.Uncached)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "  note: %s\n", n)
	}
	return b.String()
}

// compare: every output has the bytes of a clean build, and every call said the same.
func (w *world) compare(j build.Job, wants []want, r build.Result) error {
	if len(r.Steps) != len(wants) {
		return fmt.Errorf("%d steps, want %d", len(r.Steps), len(wants))
	}
	failed := map[string]bool{}
	for i := range wants {
		x, s := &wants[i], r.Steps[i]
		if x.call.Source == "" {
			x.failed = slices.ContainsFunc(x.call.Inputs, func(in string) bool { return failed[in] })
			if !x.failed {
				x.made = w.run(j, x.call.Argv)
			}
		}
		if x.failed {
			failed[x.call.Out] = true
			if s.How != build.Failed && s.How != build.Left {
				return fmt.Errorf("%s is %s, and a clean build fails: %s", s.Out, s.How, x.made.Said)
			}
			if _, err := os.Lstat(inFolder(j.Root, x.call.Out)); err == nil {
				return fmt.Errorf("%s failed, and an output is there", s.Out)
			}
			continue
		}
		if s.How == build.Failed || s.How == build.Left {
			return fmt.Errorf("%s is %s, and a clean build makes it: %s", s.Out, s.How, s.Said)
		}
		if err := sameBytes(j.Root, x.made, s); err != nil {
			return err
		}
		if s.Said != x.made.Said {
			return fmt.Errorf("%s is %s and said %q, want %q", s.Out, s.How, s.Said, x.made.Said)
		}
	}
	return nil
}

func sameBytes(root string, m tool.Made, s build.Step) error {
	for path, text := range m.Outputs {
		got, err := os.ReadFile(inFolder(root, path))
		if err != nil {
			return fmt.Errorf("%s is %s: %w", s.Out, s.How, err)
		}
		if m.Clock {
			if s.How != build.Built {
				return fmt.Errorf("%s holds the time and is %s", path, s.How)
			}
			continue
		}
		if !bytes.Equal(got, text) {
			return fmt.Errorf("%s is %s and is not what a clean build makes\n got %s\nwant %s", path, s.How, got, text)
		}
	}
	return nil
}

// reasons for which a result may stay unknown.
func (w *world) mayForget(x want, s build.Step) bool {
	reason, _, _ := strings.Cut(s.Uncached, ":")
	switch reason {
	case "":
		return true
	case "changed-meanwhile":
		return w.early
	case "uses-date":
		return true // some file of its closure holds the word, if only where it does not count
	case "unknown-option":
		return slices.Contains(x.call.Argv, "--of-the-future")
	}
	return false
}

// counted: what was known was not compiled again, and the runs are those that the result tells.
func (w *world) counted(j build.Job, wants []want, r build.Result) error {
	if w.known == nil {
		w.known = map[digest.Digest]bool{}
	}
	ran := 0
	was := w.last
	w.forgetState() // it tells of the last build alone
	for i, x := range wants {
		s := r.Steps[i]
		out := inFolder(j.Root, x.call.Out)
		if s.How == build.Built || s.How == build.Failed {
			ran++
		}
		w.made += truth(!x.failed)
		w.failed += truth(x.failed && s.How == build.Failed)
		if x.call.Source == "" {
			continue
		}
		known := !w.noCache && w.known[x.known] || was[out] == x.known
		if s.How == build.Built && known {
			return fmt.Errorf("%s was compiled, and its result was known (%s)\n%s", s.Out, s.Why, told(r))
		}
		if s.How == build.Built && (w.known[x.exact] || was[out+" exact"] == x.exact) {
			w.spare++
		}
		if !w.mayForget(x, s) {
			return fmt.Errorf("%s is not remembered: %s\n%s", s.Out, s.Uncached, told(r))
		}
		if !x.failed && s.Uncached == "" {
			w.last[out], w.last[out+" exact"] = x.known, x.exact
			if !w.noCache && (s.How == build.Built || s.How == build.Cached && w.planned) { // without a plan the store is not asked by call
				w.known[x.known], w.known[x.exact] = true, true
			}
		}
	}
	w.calls += ran
	runs, err := os.ReadDir(w.log)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if len(runs) != ran {
		return fmt.Errorf("the compiler ran %d times, and the result tells of %d\n%s", len(runs), ran, told(r))
	}
	return nil
}

// clean builds the same into another folder, with another store: that is what the stand-in was asked about all the time.
func (w *world) clean(ctx context.Context) error {
	j, err := w.job()
	if err != nil {
		return err
	}
	out := filepath.Join(w.root(), j.Out)
	j.Out = filepath.Join("build", "clean")
	r, err := build.Run(ctx, j, build.Options{Store: cas.Store{Dir: filepath.Join(w.dir, "empty")}, Jobs: 2, KeepGoing: true})
	if err != nil {
		return err
	}
	wants, err := w.wants(j)
	if err != nil {
		return err
	}
	if err := w.compare(j, wants, r); err != nil {
		return fmt.Errorf("a clean build into %s, beside %s: %w", j.Out, out, err)
	}
	return nil
}
