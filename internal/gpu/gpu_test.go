package gpu

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestParseArch(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"real", "sm_86", "sm_86"}, {"virtual", "compute_90", "compute_90"}, {"digits", "86", "sm_86"}, {"three digits", "120", "sm_120"},
		{"dotted", "8.6", "sm_86"}, {"dotted two-digit major", "12.0", "sm_120"}, {"suffix", "sm_90a", "sm_90a"}, {"family suffix", "100f", "sm_100f"},
		{"dotted suffix", "9.0a", "sm_90a"}, {"cmake real", "90a-real", "sm_90a"}, {"cmake virtual", "90-virtual", "compute_90"},
		{"torch with PTX", "8.6+PTX", "sm_86"}, {"upper case", "SM_86", "sm_86"}, {"spaces", " 8.6 ", "sm_86"},
		{"one digit", "8", ""}, {"empty", "", ""}, {"unknown suffix", "90b", ""}, {"four digits", "1200", ""}, {"leading zero", "086", ""},
		{"two dots", "8.6.1", ""}, {"word", "native", ""}, {"only a prefix", "sm_", ""}, {"two-digit minor", "8.60", ""}, {"negative", "-86", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := ParseArch(tt.in)
			if a.String() != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("ParseArch(%q) = %q, %v, want %q", tt.in, a, err, tt.want)
			}
		})
	}
}

func TestParseCC(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"dotted", "8.6", "8.6"}, {"digits", "86", "8.6"}, {"real", "sm_86", "8.6"}, {"virtual", "compute_86", "8.6"},
		{"two-digit major", "120", "12.0"}, {"dotted two-digit major", "12.0", "12.0"}, {"a target is no capability", "90a", ""}, {"word", "Ampere", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ParseCC(tt.in)
			if c.String() != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("ParseCC(%q) = %q, %v, want %q", tt.in, c, err, tt.want)
			}
		})
	}
}

func TestParseArchList(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in       string
		spelling Spelling
		want     []Item
	}{
		{"one number", "86", Integer, []Item{{Text: "86", Arch: MustArch("86"), Want: "86"}}},
		{"dot where digits are read", "8.6", Integer, []Item{{Text: "8.6", Arch: MustArch("86"), Want: "86", Why: `"8.6" is not how this reader writes it: it wants 86`}}},
		{"prefix where digits are read", "sm_89", Integer, []Item{{Text: "sm_89", Arch: MustArch("89"), Want: "89", Why: `"sm_89" is not how this reader writes it: it wants 89`}}},
		{"digits where a dot is read", "86", Torch, []Item{{Text: "86", Arch: MustArch("86"), Want: "8.6", Why: `"86" is not how this reader writes it: it wants 8.6`}}},
		{"torch list with both separators", "7.5;8.6 9.0+PTX", Torch, []Item{{Text: "7.5", Arch: MustArch("75"), Want: "7.5"}, {Text: "8.6", Arch: MustArch("86"), Want: "8.6"}, {Text: "9.0+PTX", Arch: MustArch("90"), PTX: true, Want: "9.0+PTX"}}},
		{"torch name", "Ampere", Torch, []Item{{Text: "Ampere", Word: "Ampere"}}},
		{"torch with a comma", "8.6,8.9", Torch, []Item{{Text: "8.6,8.9", Why: `"8.6,8.9" is not a GPU architecture: write it as sm_86, compute_86, 86 or 8.6`}}},
		{"cmake list", "75;86-real;90-virtual", CMake, []Item{{Text: "75", Arch: MustArch("75"), PTX: true, Want: "75"}, {Text: "86-real", Arch: MustArch("86"), Want: "86-real"}, {Text: "90-virtual", Arch: MustArch("compute_90"), Want: "90-virtual"}}},
		{"cmake with a dot", "8.6", CMake, []Item{{Text: "8.6", Arch: MustArch("86"), PTX: true, Want: "86", Why: `"8.6" is not how this reader writes it: it wants 86`}}},
		{"cmake word", "all-major", CMake, []Item{{Text: "all-major", Word: "all-major"}}},
		{"nvcc", "sm_90a", SM, []Item{{Text: "sm_90a", Arch: MustArch("90a"), Want: "sm_90a"}}},
		{"empty list", " ", Torch, nil},
		{"empty value", "", Integer, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ParseArchList(tt.in, tt.spelling); !slices.Equal(got, tt.want) {
				t.Errorf("ParseArchList(%q, %s) =\n%+v, want\n%+v", tt.in, tt.spelling, got, tt.want)
			}
		})
	}
}

func TestOrder(t *testing.T) {
	list := []Arch{MustArch("compute_90"), MustArch("120"), MustArch("90a"), MustArch("90"), MustArch("86")}
	slices.SortFunc(list, Arch.Compare)
	want := []Arch{MustArch("86"), MustArch("90"), MustArch("compute_90"), MustArch("90a"), MustArch("120")}
	if !slices.Equal(list, want) {
		t.Errorf("sorted %v, want %v", list, want)
	}
}

func TestJSON(t *testing.T) {
	const text = `{"Arch":"compute_90a","CC":"12.0"}`
	var v struct {
		Arch Arch
		CC   CC
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(v); string(got) != text {
		t.Errorf("round trip of %s gives %s", text, got)
	}
}

func FuzzParseArch(f *testing.F) {
	for _, s := range []string{"sm_90a", "8.6+PTX", "90-virtual", "compute_", "120f", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseArch(s)
		if err != nil {
			return
		}
		if again, err := ParseArch(a.String()); err != nil || again != a {
			t.Errorf("ParseArch(%q) = %s, which reads as %s, %v", s, a, again, err)
		}
	})
}

// FuzzParseArchList wants every item to be judged: a target, a word, or a reason.
func FuzzParseArchList(f *testing.F) {
	for _, s := range []string{"75;86-real", "7.5 8.6+PTX", "Ampere", ";;", "86,89"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, spelling := range []Spelling{Integer, Dotted, SM, CMake, Torch} {
			for _, it := range ParseArchList(s, spelling) {
				if it.Arch.IsZero() && it.Word == "" && it.Why == "" {
					t.Errorf("%s item %q of %q is not judged", spelling, it.Text, s)
				}
			}
		}
	})
}
