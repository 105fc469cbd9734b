package project

import (
	"strings"
	"testing"
)

func TestCommentsAreBlank(t *testing.T) {
	for _, tt := range []struct {
		name string
		lang language
		in   string
		want string // with _ for a blank
	}{
		{"rust line", rustText, "a // b\nc", "a ____\nc"},
		{"rust nested", rustText, "a/*b/*c*/d*/e", "a___________e"},
		{"rust string", rustText, `x("http://a") // y`, `x("http://a") ____`},
		{"rust raw string", rustText, `x(r#"a" // b"#) // c`, `x(r#"a" // b"#) ____`},
		{"rust characters and lifetimes", rustText, `'"' '\'' &'a str // "`, `'"' '\'' &'a str ____`},
		{"rust variable that ends in r", rustText, `for"a"//b`, `for"a"___`},
		{"cuda", cudaText, "#if A /* B\n C */ < 1 // D", "#if A ____\n_____ < 1 ____"},
		{"python", pythonText, "a = 'x#y' # z", "a = 'x#y' ___"},
		{"python documentation", pythonText, "\"\"\"-gencode\n# a\"\"\"\nb", "___________\n______\nb"},
		{"cmake line", cmakeText, "set(A 1) # set(B)\nset(C \"#\")", "set(A 1) ________\nset(C \"#\")"},
		{"cmake bracket comment", cmakeText, "a #[[b\nc]] d", "a ____\n___ d"},
		{"cmake bracket argument", cmakeText, "a [==[ # b ]==] c", "a [==[ # b ]==] c"},
		{"make", hashText, "A = b#c # d", "A = b#c ___"},
		{"open to the end", cudaText, "a /* b", "a ____"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.lang.blank(tt.in)
			if want := strings.ReplaceAll(tt.want, "_", " "); got != want {
				t.Errorf("blank(%q)\n got %q\nwant %q", tt.in, got, want)
			}
		})
	}
}

func FuzzBlank(f *testing.F) {
	f.Add("a /* b */ \"c\" // d\n#[[e]] '''f''' r#\"g\"# 'h' \\")
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range []language{rustText, cudaText, pythonText, cmakeText, hashText} {
			got := l.blank(text)
			if len(got) != len(text) || strings.Count(got, "\n") != strings.Count(text, "\n") {
				t.Errorf("blank(%q) = %q: lines or columns moved", text, got)
			}
			for i := range got {
				if got[i] != text[i] && got[i] != ' ' {
					t.Errorf("blank(%q) changed byte %d to %q", text, i, got[i])
				}
			}
		}
	})
}
