package compat

import (
	"testing"

	"cupel/internal/version"
)

func TestGlibcTooNew(t *testing.T) {
	for _, tt := range []struct {
		name, release, glibc, origin string
		want                         bool
		max                          string
	}{
		{"12.9 and 2.41", "12.9.1", "2.41", "installer", true, "2.40"},
		{"12.9 and 2.40", "12.9.1", "2.40", "installer", false, "2.40"},
		{"X.Y alone", "12.4", "2.41", "unknown", true, "2.40"},
		{"Debian's own 12.4", "12.4.1", "2.41", "distribution", false, "0"},
		{"13.0 and 2.41", "13.0.2", "2.41", "installer", false, "2.41"},
		{"13.1 and 2.42", "13.1.0", "2.42", "pip", true, "2.41"},
		{"13.2 and 2.43", "13.2.0", "2.43", "installer", false, "0"},
		{"the release is not known", "", "2.43", "installer", false, "0"},
		{"the C library is not known", "12.4.1", "", "installer", false, "0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rel, _ := version.Parse(tt.release)
			glibc, _ := version.Parse(tt.glibc)
			limit, got := GlibcTooNew(rel, glibc, tt.origin)
			if got != tt.want || limit.Max.String() != tt.max && !(limit.Max.IsZero() && tt.max == "0") {
				t.Errorf("GlibcTooNew(%s, %s, %s) = %s, %t, want %s, %t", tt.release, tt.glibc, tt.origin, limit.Max, got, tt.max, tt.want)
			}
		})
	}
}
