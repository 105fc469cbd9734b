// Package gpu holds the words for GPU architectures: compute capabilities (8.6) and compiler targets (sm_86,
// compute_90, sm_90a), with every spelling tools use for them. It reads text only; which toolkit knows a
// target, and which device runs it, are questions for package compat.
package gpu

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// CC is a compute capability. The zero value means unknown.
type CC struct {
	Major, Minor int
}

// ParseCC reads "8.6", "86", "sm_86", "compute_86", "12.0" or "120".
func ParseCC(s string) (CC, error) {
	a, err := ParseArch(s)
	if err != nil {
		return CC{}, fmt.Errorf("%q is not a compute capability: write it as 8.6, 86 or sm_86", s)
	}
	if a.Suffix != "" {
		return CC{}, fmt.Errorf("%q is not a compute capability: it carries the suffix %q of a compiler target", s, a.Suffix)
	}
	return a.CC, nil
}

// MustCC is ParseCC for constants in tests.
func MustCC(s string) CC {
	c, err := ParseCC(s)
	if err != nil {
		panic(err)
	}
	return c
}

// IsZero says that the capability is unknown.
func (c CC) IsZero() bool { return c == CC{} }

// Compare orders by major, then minor.
func (c CC) Compare(d CC) int {
	return cmp.Or(cmp.Compare(c.Major, d.Major), cmp.Compare(c.Minor, d.Minor))
}

// String is the dotted form, 8.6; "" when unknown.
func (c CC) String() string {
	if c.IsZero() {
		return ""
	}
	return strconv.Itoa(c.Major) + "." + strconv.Itoa(c.Minor)
}

// Digits is the form compilers use: 86, 120.
func (c CC) Digits() string {
	return strings.ReplaceAll(c.String(), ".", "")
}

// SM is the plain real target of the capability: sm_86.
func (c CC) SM() Arch { return Arch{CC: c} }

// MarshalText writes the dotted form.
func (c CC) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads any spelling; empty text is the unknown capability.
func (c *CC) UnmarshalText(text []byte) (err error) {
	*c = CC{}
	if len(text) > 0 {
		*c, err = ParseCC(string(text))
	}
	return err
}
