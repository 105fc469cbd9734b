package trace

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// read is what a viewer reads, written down apart from the writer.
type read struct {
	TraceEvents []struct {
		Name, Cat, Ph string
		Ts, Dur       *float64
		Pid, Tid      int
		Args          map[string]any
	}
	DisplayTimeUnit string
}

func parse(t *testing.T, b []byte) read {
	t.Helper()
	var r read
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return r
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// TestLanes: the lanes of events, in the order of their starts.
func TestLanes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events []Event
		want   []int
	}{
		{"none", nil, nil},
		{"one after the other", []Event{{Start: 0, Duration: ms(5)}, {Start: ms(5), Duration: ms(1)}}, []int{0, 0}},
		{"overlapping", []Event{{Start: 0, Duration: ms(5)}, {Start: ms(4), Duration: ms(3)}, {Start: ms(5), Duration: ms(1)}}, []int{0, 1, 0}},
		{"one inside another", []Event{{Start: 0, Duration: ms(9)}, {Start: ms(1), Duration: ms(1)}, {Start: ms(2), Duration: ms(1)}}, []int{0, 1, 1}},
		{"no length at one time", []Event{{Start: ms(1)}, {Start: ms(1)}}, []int{0, 0}},
		{"a clock set back", []Event{{Start: ms(1), Duration: -ms(9)}, {Start: ms(1), Duration: ms(1)}}, []int{0, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, count := assign(tt.events)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("assign (-want +got):\n%s", diff)
			}
			if len(got) > 0 && count != slices.Max(got)+1 {
				t.Errorf("%d lanes for %v", count, got)
			}
		})
	}
}

// TestNoOverlap: whatever the events are, those of one lane do not overlap, no lane is wasted, and none is lost.
func TestNoOverlap(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		var events []Event
		for range r.IntN(60) {
			events = append(events, Event{Name: "k", Start: time.Duration(r.IntN(1000)), Duration: time.Duration(r.IntN(300))})
		}
		ends, busiest := map[int]float64{}, 0
		steps := 0
		for _, e := range parse(t, Write(events)).TraceEvents {
			if e.Ph != "X" {
				continue
			}
			steps++
			if *e.Ts < ends[e.Tid]-1e-9 { // thousandths of a microsecond are not exact in a float
				t.Fatalf("in lane %d an event starts at %v, one before it ends at %v", e.Tid, *e.Ts, ends[e.Tid])
			}
			ends[e.Tid] = *e.Ts + *e.Dur
		}
		for _, at := range events {
			n := 0
			for _, e := range events {
				if e.Start <= at.Start && at.Start < e.Start+e.Duration {
					n++
				}
			}
			busiest = max(busiest, n)
		}
		if steps != len(events) || len(ends) > busiest+1 {
			t.Fatalf("%d of %d events in %d lanes, at most %d at once", steps, len(events), len(ends), busiest)
		}
	}
}

// TestForm: the fields that the format's document names, with its units.
func TestForm(t *testing.T) {
	out := Write([]Event{
		{Name: "b \"quoted\" \xff.cu", Category: "nvcc,miss", Start: 1500 * time.Nanosecond, Duration: ms(2), Args: map[string]string{"arch": "sm_80"}},
		{Name: "a.cu", Start: 0, Duration: ms(1)},
	})
	got := parse(t, out)
	if got.DisplayTimeUnit != "ms" && got.DisplayTimeUnit != "ns" {
		t.Errorf("displayTimeUnit is %q", got.DisplayTimeUnit)
	}
	var steps []string
	named := map[string]int{}
	for _, e := range got.TraceEvents {
		switch {
		case e.Ph == "X" && (e.Ts == nil || e.Dur == nil || e.Pid == 0 || e.Tid == 0):
			t.Errorf("event %+v lacks ts, dur, pid or tid", e)
		case e.Ph == "X":
			steps = append(steps, e.Name)
		case e.Ph == "M":
			named[e.Name]++
		default:
			t.Errorf("event %+v has an unknown phase", e)
		}
	}
	if diff := cmp.Diff([]string{"a.cu", "b \"quoted\" \uFFFD.cu"}, steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"process_name": 1, "thread_name": 2, "thread_sort_index": 2}, named); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	last := got.TraceEvents[len(got.TraceEvents)-1]
	if *last.Ts != 1.5 || *last.Dur != 2000 || last.Cat != "nvcc,miss" || last.Args["arch"] != "sm_80" {
		t.Errorf("the last event is %+v, want ts 1.5, dur 2000", last)
	}
	if none := parse(t, Write(nil)); none.TraceEvents == nil || strings.Contains(string(Write(nil)), "null") {
		t.Errorf("no events: %s", Write(nil))
	}
}
