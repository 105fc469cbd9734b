package contract

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	values := map[string]string{"toolkit.root": "/k", "arch.list": "{{"}
	for _, tt := range []struct{ name, in, want, missing string }{
		{"nothing", "", "", ""},
		{"plain", "a}b", "a}b", ""},
		{"words", "{toolkit.root}/bin:{toolkit.root}", "/k/bin:/k", ""},
		{"no value", "x{host.cc}y", "x{host.cc}y", "{host.cc}"},
		{"no word at all", "${HOME} {} {x}", "${HOME} {} {x}", ""},
		{"a brace that means itself", `{{"a": "{toolkit.root}"}`, `{"a": "/k"}`, ""},
		{"a word that means itself", "${{toolkit.root}", "${toolkit.root}", ""},
		{"a brace before a word", "{{{toolkit.root}", "{/k", ""},
		{"values are not read again", "{arch.list}", "{{", ""},
		{"never closed", "a{toolkit.root", "a{toolkit.root", ""},
		{"never closed before a word", "{a {toolkit.root}", "{a {toolkit.root}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, missing := Expand(tt.in, func(word string) string { return values[word] })
			if got != tt.want || strings.Join(missing, " ") != tt.missing {
				t.Errorf("Expand(%q) = %q, missing %q; want %q, missing %q", tt.in, got, missing, tt.want, tt.missing)
			}
		})
	}
}

// TestTemplatesTaken: what looks like a mistake and is none.
func TestTemplatesTaken(t *testing.T) {
	for _, text := range []string{
		"[env]\nA = '{{\"x\": 1}'\nB = \"-gencode={{80,90}\"\nC = \"a\\tb}\"\n",
		"[[config]]\nname = \"a\"\ncommand = \"x\"\nneeds = \"none\"\nenv = { A = \"{project.root}\", B = \"{{toolkit.root}\" }\n",
		"[[config]]\nname = \"a\"\ncommand = \"x\"\nneeds = \"stub\"\nenv = { A = \"{toolkit.root}\" }\n",
		"[matrix]\nartifact = \"{{arch}-{arch}-{toolkit.short}\"\naxes = { arch = [\"8.6\"] }\n",
	} {
		if _, all := Parse("cupel.toml", []byte("cupel = 1\n"+text)); len(all) > 0 {
			t.Errorf("Parse(%q): %s", text, show(all))
		}
	}
}

// FuzzExpand: without words nothing but {{ changes, and a text that was escaped comes back whole.
func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"", "{", "{{", "{{{", "}", "a{b}c", "{a{b}", "{toolkit.root", "${{HOME}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, missing := Expand(strings.ReplaceAll(text, "{", "{{"), func(string) string { return "value" })
		if got != text || len(missing) > 0 {
			t.Errorf("escaped %q came back as %q, missing %q", text, got, missing)
		}
		Expand(text, func(string) string { return "" })
	})
}
