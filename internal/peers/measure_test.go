package peers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// variant is one way to do what a table compares.
type variant struct {
	name   string
	ours   bool   // cupel: never the base of a ratio
	calls  int    // how many calls one run makes; a table of single calls divides by it
	before func() // not timed: deletes outputs, empties caches
	run    func() error
	note   func() string // after the last run: hits, what was started
}

// row is a measured variant.
type row struct {
	name  string
	ours  bool
	times []time.Duration // of the runs that ended well
	notes []string
}

// measure runs the variants in turns (A B C A B C …), so that what disturbs the machine disturbs all of them. A peer may fail: its row says
// so. cupel may not.
func measure(t testing.TB, n int, variants []variant) []row {
	t.Helper()
	asked := regexp.MustCompile(*only)
	variants = slices.DeleteFunc(slices.Clone(variants), func(v variant) bool { return !asked.MatchString(v.name) })
	rows := make([]row, len(variants))
	for i, v := range variants {
		rows[i] = row{name: v.name, ours: v.ours}
	}
	for range n {
		for i, v := range variants {
			if v.before != nil {
				v.before()
			}
			start := time.Now()
			err := v.run()
			took := time.Since(start)
			if err != nil && v.ours {
				t.Fatalf("%s: %v", v.name, err)
			}
			if err != nil {
				rows[i].notes = append(rows[i].notes, "a run failed: "+reason(err))
				continue
			}
			rows[i].times = append(rows[i].times, took/time.Duration(max(v.calls, 1)))
		}
	}
	for i, v := range variants {
		if v.note == nil {
			continue
		}
		if note := v.note(); note != "" {
			rows[i].notes = append(rows[i].notes, note)
		}
	}
	return rows
}

// reason is the line of a failed command's output that says most: the first with the word error, else the first.
func reason(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "error") }); i >= 0 {
		return lines[i]
	}
	return lines[0]
}

// table is rows as text. Ratios are to the row named base, else to the fastest that is not cupel's.
func table(title, base string, rows []row) string {
	unit := reference(base, rows)
	width := len("what")
	for _, r := range rows {
		width = max(width, len(r.name))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n%-*s  %10s  %7s  %3s\n", title, width, "what", "median", "ratio", "n")
	for _, r := range rows {
		ratio := "-"
		if unit > 0 && len(r.times) > 0 {
			ratio = ratioText(float64(median(r.times)) / float64(unit))
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("%-*s  %10s  %7s  %3d  %s", width, r.name, short(median(r.times)), ratio, len(r.times), strings.Join(slices.Compact(slices.Clone(r.notes)), "; ")), " "))
	}
	return b.String()
}

// ratioText writes a ratio so that small ones can be told apart.
func ratioText(ratio float64) string {
	if ratio < 0.1 {
		return fmt.Sprintf("%.4f", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}

func reference(base string, rows []row) time.Duration {
	var best time.Duration
	for _, r := range rows {
		m := median(r.times)
		if r.name == base {
			return m
		}
		if !r.ours && m > 0 && (best == 0 || m < best) {
			best = m
		}
	}
	return best
}

func median(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Clone(times)
	slices.SortFunc(sorted, cmp.Compare)
	if half := len(sorted) / 2; len(sorted)%2 == 0 {
		return (sorted[half-1] + sorted[half]) / 2
	} else {
		return sorted[half]
	}
}

// short writes a time with three digits that count.
func short(d time.Duration) string {
	switch s := d.Seconds(); {
	case d == 0:
		return "-"
	case s >= 100:
		return fmt.Sprintf("%.0f s", s)
	case s >= 10:
		return fmt.Sprintf("%.1f s", s)
	case s >= 1:
		return fmt.Sprintf("%.2f s", s)
	case s >= 0.1:
		return fmt.Sprintf("%.0f ms", s*1e3)
	default:
		return fmt.Sprintf("%.2f ms", s*1e3)
	}
}

func TestMeasureTakesTurns(t *testing.T) {
	var order []string
	var one []variant
	for _, name := range []string{"A", "B"} {
		one = append(one, variant{name: name, before: func() { order = append(order, "before "+name) }, run: func() error { order = append(order, name); return nil }})
	}
	rows := measure(t, 2, one)
	if diff := gocmp.Diff([]string{"before A", "A", "before B", "B", "before A", "A", "before B", "B"}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	for _, r := range rows {
		if len(r.times) != 2 {
			t.Errorf("%s was measured %d times, want 2", r.name, len(r.times))
		}
	}
}

func TestTable(t *testing.T) {
	ms := func(n ...int) (out []time.Duration) {
		for _, m := range n {
			out = append(out, time.Duration(m)*time.Millisecond)
		}
		return out
	}
	rows := []row{
		{"slow peer", false, ms(300, 100, 200), nil},
		{"peer", false, ms(90, 110), []string{"a run failed: why", "2 hits"}},
		{"broken peer", false, nil, []string{"a run failed: why", "a run failed: why"}},
		{"cupel", true, ms(5), nil},
	}
	for _, tt := range []struct{ name, base, want string }{
		{"ratio to the best peer", "", `
title
what             median    ratio    n
slow peer        200 ms     2.00    3
peer             100 ms     1.00    2  a run failed: why; 2 hits
broken peer           -        -    0  a run failed: why
cupel           5.00 ms   0.0500    1
`},
		{"ratio to a named row", "slow peer", `
title
what             median    ratio    n
slow peer        200 ms     1.00    3
peer             100 ms     0.50    2  a run failed: why; 2 hits
broken peer           -        -    0  a run failed: why
cupel           5.00 ms   0.0250    1
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := gocmp.Diff(tt.want, table("title", tt.base, rows)); diff != "" {
				t.Errorf("table (-want +got):\n%s", diff)
			}
		})
	}
}
