package peers

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// eachSet runs a benchmark with the sets that are compiled for real.
func eachSet(b *testing.B, bench func(b *testing.B, tk toolkit, s set)) {
	eachToolkit(b, func(b *testing.B, tk toolkit) {
		for _, made := range []struct {
			name string
			set  func(b *testing.B) set
		}{
			{"candle-ptx", func(b *testing.B) set { return candle(b, tk, "ptx", "80") }},
			{"candle-fatbin", func(b *testing.B) set { return candle(b, tk, "fatbin", "80", "86", "89") }},
			{"heavy", func(b *testing.B) set { return heavy(b) }},
		} {
			b.Run(made.name, func(b *testing.B) {
				if b.N == 1 {
					bench(b, tk, made.set(b))
				}
			})
		}
	})
}

// BenchmarkCold: all outputs and all caches are empty.
func BenchmarkCold(b *testing.B) {
	eachSet(b, func(b *testing.B, tk toolkit, s set) {
		alone := times(b, tk, s)
		variants := []variant{
			byCMake(b, tk, s),
			byNinja(b, tk, s),
			byXargs(b, tk, s, "xargs "+dash("P")+" nvcc", s.sources),
			byXargs(b, tk, s, "longest first by hand, xargs "+dash("P"), longestFirst(s.sources, alone)),
		}
		variants = withProcessorTime(append(variants, cupelCold(b, tk, s)...))
		rows := measure(b, *coldRounds, variants)
		for i, r := range rows {
			if len(r.times) > 1 {
				rows[i].notes = append([]string{"fastest " + short(slices.Min(r.times))}, r.notes...)
			}
		}
		fmt.Print(table("cold: "+s.name+", CUDA "+tk.release+fmt.Sprintf(", %d jobs", *jobs), "", rows), limit(s.sources, alone))
	})
}

// withProcessorTime notes beside each variant what all its processes computed. One call of a compiler computes for a tenth longer or shorter
// from run to run on a shared machine; a row whose time is above another's by as much as its processor time is no worse at ordering calls.
func withProcessorTime(variants []variant) []variant {
	for i := range variants {
		v := &variants[i]
		var spent []time.Duration
		timed, told := v.run, v.note
		v.run = func() error {
			before := childrenComputed()
			if err := timed(); err != nil {
				return err // its time is not counted either
			}
			spent = append(spent, childrenComputed()-before)
			return nil
		}
		v.note = func() string {
			note := "processor " + short(median(spent))
			if told != nil {
				note += ", " + told()
			}
			return note
		}
	}
	return variants
}

// childrenComputed is the processor time of all processes that ended.
func childrenComputed() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// times is how long each source takes, one after the other.
func times(t testing.TB, tk toolkit, s set) map[string]time.Duration {
	t.Helper()
	out := map[string]time.Duration{}
	for _, source := range s.sources {
		start := time.Now()
		run(t, s.dir, nil, append([]string{tk.nvcc}, s.call(source)...)...)
		out[source] = time.Since(start)
	}
	if err := s.complete(); err != nil {
		t.Fatal(err)
	}
	return out
}

func longestFirst(sources []string, alone map[string]time.Duration) []string {
	out := slices.Clone(sources)
	slices.SortStableFunc(out, func(a, b string) int { return int(alone[b] - alone[a]) })
	return out
}

// limit is the time below which no order of whole calls gets.
func limit(sources []string, alone map[string]time.Duration) string {
	var total time.Duration
	longest := slices.MaxFunc(sources, func(a, b string) int { return int(alone[a] - alone[b]) })
	for _, d := range alone {
		total += d
	}
	return fmt.Sprintf("limit: max(longest %s %s, total %s / %d) = %s\n", filepath.Base(longest), short(alone[longest]), short(total), *jobs,
		short(max(alone[longest], total/time.Duration(*jobs))))
}

func byCMake(t testing.TB, tk toolkit, s set) variant {
	t.Helper()
	build := cmakeProject(t, tk, s)
	return variant{name: "CMake + Ninja " + dash("j"),
		before: func() { run(t, build, nil, ninja(t), "-t", "clean") },
		run:    func() error { _, err := try(t, build, nil, ninja(t), dash("j")); return err },
	}
}

func byNinja(t testing.TB, tk toolkit, s set) variant {
	t.Helper()
	ninjaFile(t, tk, s, launcher{}, "plain", false)
	return variant{name: "Ninja " + dash("j") + ", plain calls",
		before: func() { s.clean(t) },
		run:    func() error { return ninjaSet(t, s, launcher{}, "plain") },
	}
}

// byXargs is the shortest way that people write, in the given order.
func byXargs(t testing.TB, tk toolkit, s set, name string, order []string) variant {
	t.Helper()
	list := fmt.Sprintf("xargs-%d", len(name))
	var stems strings.Builder
	for _, source := range order {
		fmt.Fprintln(&stems, strings.TrimSuffix(filepath.Base(source), ".cu"))
	}
	write(t, filepath.Join(s.dir, list), stems.String())
	return variant{name: name,
		before: func() { s.clean(t) },
		run: func() error {
			call := s.call(filepath.Join(filepath.Dir(order[0]), "{}.cu"))
			_, err := try(t, s.dir, nil, append([]string{"xargs", "-a", list, dash("P"), "-I{}", tk.nvcc}, call...)...)
			return errors.Join(err, s.complete())
		},
	}
}
