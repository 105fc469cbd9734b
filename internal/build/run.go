package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"cupel/internal/cache"
	"cupel/internal/cas"
	"cupel/internal/closure"
	"cupel/internal/digest"
	"cupel/internal/engine"
	"cupel/internal/learned"
	"cupel/internal/nvcc"
	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// task is one call on its way.
type task struct {
	call    PlannedCall
	at      int  // in the list of tasks
	named   bool // see Job.Named
	step    Step
	q       *cache.Question // nil: it links, or its result is not remembered
	refused *recipe.Refusal
	miss    string // why the store did not have it
	key     digest.Digest
	closure closure.Closure
	shared  *cache.Shared // more of it, which other calls have too; may be nil
	read    []string      // files that a call read whose result is not remembered, as far as they are known
	outputs []row         // once it ended well
	would   digest.Digest // of a dry run: the output that the store would place
	code    int
	took    float64       // seconds of the compiler, now or when it ran
	worked  time.Duration // see child.Result.Computed
}

func (t *task) links() bool { return t.call.Source == "" }

func (t *task) done() bool {
	return t.step.How == UpToDate || t.step.How == Cached || t.step.How == Built
}

// maker is one build under way.
type maker struct {
	job   Job
	opt   Options
	out   string // whole
	cache *cache.Cache
	book  *learned.Book
	old   *state
	last  map[string]*made // of the state, by output
	anew  map[string]string
	rows  []stamp.Known // of the state's files, as they are now
	same  []bool
	tasks []*task
	byOut map[string]*task
	began time.Time

	once    sync.Once // see unkept
	stopped bool      // it was interrupted
	mu      sync.Mutex
	result  Result
	done    int
}

// Run makes the kernels. A compiler that failed is in the result; an error is the context's, or what kept everything from
// being tried.
func Run(ctx context.Context, j Job, o Options) (Result, error) {
	calls, notes, err := Calls(j)
	notes = slices.Concat(o.Plan.Notes, notes)
	if err != nil {
		return Result{Notes: notes}, NoPlan{err}
	}
	m := &maker{job: j, opt: o, out: place(j.Root, j.Out), began: time.Now(), byOut: map[string]*task{}}
	m.result = Result{Notes: notes, Outputs: []Output{}, Planned: calls, Release: j.Tools.Release.String(), Toolkit: o.Plan.Toolkit}
	defer m.room()()
	m.cache = cache.New(m.opt.Store, j.Tools.Env)
	if own := filepath.Join(m.out, roomless); !o.DryRun && !missing(own) {
		cache.New(cas.Store{Dir: own}, nil).Sweep()
	}
	m.book = learned.Open(filepath.Join(m.opt.Store.Dir, "learned"))
	for i, c := range calls {
		t := &task{call: c, at: i, named: j.Named, step: Step{Kernel: c.Kernel, Kind: c.Kind, Source: c.Source, Out: c.Out, Archs: c.Archs, Argv: c.Argv, Optional: c.Optional, Start: -1}}
		m.tasks, m.byOut[c.Out] = append(m.tasks, t), t
	}
	if err := m.folders(); err != nil {
		return m.result, err
	}
	m.sweep()
	m.recall()
	m.examine(ctx)
	if ctx.Err() == nil && !o.DryRun {
		err = m.make(ctx)
	}
	if ctx.Err() != nil {
		m.interrupted()
		return m.result, context.Cause(ctx)
	}
	m.conclude()
	return m.result, err
}

func place(root, path string) string {
	switch {
	case filepath.IsAbs(path):
		return path
	case path != "" && os.IsPathSeparator(path[0]): // \x of Windows: on the drive of the project
		return filepath.VolumeName(root) + path
	}
	return filepath.Join(root, path)
}

func (m *maker) place(path string) string { return place(m.job.Root, path) }

// folders makes those of the outputs, in which compilers do not make any.
func (m *maker) folders() error {
	if m.opt.DryRun {
		return nil
	}
	made := map[string]bool{}
	for _, t := range m.tasks {
		dir := filepath.Dir(m.place(t.call.Out))
		if made[dir] {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("make room for %s: %w", t.call.Out, err)
		}
		made[dir] = true
	}
	return nil
}

// recall reads what the last build knew, and looks which of its files are as they were.
func (m *maker) recall() {
	m.last, m.anew = map[string]*made{}, map[string]string{}
	if m.old = readState(m.out); m.old == nil || m.old.Root != m.job.Root || m.old.steps() != nil {
		m.old = nil
		return
	}
	for i := range m.old.Steps {
		m.last[m.old.Steps[i].Call.Out] = &m.old.Steps[i]
	}
	for _, a := range m.old.Anew {
		m.anew[a.Out] = a.Why
	}
	m.rows, m.same = make([]stamp.Known, len(m.old.Files)), make([]bool, len(m.old.Files))
	eachIn(len(m.old.Files), shortWork, func(i int) {
		r := m.old.Files[i]
		path := cache.Whole(m.job.Root, r.Path)
		m.cache.Files.Learn(path, r.Known)
		k, err := m.cache.Files.Known(path)
		m.rows[i], m.same[i] = k, err == nil && k.Stamp.Exists() == r.Known.Stamp.Exists() && k.Digest == r.Known.Digest
	})
}

// make runs what is to be built, the longest first.
func (m *maker) make(ctx context.Context) error {
	var list []*task
	number := map[*task]int{}
	for _, t := range m.tasks {
		if t.step.How == ToBuild {
			number[t] = len(list)
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil
	}
	steps := make([]engine.Step, len(list))
	for i, t := range list {
		steps[i] = m.engineStep(t)
		for _, in := range t.call.Inputs {
			if need, ok := number[m.byOut[in]]; ok {
				steps[i].Needs = append(steps[i].Needs, need)
			}
		}
	}
	// Fewer jobs than processors are meant to leave some to others; of more somebody thought something.
	crowd := m.opt.Jobs <= 0 || m.opt.Jobs == runtime.GOMAXPROCS(0)
	limits := engine.Limits{Crowd: crowd, Jobs: m.opt.Jobs, Memory: m.opt.Memory, Guess: guessedPeak, KeepGoing: m.opt.KeepGoing, Server: m.opt.Server}
	err := engine.Run(ctx, steps, limits, func(e engine.Event) {
		t := list[e.Step]
		switch e.State {
		case engine.Waiting:
			m.tell("waiting", t, e.Waits)
		case engine.Started:
			m.tell("started", t, "")
		case engine.Ended:
			m.ended(t, e)
		case engine.Left:
			t.step.How = Left
			if ctx.Err() == nil {
				m.clear(t) // an older one would be taken for this build's
			}
			m.tell("ended", t, "")
		}
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("build: %w", err)
	}
	return nil
}

func (m *maker) engineStep(t *task) engine.Step {
	row, known := m.book.Get(t.bookKey(m.job))
	s := engine.Step{Name: t.call.Out, Expect: row.Time, Peak: row.Peak, Threads: m.threads(t), Sure: known}
	if !known {
		s.Expect = m.guess(t)
	}
	s.Run = func(ctx context.Context, threads int) engine.Outcome {
		t.step.Start, t.step.Threads = time.Since(m.began).Seconds(), threads
		var err error
		if t.links() {
			err = m.link(ctx, t)
		} else {
			err = m.compile(ctx, t, threads)
		}
		t.step.Seconds = time.Since(m.began).Seconds() - t.step.Start
		t.took = t.step.Seconds
		return engine.Outcome{Err: err, Soft: err != nil && t.call.Optional}
	}
	return s
}

// guessedPeak is for a call whose memory is not known: that of a file with Thrust and several targets is about this much.
const guessedPeak = 700 << 20

// guess is how long a call may take that was never seen: longer for more text and more targets. It only has to put long
// ones first.
func (m *maker) guess(t *task) time.Duration {
	if t.links() {
		return 200 * time.Millisecond
	}
	var size int64
	if info, err := os.Stat(m.place(t.call.Source)); err == nil {
		size = info.Size()
	}
	return time.Second + time.Duration(size)*time.Duration(max(1, len(t.call.Archs)))*50*time.Microsecond
}

// threads is how many a call can use: one for each target. What the contract or a variable tells nvcc stays: it warns of a second
// word.
func (m *maker) threads(t *task) int {
	if t.links() || len(t.call.Archs) < 2 {
		return 1
	}
	if nvcc.Parse(m.words(t)).Has("threads") {
		return 1
	}
	return len(t.call.Archs)
}

func (t *task) bookKey(j Job) digest.Digest {
	h := digest.NewHash()
	h.Field("project", j.Requirements.Contract.Project.Name)
	h.Field("nvcc", j.Tools.Release.String())
	h.Field("call", t.call.Kind, t.call.Source, t.call.Kernel)
	h.Field("archs", t.call.Archs...)
	return h.Sum()
}

func (m *maker) ended(t *task, e engine.Event) {
	if t.done() && t.step.How == Built {
		m.book.Set(t.bookKey(m.job), learned.Row{Time: t.alone(e.Threads), Peak: t.step.Peak})
	}
	m.tell("ended", t, "")
}

// alone is how long a call takes in one thread with a processor to itself. What it computed tells that, however much else runs,
// unless it hardly computes (a compiler that is a stand-in for one elsewhere).
func (t *task) alone(threads int) time.Duration {
	wall := time.Duration(t.step.Seconds * float64(time.Second))
	switch {
	case t.worked == 0: // not known
		return wall * time.Duration(max(1, threads))
	case t.worked >= wall/20:
		return t.worked
	}
	return wall
}

// tell counts and tells. Steps end one after the other: engine tells them so, and examine holds the lock.
func (m *maker) tell(what string, t *task, waits string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	over := what == "examined" || what == "ended"
	if over {
		m.done++
	}
	switch {
	case !over:
	case t.step.How == UpToDate:
		m.result.Fresh++
	case t.step.How == Cached:
		m.result.Hits++
	}
	if m.opt.Tell != nil {
		m.opt.Tell(Event{State: what, Step: t.step, Done: m.done, Total: len(m.tasks), Fresh: m.result.Fresh, Hits: m.result.Hits, Waits: waits})
	}
}
