// Package trace writes the steps of a build as a timeline in the trace event format of Chrome, which Perfetto reads too.
package trace

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// Event is one step: from Start, counted from the beginning of the build, for Duration.
type Event struct {
	Name     string
	Category string // words with commas between: a viewer can hide each
	Start    time.Duration
	Duration time.Duration
	Args     map[string]string // shown when the step is chosen
}

// Process is the name that a viewer gives the timeline.
const Process = "cupel build"

// The form is that of the document "Trace Event Format" of Chrome's trace viewer: an object with traceEvents; complete events
// have ph X, ts and dur in microseconds, which may have a fraction; metadata events have ph M.
type file struct {
	Events []event `json:"traceEvents"`
	Unit   string  `json:"displayTimeUnit"`
}

type event struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"`
	Start    float64        `json:"ts"`
	Duration *float64       `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Lane     int            `json:"tid"`
	Args     map[string]any `json:"args,omitempty"`
}

// Write makes the file. Viewers draw events of one thread into each other, so steps that overlap get lanes of their own: as
// few as were busy at once.
func Write(events []Event) []byte {
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b Event) int { return cmp.Compare(a.Start, b.Start) })
	lanes, count := assign(sorted)
	out := file{Events: names(count), Unit: "ms"}
	for i, e := range sorted {
		took := micro(e.length())
		out.Events = append(out.Events, event{Name: e.Name, Category: e.Category, Phase: "X", Start: micro(e.Start), Duration: &took, Process: 1, Lane: lanes[i] + 1, Args: e.args()})
	}
	b, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		panic(err) // strings and finite numbers always can be written
	}
	return append(b, '\n')
}

// assign gives each event, in the order of their starts, the lowest lane that is free by then.
func assign(sorted []Event) (lanes []int, count int) {
	var free []time.Duration // when each lane's last event ended
	for _, e := range sorted {
		lane := slices.IndexFunc(free, func(end time.Duration) bool { return end <= e.Start })
		if lane < 0 {
			lane = len(free)
			free = append(free, 0)
		}
		free[lane] = e.Start + e.length()
		lanes = append(lanes, lane)
	}
	return lanes, len(free)
}

// names are the metadata of the process and its lanes: without them a viewer shows numbers.
func names(lanes int) []event {
	out := []event{{Name: "process_name", Phase: "M", Process: 1, Args: map[string]any{"name": Process}}}
	for i := range lanes {
		out = append(out,
			event{Name: "thread_name", Phase: "M", Process: 1, Lane: i + 1, Args: map[string]any{"name": "lane"}},
			event{Name: "thread_sort_index", Phase: "M", Process: 1, Lane: i + 1, Args: map[string]any{"sort_index": i + 1}})
	}
	return out
}

// length: a clock that was set back makes no event that ends before it begins.
func (e Event) length() time.Duration { return max(e.Duration, 0) }

func (e Event) args() map[string]any {
	if len(e.Args) == 0 {
		return nil
	}
	out := map[string]any{}
	for k, v := range e.Args {
		out[k] = v
	}
	return out
}

// micro is a time in microseconds, to the nanosecond.
func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
