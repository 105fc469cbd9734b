package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkWarmCall: one call whose answer is in the cache, its output deleted before. What it starts is counted beside.
func BenchmarkWarmCall(b *testing.B) {
	eachSet(b, func(b *testing.B, tk toolkit, s set) {
		s.sources = s.sources[len(s.sources)-1:] // a middling file of each set: unary.cu, transform_reduce.cu
		var variants []variant
		for _, l := range launchers(b) {
			variants = append(variants, warmCall(b, tk, s, l))
		}
		title := fmt.Sprintf("warm call: %s of %s, CUDA %s", filepath.Base(s.sources[0]), s.name, tk.release)
		fmt.Print(table(title, "ccache 4.11", quick(b, *rounds, variants)))
	})
}

// warmCall fills the cache and repeats the call.
func warmCall(t testing.TB, tk toolkit, s set, l launcher) variant {
	t.Helper()
	argv := l.call(tk, s, s.sources[0])
	_, err := try(t, s.dir, l.env, argv...)
	filled(t, l, err)
	calls := 20
	if l.slow || !hitsNow(t, tk, s, l) {
		calls = 1
	}
	programs, counted := l.starts(t, tk, s, s.sources[0])
	before := count(l)
	return variant{name: l.name, ours: l.ours, calls: calls, run: func() error {
		for range calls {
			_ = os.Remove(filepath.Join(s.dir, s.output(s.sources[0])))
			if _, err := try(t, s.dir, l.env, argv...); err != nil {
				return err
			}
		}
		return s.complete()
	}, note: func() string {
		return hitNote(l, before) + ", " + startNote(programs, counted)
	}}
}

// filled tells how filling a cache ended. A peer may fail, as sccache does on some calls, and not each time; cupel may not.
func filled(t testing.TB, l launcher, err error) {
	t.Helper()
	if err != nil && l.ours {
		t.Fatalf("%s: filling the cache: %v", l.name, err)
	}
	if err != nil {
		fmt.Printf("%s: filling the cache: %s\n", l.name, reason(err))
	}
}

// hitsNow says whether the cache answers this call at all: ccache gives every --ptx and --fatbin to nvcc.
func hitsNow(t testing.TB, tk toolkit, s set, l launcher) bool {
	before := count(l)
	_, err := try(t, s.dir, l.env, l.call(tk, s, s.sources[0])...)
	return err == nil && (l.tell == nil || count(l).hits > before.hits)
}

func count(l launcher) tally {
	if l.tell == nil {
		return tally{}
	}
	return l.tell()
}

func hitNote(l launcher, before tally) string {
	if l.tell == nil {
		return "hits not counted"
	}
	now := l.tell()
	return fmt.Sprintf("%d hits, %d others", now.hits-before.hits, now.others-before.others)
}

// startNote names what was started, each program once.
func startNote(programs []string, counted bool) string {
	if !counted {
		return "starts not counted"
	}
	if len(programs) == 0 {
		return "starts nothing"
	}
	n := map[string]int{}
	var order []string
	for _, p := range programs {
		if n[p]++; n[p] == 1 {
			order = append(order, p)
		}
	}
	return fmt.Sprintf("starts %d: %s", len(programs), strings.Join(order, " "))
}

// BenchmarkWarmSet: all outputs are deleted, all answers are in the cache; Ninja with each launcher.
func BenchmarkWarmSet(b *testing.B) {
	eachSet(b, func(b *testing.B, tk toolkit, s set) { warmSet(b, tk, s, launchers(b), *rounds) })
}

// BenchmarkWarmThousand: the same with a thousand small files. sccache is left out: it does the work of nvcc itself, so the stand-in does
// not help it, and a thousand of its warm calls take as long as the table of calls says.
func BenchmarkWarmThousand(b *testing.B) {
	eachToolkit(b, func(b *testing.B, tk toolkit) {
		warmSet(b, standIn(b, tk), small(b, 1000), append(ccaches(b), cupelLaunchers(b)...), *rounds)
	})
}

func warmSet(b *testing.B, tk toolkit, s set, all []launcher, n int) {
	b.Helper()
	var variants []variant
	for i, l := range all {
		variants = append(variants, warmNinja(b, tk, s, l, fmt.Sprintf("warm-%d", i)))
	}
	variants = append(variants, cupelWarm(b, tk, s)...)
	fmt.Print(table("warm, outputs deleted: "+s.name+", CUDA "+tk.release+fmt.Sprintf(", %d jobs", *jobs), "Ninja "+dash("j")+" with ccache 4.11", quick(b, n, variants)))
}

func warmNinja(t testing.TB, tk toolkit, s set, l launcher, name string) variant {
	t.Helper()
	ninjaFile(t, tk, s, l, name, false)
	s.clean(t)
	filled(t, l, ninjaSet(t, s, l, name))
	before := count(l)
	return variant{name: "Ninja " + dash("j") + " with " + l.name, ours: l.ours,
		before: func() { s.clean(t) },
		run:    func() error { return ninjaSet(t, s, l, name) },
		note:   func() string { return hitNote(l, before) },
	}
}
