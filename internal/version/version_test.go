package version

import (
	"encoding/json"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		parts    int
		bad      bool
	}{
		{"one part", "12", 1, false},
		{"release", "12.4.1", 3, false},
		{"driver with a leading zero", "450.80.02", 3, false},
		{"four parts", "9.14.0.64", 4, false},
		{"five parts", "1.2.3.4.5", 0, true},
		{"empty", "", 0, true},
		{"empty part", "12..4", 0, true},
		{"trailing dot", "12.4.", 0, true},
		{"letters", "12.4rc1", 0, true},
		{"sign", "-12.4", 0, true},
		{"too long a part", "12.1234567890", 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Parse(tt.in)
			if (err != nil) != tt.bad || v.Parts() != tt.parts {
				t.Fatalf("Parse(%q) = %q with %d parts, %v; want %d parts, bad %t", tt.in, v, v.Parts(), err, tt.parts, tt.bad)
			}
			if err == nil && v.String() != tt.in {
				t.Errorf("Parse(%q).String() = %q", tt.in, v)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       int
	}{
		{"minor counts as a number", "12.10", "12.9", 1},
		{"missing part is zero", "12.4", "12.4.0", 0},
		{"leading zero does not count", "450.80.02", "450.80.2", 0},
		{"update", "12.4", "12.4.1", -1},
		{"driver branch", "550.54.15", "550.54.14", 1},
		{"branch alone", "580", "580.65.06", -1},
		{"unknown is lowest", "", "0", -1},
		{"unknown equals unknown", "", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a, b V
			if a.UnmarshalText([]byte(tt.a)) != nil || b.UnmarshalText([]byte(tt.b)) != nil {
				t.Fatalf("%q or %q does not parse", tt.a, tt.b)
			}
			if got, back := a.Compare(b), b.Compare(a); got != tt.want || back != -tt.want {
				t.Errorf("Compare(%q, %q) = %d and back %d, want %d", tt.a, tt.b, got, back, tt.want)
			}
		})
	}
}

func TestCovers(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"minor covers its update", "13.0", "13.0.2", true},
		{"major covers all", "13", "13.4.2", true},
		{"itself", "13.0.2", "13.0.2", true},
		{"update does not cover its minor", "13.0.2", "13.0", false},
		{"another minor", "13.0", "13.1.0", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := MustParse(tt.a).Covers(MustParse(tt.b)); got != tt.want {
				t.Errorf("%s covers %s = %t, want %t", tt.a, tt.b, got, tt.want)
			}
		})
	}
	if (V{}).Covers(MustParse("12.4")) {
		t.Error("the unknown version covers 12.4")
	}
}

func TestFind(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nvcc", "Cuda compilation tools, release 12.4, V12.4.131", "12.4"},
		{"gcc", "gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "12.2.0"},
		{"end of a sentence", "this is 9.1.", "9.1"},
		{"a lone number is no version", "kernel 6", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, ok := Find(tt.in)
			if v.String() != tt.want || ok != (tt.want != "") {
				t.Errorf("Find(%q) = %q, %t, want %q", tt.in, v, ok, tt.want)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	type box struct {
		V V `json:"v,omitzero"`
	}
	for _, want := range []string{`{"v":"450.80.02"}`, `{}`} {
		var b box
		if err := json.Unmarshal([]byte(want), &b); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(b); string(got) != want {
			t.Errorf("round trip of %s gives %s", want, got)
		}
	}
	var b box
	if err := json.Unmarshal([]byte(`{"v":"soon"}`), &b); err == nil {
		t.Error(`"soon" was taken for a version`)
	}
}

func TestParseRelease(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"minor", "12.4", "12.4"}, {"wheel tag", "124", "12.4"}, {"update", "12.4.1", "12.4.1"},
		{"CUDART_VERSION", "12040", "12.4"}, {"CUDART_VERSION of 13.0", "13000", "13.0"}, {"old CUDART_VERSION", "9020", "9.2"},
		{"folder", "v12.4", "12.4"}, {"nvcc build", "V12.4.131", "12.4.131"}, {"pip tag", "cu124", "12.4"}, {"pip major", "cu13", "13"},
		{"root", "cuda-12.4", "12.4"}, {"root without dash", "cuda12.4", "12.4"}, {"three digits", "130", "13.0"},
		{"variable name", "V12_4", "12.4"}, {"package name", "12-4", "12.4"}, {"spaces", " 11.8 ", "11.8"},
		{"spoken", "CUDA 12.4", "12.4"}, {"never released still parses", "12.7", "12.7"}, {"major", "12", "12"},
		{"empty", "", ""}, {"word", "latest", ""}, {"four digits of no tool", "1240", ""}, {"wildcard", "12.x", ""},
		{"four parts", "12.4.1.2", ""}, {"odd CUDART_VERSION", "12041", ""}, {"zero", "0", ""}, {"sign", "-12.4", ""},
		{"six digits", "120400", ""}, {"plus sign", "+124", ""}, {"only a prefix", "cuda", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := ParseRelease(tt.in)
			if v.String() != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("ParseRelease(%q) = %q, %v, want %q", tt.in, v, err, tt.want)
			}
		})
	}
}

func FuzzParseRelease(f *testing.F) {
	for _, s := range []string{"12.4", "cu124", "12040", "V12.4.131", "cuda-", "\xff", "1.2.3.4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseRelease(s)
		if err != nil {
			if !v.IsZero() {
				t.Errorf("ParseRelease(%q) gives %s and an error", s, v)
			}
			return
		}
		if again, err := ParseRelease(v.String()); err != nil || again != v {
			t.Errorf("ParseRelease(%q) = %s, which reads as %s, %v", s, v, again, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"12.4", "450.80.02", "1.2.3.4", "", "..", "0.00.000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		Find(s)
		if v, err := Parse(s); err == nil && v.String() != s {
			t.Errorf("Parse(%q).String() = %q", s, v)
		}
	})
}
