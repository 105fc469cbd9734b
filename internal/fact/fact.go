// Package fact holds the words for what is known about a machine and a project. It is the vocabulary between
// gathering and deciding: probe writes these values, rules read them, and a snapshot is their JSON form. It
// touches no machine and decides nothing.
package fact

import "fmt"

// State says how much is known of one value. A field that nobody filled has the empty state and counts as
// absent: it never looks as if it had been read.
type State string

const (
	Known      State = "known"
	Absent     State = "absent"
	Unreadable State = "unreadable"
)

// Fact is one value with where it came from. Unreadable carries the reason in Why: a file that could not be
// read is a finding, never "fine".
type Fact[T any] struct {
	State  State  `json:"state"`
	Value  T      `json:"value,omitzero"`
	Source string `json:"source,omitempty"`
	Why    string `json:"why,omitempty"`
}

// Of makes a known fact.
func Of[T any](value T, source string) Fact[T] {
	return Fact[T]{State: Known, Value: value, Source: source}
}

// None makes an absent fact: the place was looked at, and nothing was there.
func None[T any](source string) Fact[T] { return Fact[T]{State: Absent, Source: source} }

// Bad makes an unreadable fact.
func Bad[T any](source string, why error) Fact[T] {
	return Fact[T]{State: Unreadable, Source: source, Why: fmt.Sprint(why)}
}

// Known says that the value can be relied on.
func (f Fact[T]) Known() bool { return f.State == Known }

// IsAbsent says that nothing is there, or that nobody looked.
func (f Fact[T]) IsAbsent() bool { return f.State == Absent || f.State == "" }

// IsZero keeps unfilled facts out of the JSON form.
func (f Fact[T]) IsZero() bool { return f.State == "" && f.Source == "" }

// Or returns the fact, or other when it is not known. An unreadable fact is kept when other knows no better,
// so that the reason is not lost.
func (f Fact[T]) Or(other Fact[T]) Fact[T] {
	if f.Known() || (f.State == Unreadable && !other.Known()) {
		return f
	}
	return other
}
