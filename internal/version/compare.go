package version

import (
	"cmp"
	"strconv"
	"strings"
)

// IsZero says that the version is unknown. It also keeps unknown versions out of JSON (omitzero).
func (v V) IsZero() bool { return v.n == 0 }

// Parts says how many parts were given.
func (v V) Parts() int { return int(v.n) }

// Part returns the i-th part, 0 when it was not given.
func (v V) Part(i int) int { return int(v.part[i]) }

// Major, Minor and Patch are the first three parts, 0 when not given.
func (v V) Major() int { return int(v.part[0]) }
func (v V) Minor() int { return int(v.part[1]) }
func (v V) Patch() int { return int(v.part[2]) }

// Short cuts the version to X.Y; a version of one part stays as it is.
func (v V) Short() V { return v.Cut(2) }

// Cut keeps at most n parts.
func (v V) Cut(n int) V {
	w := V{n: min(v.n, uint8(n))}
	copy(w.part[:w.n], v.part[:])
	copy(w.zeros[:w.n], v.zeros[:])
	return w
}

// Compare orders by value, missing parts counting as 0. An unknown version is lower than every known one.
func (v V) Compare(w V) int {
	for i := range v.part {
		if c := cmp.Compare(v.part[i], w.part[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(min(v.n, 1), min(w.n, 1))
}

// Less says v comes before w.
func (v V) Less(w V) bool { return v.Compare(w) < 0 }

// AtLeast says v is w or newer.
func (v V) AtLeast(w V) bool { return v.Compare(w) >= 0 }

// Covers says that every part given in v is the same in w: 13.0 covers 13.0.2, and 13.0.2 only itself.
// An unknown version covers nothing.
func (v V) Covers(w V) bool {
	return v.n > 0 && v.n <= w.n && v.Cut(int(v.n)).part == w.Cut(int(v.n)).part
}

// String is the dotted form as it was written; "" when unknown.
func (v V) String() string {
	var b strings.Builder
	for i := range int(v.n) {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strings.Repeat("0", int(v.zeros[i])))
		b.WriteString(strconv.Itoa(int(v.part[i])))
	}
	return b.String()
}

// MarshalText writes the dotted form.
func (v V) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the dotted form; empty text is the unknown version.
func (v *V) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*v = V{}
		return nil
	}
	w, err := Parse(string(text))
	if err != nil {
		return err
	}
	*v = w
	return nil
}
