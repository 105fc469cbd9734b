package contract

import (
	"fmt"
	"strconv"

	"cupel/internal/pattern"
)

// Size is an amount of memory in MiB.
type Size struct{ MiB int64 }

const sizeForm = `^([0-9]{1,7}(?:\.[0-9]{1,3})?) ?([MGT]i?B)$`

var sizeText = pattern.New(sizeForm)

// units in bytes: as standards write them, GiB is a power of two and GB a power of ten.
var units = map[string]float64{"MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "MB": 1e6, "GB": 1e9, "TB": 1e12}

// UnmarshalText reads "8 GiB", "24GB", "16384 MiB"; parts of a MiB are dropped.
func (s *Size) UnmarshalText(text []byte) error {
	m := sizeText.FindSubmatch(text)
	if m == nil {
		return badForm("write 8 GiB, 24GB or 16384 MiB", "%q is not an amount of memory", text)
	}
	n, _ := strconv.ParseFloat(string(m[1]), 64)
	s.MiB = int64(n * units[string(m[2])] / (1 << 20))
	return nil
}

// String is the shortest form in binary units.
func (s Size) String() string {
	if s.MiB >= 1024 && s.MiB%1024 == 0 {
		return fmt.Sprintf("%d GiB", s.MiB/1024)
	}
	return fmt.Sprintf("%d MiB", s.MiB)
}

// IsZero says that nothing is demanded.
func (s Size) IsZero() bool { return s.MiB == 0 }
