package peers

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkNoop: a thousand kernels, all built, nothing changed. Ninja knows the headers of each, as in CMake's projects.
func BenchmarkNoop(b *testing.B) {
	eachToolkit(b, func(b *testing.B, tk toolkit) {
		fake := standIn(b, tk)
		s := small(b, 1000)
		variants := append([]variant{ninjaNoop(b, fake, s)}, cupelNoop(b, fake, s)...)
		fmt.Print(table("nothing to do: "+s.name+", CUDA "+tk.release, "", quick(b, 4**rounds, variants)))
	})
}

func ninjaNoop(t testing.TB, tk toolkit, s set) variant {
	t.Helper()
	ninjaFile(t, tk, s, launcher{}, "noop", true)
	s.clean(t)
	if err := ninjaSet(t, s, launcher{}, "noop"); err != nil {
		t.Fatal(err)
	}
	return variant{name: "Ninja", run: func() error {
		out, err := ninjaRun(t, s, launcher{}, "noop")
		if err == nil && !strings.Contains(out, "no work to do") {
			err = fmt.Errorf("ninja had something to do: %s", out)
		}
		return err
	}}
}

// BenchmarkGrowth: the same with ten to ten thousand kernels, and all of them from a warm cache.
func BenchmarkGrowth(b *testing.B) {
	eachToolkit(b, func(b *testing.B, tk toolkit) {
		fake := standIn(b, tk)
		for _, n := range []int{10, 100, 1000, 10000} {
			s := small(b, n)
			variants := append([]variant{ninjaNoop(b, fake, s)}, cupelNoop(b, fake, s)...)
			variants = append(variants, cupelWarm(b, fake, s)...)
			fmt.Print(table("growth: "+s.name+", CUDA "+tk.release, "Ninja", quick(b, *coldRounds, variants)))
		}
	})
}
