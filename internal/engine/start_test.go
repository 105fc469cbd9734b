package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// told runs steps that take their Expect, and lists what was started ("a" or, with several threads, "a×3") and how long all
// of it took.
func told(t *testing.T, steps []Step, limits Limits) (started []string, took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		for i := range steps {
			steps[i].Run = sleep(steps[i].Expect)
		}
		begin := time.Now()
		err := Run(t.Context(), steps, limits, func(e Event) {
			name := steps[e.Step].Name
			switch {
			case e.State == Waiting:
				started = append(started, "("+name+" waits for "+e.Waits+")")
			case e.State == Started && e.Threads > 1:
				started = append(started, fmt.Sprintf("%s×%d", name, e.Threads))
			case e.State == Started:
				started = append(started, name)
			}
		})
		if err != nil {
			t.Error(err)
		}
		took = time.Since(begin)
	})
	return started, took
}

// step is one whose time is known.
func step(name string, expect, threads int, needs ...int) Step {
	return Step{Name: name, Expect: time.Duration(expect), Sure: true, Threads: threads, Needs: needs, Peak: 1}
}

func TestThreads(t *testing.T) {
	for _, tt := range []struct {
		name   string
		jobs   int
		memory int64
		steps  []Step
		want   string
		took   time.Duration
	}{
		{"as many steps as processors", 2, -1, []Step{step("a", 5, 4), step("b", 4, 4)}, "a b", 5},
		{"one step", 4, -1, []Step{step("a", 5, 3)}, "a×3", 5},
		{"more threads than processors", 4, -1, []Step{step("a", 5, 8)}, "a×4", 5},
		{"shared in turn", 5, -1, []Step{step("a", 5, 4), step("b", 4, 4)}, "a×3 b×2", 5},
		{"what one cannot use is another's", 8, -1, []Step{step("a", 5, 1), step("b", 4, 8), step("c", 3, 2)}, "a b×5 c×2", 5},
		{"the last ones of many", 2, -1, []Step{step("a", 5, 2), step("b", 4, 2), step("c", 3, 2)}, "a b c", 7},
		{"nothing else is left", 2, -1, []Step{step("a", 3, 2), step("b", 3, 2), step("c", 2, 2, 0, 1)}, "a b c×2", 5},
		{"free again afterwards", 2, -1, []Step{step("a", 3, 2), step("b", 2, 1, 0), step("c", 2, 1, 0)}, "a×2 b c", 5},
		{"not while something waits for memory", 4, 4, []Step{step("a", 3, 4), {Name: "b", Expect: 2, Peak: 9}}, "a (b waits for memory) b", 5},
		{"memory for two", 4, 2, []Step{step("a", 5, 4)}, "a×2", 5},
		{"no limit of memory", 4, -1, []Step{step("a", 5, 4)}, "a×4", 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			started, took := told(t, tt.steps, Limits{Jobs: tt.jobs, Memory: tt.memory})
			if got := strings.Join(started, " "); got != tt.want || took != tt.took {
				t.Errorf("started %s in %v, want %s in %v", got, took, tt.want, tt.took)
			}
		})
	}
}

// TestCrowdStarts: who gets threads above the jobs.
func TestCrowdStarts(t *testing.T) {
	for _, tt := range []struct {
		name   string
		jobs   int
		memory int64
		steps  []Step
		want   string
	}{
		{"a long one beside short ones", 2, -1, []Step{step("a", 9, 4), step("b", 3, 1), step("c", 2, 1)}, "a×2 b c"},
		{"the last one of some", 2, -1, []Step{step("a", 9, 4), step("b", 8, 4), step("c", 7, 4)}, "a b c×2"},
		{"enough for all", 2, -1, []Step{step("a", 5, 4), step("b", 5, 4)}, "a b"},
		{"it has no use for them", 2, -1, []Step{step("a", 9, 1), step("b", 1, 4)}, "a b"},
		{"a long one of many processors", 4, -1, []Step{step("a", 90, 3), step("b", 3, 3), step("c", 3, 3), step("d", 3, 3), step("e", 3, 3)}, "a×3 b c d e"},
		{"one job is one thread", 1, -1, []Step{step("a", 9, 4), step("b", 3, 4)}, "a b"},
		{"no room for more", 2, 2, []Step{step("a", 9, 4), step("b", 3, 4)}, "a b"},
		{"room for one", 4, 5, []Step{step("a", 90, 4), step("b", 3, 4), step("c", 3, 4), step("d", 3, 4)}, "a×2 b c d"},
		{"spare ones first", 4, -1, []Step{step("a", 9, 3), step("b", 3, 1)}, "a×3 b"},
		{"what needs others gets what is spare", 4, -1, []Step{step("a", 90, 4), step("b", 3, 4, 0)}, "a×4 b×4"},
		{"a time that is only guessed", 2, -1, []Step{step("a", 9, 4), {Name: "b", Expect: 3}}, "a b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			started, _ := told(t, tt.steps, Limits{Jobs: tt.jobs, Memory: tt.memory, Crowd: true})
			if got := strings.Join(started, " "); got != tt.want {
				t.Errorf("started %s, want %s", got, tt.want)
			}
		})
	}
}

// shared are processors whose time goes to all parts alike, as a system gives it.
type shared struct {
	processors int
	active     atomic.Int64
}

// call takes its time in parts, one for each target, of which as many run at once as there are threads.
func (p *shared) call(took time.Duration, parts int) func(context.Context, int) Outcome {
	return func(_ context.Context, threads int) Outcome {
		var left atomic.Int64
		left.Store(int64(parts))
		var all sync.WaitGroup
		for range threads {
			all.Go(func() {
				for left.Add(-1) >= 0 {
					p.compute(took / time.Duration(parts))
				}
			})
		}
		all.Wait()
		return Outcome{}
	}
}

func (p *shared) compute(d time.Duration) {
	p.active.Add(1)
	defer p.active.Add(-1)
	const slice = 10 * time.Millisecond
	for left := float64(d); left > 0; left -= float64(slice) * min(1, float64(p.processors)/float64(p.active.Load())) {
		time.Sleep(slice)
	}
}

// TestCrowd: with threads above the jobs sets of kernels are done sooner, and none is done later.
func TestCrowd(t *testing.T) {
	for _, mixed := range []bool{false, true} {
		for _, jobs := range []int{2, 4, 16} {
			t.Run(fmt.Sprint(mixed, jobs), func(t *testing.T) {
				var plain, crowd time.Duration
				for seed := range uint64(20) {
					was, is := makespan(t, seed, jobs, mixed, false), makespan(t, seed, jobs, mixed, true)
					plain, crowd = plain+was, crowd+is
					if is > was+was/50 {
						t.Errorf("seed %d: %v, and %v without", seed, is, was)
					}
				}
				t.Logf("%.2f of the time", float64(crowd)/float64(plain))
				if crowd > plain-plain/50 {
					t.Errorf("all took %v, and %v without", crowd, plain)
				}
			})
		}
	}
}

// makespan runs a random set, for one list of targets or for several (mixed).
func makespan(t *testing.T, seed uint64, jobs int, mixed, crowd bool) (took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 16))
		p := &shared{processors: jobs}
		steps := make([]Step, 3+rng.IntN(3*jobs))
		targets := 2 + rng.IntN(3)
		for i := range steps {
			if mixed {
				targets = 1 + rng.IntN(4)
			}
			d := time.Duration(10*rng.ExpFloat64()+1) * time.Second
			steps[i] = Step{Name: fmt.Sprint("k", i), Expect: d, Sure: true, Threads: targets, Run: p.call(d, targets)}
		}
		begin := time.Now()
		if err := Run(t.Context(), steps, Limits{Jobs: jobs, Memory: -1, Crowd: crowd}, nil); err != nil {
			t.Error(err)
		}
		took = time.Since(begin)
	})
	return took
}

func TestMemory(t *testing.T) {
	step := func(name string, expect int, peak int64, needs ...int) Step {
		return Step{Name: name, Expect: time.Duration(expect), Peak: peak, Needs: needs}
	}
	for _, tt := range []struct {
		name  string
		guess int64
		steps []Step
		want  string
	}{
		{"all fit", 0, []Step{step("a", 5, 4), step("b", 4, 6)}, "a b"},
		{"the second waits", 0, []Step{step("a", 5, 6), step("b", 4, 6)}, "a (b waits for memory) b"},
		{"a smaller one goes first", 0, []Step{step("a", 5, 6), step("b", 4, 6), step("c", 3, 4)}, "a c (b waits for memory) b"},
		{"larger than everything runs alone", 0, []Step{step("a", 5, 99), step("b", 4, 1)}, "a (b waits for memory) b"},
		{"nor beside a small one", 0, []Step{step("b", 4, 1), step("a", 3, 99)}, "b (a waits for memory) a"},
		{"unknown is nothing", 0, []Step{step("a", 5, 10), step("b", 4, 0)}, "a b"},
		{"unknown is guessed", 6, []Step{step("a", 5, 6), step("b", 4, 0)}, "a (b waits for memory) b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			started, _ := told(t, tt.steps, Limits{Jobs: 4, Memory: 10, Guess: tt.guess})
			if got := strings.Join(started, " "); got != tt.want {
				t.Errorf("started %s, want %s", got, tt.want)
			}
		})
	}
}

// TestLargeDoesNotStarve: small steps keep the memory in use, each making the next one ready; the large one still gets its
// turn after as many as there are jobs.
func TestLargeDoesNotStarve(t *testing.T) {
	const jobs = 3
	steps := []Step{{Name: "first", Expect: 60 * time.Second, Peak: 2}, {Name: "large", Expect: 59 * time.Second, Peak: 9}}
	for i := range 50 {
		s := Step{Name: fmt.Sprint("small", i), Expect: time.Second, Peak: 2}
		if i > 1 {
			s.Needs = []int{len(steps) - 2} // two chains
		}
		steps = append(steps, s)
	}
	started, _ := told(t, steps, Limits{Jobs: jobs, Memory: 10})
	large := slices.Index(started, "large")
	small := 0
	for _, name := range started[:max(large, 0)] {
		if strings.HasPrefix(name, "small") {
			small++
		}
	}
	if large < 0 || small == 0 || small > jobs {
		t.Errorf("%d small ones went before the large one; want 1 to %d\n%v", small, jobs, started)
	}
}

// TestJobsOfTheMachine: without a number, the processors of this process are used.
func TestJobsOfTheMachine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	steps := make([]Step, 30)
	for i := range steps {
		steps[i] = Step{Name: fmt.Sprint(i), Expect: time.Second}
	}
	synctest.Test(t, func(t *testing.T) {
		now, most := 0, 0
		for i := range steps {
			steps[i].Run = sleep(time.Second)
		}
		_ = Run(t.Context(), steps, Limits{Memory: -1}, func(e Event) {
			now += map[State]int{Started: 1, Ended: -1}[e.State]
			most = max(most, now)
		})
		if most != 3 {
			t.Errorf("%d at once, want 3", most)
		}
	})
}

// BenchmarkSchedule: what 10,000 steps cost that do nothing: 9,000 files, libraries of nine, one end. Some are too large to
// run beside others.
func BenchmarkSchedule(b *testing.B) {
	var steps []Step
	var all []int
	for lib := range 1000 {
		from := len(steps)
		for i := range 9 {
			steps = append(steps, Step{Name: "file", Expect: time.Duration(lib*7919%1000 + i), Peak: int64(1 + (lib+i)%90)})
		}
		s := Step{Name: "lib"}
		for i := range 9 {
			s.Needs = append(s.Needs, from+i)
		}
		all = append(all, len(steps))
		steps = append(steps, s)
	}
	steps = append(steps, Step{Name: "end", Needs: all})
	for b.Loop() {
		ended := 0
		err := Run(context.Background(), steps, Limits{Jobs: 16, Memory: 200}, func(e Event) {
			if e.State == Ended {
				ended++
			}
		})
		if err != nil || ended != len(steps) {
			b.Fatal(err, ended)
		}
	}
}
