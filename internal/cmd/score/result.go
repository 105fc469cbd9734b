package main

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"cupel/internal/diagnose"
)

// Result is the count over all cases.
type Result struct {
	Total          int               `json:"total"`
	RightFirst     int               `json:"right_first"`
	RightTop3      int               `json:"right_top3"`
	Wrong          int               `json:"wrong"`   // another cause was told first
	Unknown        int               `json:"unknown"` // no cause was told where there is one
	FalseOnNotCUDA int               `json:"false_on_not_cuda"`
	Labels         map[string]*Tally `json:"labels"`
	Cases          []Told            `json:"cases"`
}

// Tally counts the cases of one wanted label.
type Tally struct {
	Total      int `json:"total"`
	RightFirst int `json:"right_first"`
}

// Told is one case: what was wanted and what was told.
type Told struct {
	ID   string   `json:"id"`
	Want []string `json:"want"`
	Got  []string `json:"got"` // labels in ranked order; none: no failure
}

const (
	none    = "none"
	top     = 3
	notCUDA = diagnose.NotCUDA
	unknown = diagnose.Unknown
)

func (r *Result) add(c Case, a diagnose.Answer) {
	got := labels(a)
	r.Total++
	r.Cases = append(r.Cases, Told{c.ID, c.Want, got})
	if r.Labels == nil {
		r.Labels = map[string]*Tally{}
	}
	tally := r.Labels[c.Want[0]]
	if tally == nil {
		tally = &Tally{}
		r.Labels[c.Want[0]] = tally
	}
	tally.Total++
	wants := accepted(c.Want)
	first := slices.Contains(wants, got[0])
	if first {
		r.RightFirst++
		tally.RightFirst++
	}
	if slices.ContainsFunc(got[:min(top, len(got))], func(l string) bool { return slices.Contains(wants, l) }) {
		r.RightTop3++
	}
	switch {
	case first:
	case got[0] == unknown || got[0] == none:
		r.Unknown++
	default:
		r.Wrong++
		if slices.Contains(c.Want, notCUDA) {
			r.FalseOnNotCUDA++
		}
	}
}

// accepted are the labels that count as right: where the failure is not about CUDA, no cause is as good.
func accepted(want []string) []string {
	if slices.Contains(want, notCUDA) {
		return append(slices.Clone(want), unknown)
	}
	return want
}

// labels are what an answer tells, in order, each once: the findings, then the other causes of the first.
func labels(a diagnose.Answer) []string {
	var out []string
	put := func(l string) {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	for _, f := range a.Findings {
		put(f.Label)
	}
	if len(out) == 0 {
		return []string{none}
	}
	for _, alt := range a.Findings[0].Alternatives {
		put(alt.Label)
	}
	return out
}

func (r *Result) print(w io.Writer, show bool) {
	if show {
		for _, c := range r.Cases {
			if !slices.Contains(accepted(c.Want), c.Got[0]) {
				fmt.Fprintf(w, "%-34s want %-34s got %s\n", c.ID, strings.Join(c.Want, "|"), strings.Join(c.Got, ", "))
			}
		}
	}
	names := make([]string, 0, len(r.Labels))
	for l := range r.Labels {
		names = append(names, l)
	}
	sort.Strings(names)
	for _, l := range names {
		if t := r.Labels[l]; t.RightFirst < t.Total {
			fmt.Fprintf(w, "%-40s %d of %d\n", l, t.RightFirst, t.Total)
		}
	}
	fmt.Fprintln(w, r.summary())
}

func (r *Result) summary() string {
	return fmt.Sprintf("%d cases: %d right first (%.1f %%), %d in the first three, %d wrong, %d unknown, %d false on not-cuda",
		r.Total, r.RightFirst, 100*float64(r.RightFirst)/float64(max(r.Total, 1)), r.RightTop3, r.Wrong, r.Unknown, r.FalseOnNotCUDA)
}
