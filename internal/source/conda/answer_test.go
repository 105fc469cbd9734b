package conda

import (
	"strings"
	"testing"

	"cupel/internal/resolve"
)

const sum64 = "a901fd87aafef05156fe2043f7301e30e7133e815605bfb390f06f0647827c77"

func TestSolution(t *testing.T) {
	whole := `{"name": "zlib", "version": "1.2.11", "fn": "zlib-1.2.11-h0.tar.bz2", "url": "https://x/c/linux-64/zlib-1.2.11-h0.tar.bz2", "sha256": "` + sum64 + `", "size": 103268}`
	for _, tt := range []struct {
		name, text string
		whole      bool
	}{
		{"micromamba", `{"actions": {"FETCH": [], "LINK": [` + whole + `]}}`, true},
		{"conda", `{"actions": {"FETCH": [` + whole + `], "LINK": [{"name": "zlib", "version": "1.2.11", "dist_name": "zlib-1.2.11-h0"}]}}`, true},
		{"a banner, and twice", "mamba (1.5)\n{oops\n" + `{"actions": {"FETCH": [], "LINK": [{"name": "zlib", "version": "1.2.11"}]}}` + "\n" + `{"actions": {"FETCH": [` + whole + `]}}`, true},
		{"no file name", strings.Replace(`{"actions": {"LINK": [`+whole+`]}}`, `"fn": "zlib-1.2.11-h0.tar.bz2", `, "", 1), true},
		{"capital letters", strings.Replace(`{"actions": {"LINK": [`+whole+`]}}`, sum64, strings.ToUpper(sum64), 1), true},
		{"in the cache", `{"actions": {"FETCH": [], "LINK": [{"name": "zlib", "version": "1.2.11"}]}}`, false},
		{"no checksum", strings.Replace(`{"actions": {"LINK": [`+whole+`]}}`, sum64, "", 1), false},
		{"an option for an address", strings.Replace(`{"actions": {"LINK": [`+whole+`]}}`, "https://x", "--prefix=https://x", 1), false},
		{"a path for a file", strings.ReplaceAll(`{"actions": {"LINK": [`+whole+`]}}`, "zlib-1.2.11-h0.tar.bz2", "..\\\\x.conda"), false},
		{"empty", "", false},
		{"not JSON", "<html>{</html>", false},
		{"another type", `{"actions": {"LINK": [{"name": 7}, ` + whole + `]}}`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := solution(tt.text)["zlib"]; got.whole() != tt.whole {
				t.Errorf("solution(%s) = %+v, whole %t, want %t", tt.text, got, got.whole(), tt.whole)
			}
		})
	}
}

func TestParcel(t *testing.T) {
	n := resolve.Named{Name: "zlib", Brings: []string{"nvcc", "nvptxcompiler"}}
	for file, want := range map[string]string{"a-1-0.conda": resolve.Conda, "a-1-0.tar.bz2": resolve.TarBZ2} {
		if got := New(Config{}).parcel(n, record{Name: "a", File: file}); got.Format != want || got.Component != "nvcc" || len(got.Brings) != 2 {
			t.Errorf("parcel of %s: %+v, want format %s", file, got, want)
		}
	}
}

// TestSecretPlace: a plan does not show the token of a channel, and the source that made it still fetches with it.
func TestSecretPlace(t *testing.T) {
	r := record{Name: "a", File: "a-1-0.conda", URL: "https://me:word@h/t/to-ken/c/noarch/a-1-0.conda", SHA256: strings.Repeat("0", 64)}
	src := New(Config{})
	p := src.parcel(resolve.Named{Name: "a", Brings: []string{"nvcc"}}, r)
	if want := "https://***@h/t/***/c/noarch/a-1-0.conda"; p.Place != want {
		t.Errorf("the plan shows %q, want %q", p.Place, want)
	}
	if got, err := src.place(p); got != r.URL || err != nil {
		t.Errorf("place = %q, %v, want the whole address", got, err)
	}
	if got, err := New(Config{}).place(p); err == nil {
		t.Errorf("place of another source = %q, want an error", got)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("banner\n" + `{"actions": {"FETCH": [{"name": "a", "url": "https://x/a-1-0.conda"}], "LINK": [{"name": "a"}]}}{"x": 1}`)
	f.Add(`{"result": {"pkgs": [{"name": "cuda-toolkit", "version": "13.0.2"}]}}`)
	f.Add(`{"cuda-toolkit": [{"name": "cuda-toolkit", "version": "13.0.2"}], "error": "x", "solver_problems": ["y"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for name, r := range solution(text) {
			if name == "" || r.whole() && (strings.ContainsAny(r.File, "/\\") || strings.HasPrefix(r.URL, "-")) {
				t.Errorf("solution(%q) has %+v under %q", text, r, name)
			}
		}
		listing(text, metapackage)
		complaint(text)
	})
}
