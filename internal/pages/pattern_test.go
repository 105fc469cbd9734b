package pages

import (
	"regexp"
	"strings"
	"testing"
)

func TestExtended(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		group          int
		ok             bool
	}{
		{"a version", `cuda:([0-9]+\.[0-9]+)`, `cuda:([0-9]+\.[0-9]+)`, 1, true},
		{"digits by name", `v(\d+)`, `v([0-9]+)`, 1, true},
		{"a group that does not capture", `(?:cuda|CUDA)-(\d)`, `(cuda|CUDA)-([0-9])`, 2, true},
		{"all but a quote", `"([^"]+)"`, `"([^"]+)"`, 1, true},
		{"no group", `12\.4`, `12\.4`, 0, true},
		{"anchors", `^x = (.*)$`, `^x = (.*)$`, 1, true},
		{"counts", `(\d{2,3})`, `([0-9]{2,3})`, 1, true},
		{"white space", `a\s*=`, "a[\t ]*=", 0, true},
		{"lazy", `a.*?b`, "", 0, false},
		{"case folding", `(?i)cuda`, "", 0, false},
		{"word boundary", `\bcuda`, "", 0, false},
		{"letters beyond ASCII", `é(\d)`, "", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, group, ok := extended(tt.in)
			if ok != tt.ok || ok && (got != tt.want || group != tt.group) {
				t.Errorf("extended(%q) = %q, %d, %v, want %q, %d, %v", tt.in, got, group, ok, tt.want, tt.group, tt.ok)
			}
		})
	}
}

// FuzzExtended: what is written is an expression that POSIX knows, on one line, and it finds a line whenever the
// pattern does.
func FuzzExtended(f *testing.F) {
	for _, s := range []string{`cuda:([0-9.]+)`, `(?:a|b)+c{2,}`, `[^]x-]`, `[\]\[^-]`, `x|`, `()`, `\x00`, `[[:alpha:]_]`} {
		f.Add(s, "cuda:12.4 abbcc")
	}
	f.Fuzz(func(t *testing.T, pattern, line string) {
		ere, _, ok := extended(pattern)
		if !ok || len(pattern) > 200 {
			return
		}
		posix, err := regexp.CompilePOSIX(ere)
		if err != nil {
			t.Fatalf("extended(%q) = %q: %v", pattern, ere, err)
		}
		for _, c := range []byte(line) {
			if c < ' ' || c > '~' {
				return
			}
		}
		if strings.ContainsAny(ere, "\n\r") || regexp.MustCompile(pattern).MatchString(line) != posix.MatchString(line) {
			t.Errorf("extended(%q) = %q: they do not agree about %q", pattern, ere, line)
		}
	})
}
