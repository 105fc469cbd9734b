// Package version holds dotted version numbers: CUDA releases, drivers, compilers, libraries. It reads text
// only; whether a number was ever released is a question for the tables, not for this package.
package version

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxParts is the longest number cupel meets: cuDNN (9.14.0.64) and Windows file versions have four parts.
const MaxParts = 4

// V is a version of one to four parts. It remembers how many parts were given, because 13.0 may stand for
// every update of 13.0 while 13.0.0 is one release, and it remembers leading zeros, because NVIDIA writes
// drivers as 450.80.02. The zero value means unknown. Use Compare for order and equality of value;
// == also tells 450.80.2 from 450.80.02.
type V struct {
	part  [MaxParts]int32
	zeros [MaxParts]uint8
	n     uint8
}

// Of makes a version from its parts: Of(12, 4) is 12.4. Parts beyond the fourth are a programming error.
func Of(parts ...int) V {
	var v V
	for _, p := range parts {
		v.part[v.n] = int32(p)
		v.n++
	}
	return v
}

// Parse reads one to four dotted numbers and nothing else.
func Parse(s string) (V, error) {
	var v V
	fields := strings.Split(s, ".")
	if len(fields) > MaxParts {
		return V{}, fmt.Errorf("version %q has more than %d parts", s, MaxParts)
	}
	for i, f := range fields {
		part, zeros, err := parsePart(f)
		if err != nil {
			return V{}, fmt.Errorf("version %q: %w", s, err)
		}
		v.part[i], v.zeros[i] = part, zeros
		v.n++
	}
	return v, nil
}

// parsePart limits a part to nine digits: longer ones are dates or hashes, and they would not fit.
func parsePart(f string) (part int32, zeros uint8, err error) {
	if f == "" || len(f) > 9 {
		return 0, 0, fmt.Errorf("part %q is not a number of one to nine digits", f)
	}
	for _, c := range f {
		if c < '0' || c > '9' {
			return 0, 0, fmt.Errorf("part %q is not a number of one to nine digits", f)
		}
	}
	n, _ := strconv.Atoi(f)
	return int32(n), uint8(len(f) - len(strconv.Itoa(n))), nil
}

// MustParse is Parse for constants in tests.
func MustParse(s string) V {
	v, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return v
}

// Find returns the first dotted number of two to four parts in text, as tools print them among other words.
func Find(text string) (V, bool) {
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && (isDigit(text[end]) || text[end] == '.') {
			end++
		}
		word := strings.Trim(text[start:end], ".")
		if v, err := Parse(word); err == nil && v.n > 1 {
			return v, true
		}
		start = end + 1
	}
	return V{}, false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
