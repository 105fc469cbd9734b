package toolkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cupel/internal/depot"
	"cupel/internal/resolve"
	"cupel/internal/source/pip"
	"cupel/internal/unpack"
)

// BenchmarkAgainstPip brings a minimal 13.0 in turns with cupel (ask the index, resolve, fetch, compare checksums, unpack)
// and with pip download and unzip of the same files, and tells the ratios of the best turns: less than 1 is faster.
// Run it with -benchtime 5x; the first turn of each warms the line up.
func BenchmarkAgainstPip(b *testing.B) {
	if err := pip.New(pip.Config{}).Reach(b.Context()); err != nil {
		b.Skipf("the package index cannot be reached: %v", err)
	}
	if _, err := exec.LookPath("unzip"); err != nil {
		b.Skip("no unzip here")
	}
	var ours, theirs, unpacked, unzipped best
	for b.Loop() {
		dir := b.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		var plan resolve.Plan
		var end func()
		ours.turn(func() { plan, end = bringOnce(b, dir) })
		end()
		theirs.turn(func() { pipDownload(b, plan, at("pip")); unzip(b, at("pip"), at("unzip")) })
		unpacked.turn(func() { unpackAll(b, at("pip"), at("unpack")) })
		unzipped.turn(func() { unzip(b, at("pip"), at("unzip again")) })
		_ = os.RemoveAll(dir)
	}
	b.Logf("cupel %s; pip download and unzip %s; unpack alone: cupel %s, unzip %s; load %s", ours, theirs, unpacked, unzipped, load())
	b.ReportMetric(ours.wall.Seconds()/theirs.wall.Seconds(), "whole/pip")
	b.ReportMetric(ours.cpu.Seconds()/theirs.cpu.Seconds(), "whole-cpu/pip")
	b.ReportMetric(unpacked.wall.Seconds()/unzipped.wall.Seconds(), "unpack/unzip")
	b.ReportMetric(0, "ns/op") // says nothing here
}

// bringOnce does what an install does up to the unpacked files; end takes them away.
func bringOnce(b *testing.B, dir string) (plan resolve.Plan, end func()) {
	src := pip.New(pip.Config{})
	if err := src.Reach(b.Context()); err != nil {
		b.Fatal(err)
	}
	plan, err := src.Resolve(b.Context(), request(here))
	if err != nil {
		b.Fatal(err)
	}
	i := Installer{Depot: depot.Depot{Home: filepath.Join(dir, "home"), Cache: filepath.Join(dir, "cache")}, Cupel: "test", Here: here}
	change, err := i.Depot.Begin(b.Context(), depot.Toolkits, plan.Name(), nil)
	if err != nil {
		b.Fatal(err)
	}
	w := &work{Installer: i, src: src, plan: plan, change: change, times: newClock()}
	if err := w.bring(b.Context()); err != nil {
		b.Fatal(err)
	}
	return plan, change.End
}

func pipDownload(b *testing.B, plan resolve.Plan, to string) {
	args := []string{"-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-cache-dir", "--dest", to}
	for _, p := range plan.Parcels {
		args = append(args, p.Place)
	}
	command(b, "python3", args...)
}

func unzip(b *testing.B, from, to string) {
	wheels, _ := filepath.Glob(filepath.Join(from, "*.whl"))
	for _, w := range wheels {
		command(b, "unzip", "-q", "-o", w, "-d", to)
	}
}

// unpackAll writes every file, as unzip does, one wheel after the other.
func unpackAll(b *testing.B, from, to string) {
	if err := os.Mkdir(to, 0o755); err != nil {
		b.Fatal(err)
	}
	wheels, _ := filepath.Glob(filepath.Join(from, "*.whl"))
	for _, w := range wheels {
		if _, err := unpack.Unpack(b.Context(), w, to, unpack.Options{Format: resolve.Wheel}); err != nil {
			b.Fatal(err)
		}
	}
}

func command(b *testing.B, name string, args ...string) {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		b.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// best is the shortest of several turns.
type best struct {
	wall, cpu time.Duration
	turns     int
}

func (t *best) turn(f func()) {
	cpu, start := used(), time.Now()
	f()
	if wall := time.Since(start); t.turns == 0 || wall < t.wall {
		t.wall, t.cpu = wall, used()-cpu
	}
	t.turns++
}

func (t best) String() string {
	return fmt.Sprintf("%.2f s (%.2f s of cores)", t.wall.Seconds(), t.cpu.Seconds())
}

// used is the time of cores that this process and its children have used.
func used() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if syscall.Getrusage(who, &r) == nil {
			sum += time.Duration(r.Utime.Nano() + r.Stime.Nano())
		}
	}
	return sum
}

func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}
