package contract

import (
	"regexp"
	"strings"
	"testing"

	"cupel/internal/version"
)

func TestRangeHas(t *testing.T) {
	for _, tt := range []struct{ name, in, has, not string }{
		{"lower bound", ">=12.4", "12.4 12.4.1 13", "12.3.2 11"},
		{"upper bound of a line", "<=13", "13 13.2 13.2.9 12", "14 14.0.1"},
		{"below", "<13", "12.9.1", "13 13.0.0 13.0"},
		{"above a line", ">12.4", "12.5 13", "12.4 12.4.1 12.4.0.1"},
		{"bare", "12.5", "12.5 12.5.1", "12.4 12.6 13"},
		{"equal", "=12.5.1", "12.5.1 12.5.1.7", "12.5 12.5.2"},
		{"two bounds", ">=9, <14", "9 13.2.0", "8.5 14"},
		{"blanks", "  >= 9 ,<  14 ", "9 13", "14"},
		{"three bounds", ">=9,<14,<=12", "12.9", "13"},
		{"leading zeros", ">=450.80.02", "450.80.2 451", "450.80.01"},
		{"one part against four", "<=14.38.33130", "14.38", "14.39"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := ParseRange(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range strings.Fields(tt.has) {
				if !r.Has(version.MustParse(v)) {
					t.Errorf("%q does not hold %s", tt.in, v)
				}
			}
			for _, v := range strings.Fields(tt.not) {
				if r.Has(version.MustParse(v)) {
					t.Errorf("%q holds %s", tt.in, v)
				}
			}
			if r.Has(version.V{}) {
				t.Errorf("%q holds an unknown version", tt.in)
			}
			if r.String() != strings.TrimSpace(tt.in) {
				t.Errorf("String of %q is %q", tt.in, r)
			}
		})
	}
}

func TestRangeEmpty(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want bool
	}{
		{">=13, <12", true}, {">12, <13", true}, {">=12, <12", true}, {"12.4, 12.5", true}, {"<0", true}, {">12.4, <=12.4", true},
		{">=12, <=12", false}, {"12, 12.5", false}, {">12.4, <13", false}, {"<0.1", false}, {"0", false}, {">=1", false},
	} {
		r, err := ParseRange(tt.in)
		if err != nil || r.Empty() != tt.want {
			t.Errorf("Empty of %q = %t (%v), want %t", tt.in, r.Empty(), err, tt.want)
		}
	}
}

func TestRangeRefused(t *testing.T) {
	for _, tt := range []struct{ in, hint string }{
		{"12.*", "leave the star out"}, {"12.x", "leave the x out"}, {"==12", "write = once"}, {"!=12.5", "exclude"}, {"~12.4", "both bounds"}, {"^12", "both bounds"},
		{"12.4+", ">=12.4"}, {"12.4 - 12.6", "<=12.6"}, {">=12 <13", "comma"}, {"<12 || >13", "no gaps"}, {"", "write bounds"}, {">=12,", "write bounds"},
		{"latest", "write bounds"}, {">=", "write bounds"}, {"1.2.3.4.5", "write bounds"}, {"=>12", "write bounds"},
	} {
		if r, err := ParseRange(tt.in); err == nil || !strings.Contains(err.Error(), tt.hint) {
			t.Errorf("ParseRange(%q) = %v, %v, want a hint with %q", tt.in, r, err, tt.hint)
		}
	}
}

func TestSize(t *testing.T) {
	for _, tt := range []struct {
		in, text string
		want     int64
	}{
		{"8 GiB", "8 GiB", 8192}, {"16384 MiB", "16 GiB", 16384}, {"24GB", "22888 MiB", 22888}, {"1.5GiB", "1536 MiB", 1536}, {"1TiB", "1024 GiB", 1 << 20},
		{"500 MB", "476 MiB", 476},
	} {
		var s Size
		if err := s.UnmarshalText([]byte(tt.in)); err != nil || s.MiB != tt.want || s.String() != tt.text {
			t.Errorf("Size(%q) = %d, %q, %v, want %d, %q", tt.in, s.MiB, s, err, tt.want, tt.text)
		}
	}
	for _, in := range []string{"", "8", "8 G", "GiB", "-1 GiB", "8  GiB", "8 gib", "1e3 GiB", "99999999 TiB"} {
		if err := new(Size).UnmarshalText([]byte(in)); err == nil {
			t.Errorf("Size(%q) was taken", in)
		}
	}
}

// rangeForm is what the schema tells editors; it must not differ from the reader.
var rangeForm = regexp.MustCompile("^" + bound + "(," + bound + ")*$")

func FuzzRange(f *testing.F) {
	for _, s := range []string{">=9, <14", "12.5", "12.*", "<=13", ">12.4", "=1.2.3.4", "999999999.999999999", "", ",", "<0", ">=12 <13"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRange(s)
		if (err == nil) != rangeForm.MatchString(s) && strings.Trim(s, " .,<>=0123456789") == "" {
			t.Errorf("ParseRange(%q): %v, and the schema says otherwise", s, err)
		}
		if err != nil {
			return
		}
		if again, err := ParseRange(r.String()); err != nil || again != r {
			t.Errorf("ParseRange(%q) reads back as %v, %v", s, again, err)
		}
		if low := r.Low(); !low.IsZero() && r.Has(low) == r.Empty() {
			t.Errorf("%q: holds its low end %s is %t, empty is %t", s, low, r.Has(low), r.Empty())
		}
		if high := r.High(); !high.IsZero() && r.Has(high) {
			t.Errorf("%q holds its high end %s", s, high)
		}
	})
}
