package verify

import (
	"cupel/internal/contract"
	"cupel/internal/version"
)

// fit is where a version stands with a range. One that tells fewer parts than a bound may lie on either side of it:
// cmake 3.22 may be 3.22.0, which >=3.22.1 does not take.
type fit int

const (
	outside fit = iota
	maybe
	inside
)

// fitOf places everything a version may be: itself up to the next one of as many parts.
func fitOf(r contract.Range, v version.V) fit {
	if v.IsZero() {
		return outside
	}
	next, low, high := contract.After(v), r.Low(), r.High()
	switch {
	case !high.IsZero() && !v.Less(high), !low.IsZero() && !low.Less(next):
		return outside
	case v.Less(low), !high.IsZero() && high.Less(next):
		return maybe
	}
	return inside
}
