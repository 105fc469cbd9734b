package render

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"cupel/internal/diagnose"
	"cupel/internal/signature"
)

// FuzzExplain: a log is a stranger's bytes. Reading, judging and showing them must not crash, and what is shown is
// text without control characters.
func FuzzExplain(f *testing.F) {
	set, err := signature.Compile(signature.All())
	if err != nil {
		f.Fatal(err)
	}
	for i, s := range signature.All() {
		if i%7 == 0 {
			f.Add([]byte(s.Examples[0].Text))
		}
	}
	f.Add([]byte("\xff\xfen\x00v\x00c\x00c\x00 \x00f\x00a\x00t\x00a\x00l\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		seen, err := diagnose.Read(bytes.NewReader(b), set)
		if err != nil {
			t.Fatal(err)
		}
		a := diagnose.Judge(seen, diagnose.Options{Name: "fuzz.log"})
		sarif, err := ExplainSARIF(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{Style{Width: 80}.Explain(a, true), ExplainMarkdown(a), ExplainGitHub(a), string(sarif)} {
			if !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\x07\x00\r") {
				t.Errorf("not fit for a terminal: %q", text)
			}
		}
	})
}
