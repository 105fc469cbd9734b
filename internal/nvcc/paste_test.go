package nvcc

import "testing"

// pasted are words that shells would like to take apart.
var pasted = []string{"nvcc", "-arch=sm_80", "a b", "it's", `say "x"`, "$HOME", "`id`", "a;b", "a&b|c>d", "*.cu", "", `C:\x y\`, `a\"b`, "100%", "%PATH%", "^", "(x)", "~", "#x", "a,b", "ä", `\\srv\s`, "!x"}

func TestPaste(t *testing.T) {
	for _, tt := range []struct{ word, shell, cmd string }{
		{"-arch=sm_80", "-arch=sm_80", "-arch=sm_80"},
		{"a b", "'a b'", `"a b"`},
		{"it's", `'it'\''s'`, `"it's"`},
		{"", "''", `""`},
		{`C:\x\k.cu`, `'C:\x\k.cu'`, `C:\x\k.cu`},
		{`C:\x y\`, `'C:\x y\'`, `"C:\x y\\"`},
		{"a&b", "'a&b'", `"a&b"`},
		{`-DX="a"`, `'-DX="a"'`, `^"-DX=\^"a\^"^"`},
		{"%PATH%", "'%PATH%'", `^"^%PATH^%^"`},
	} {
		if got := Paste([]string{"x", tt.word}, false); got != "x "+tt.shell {
			t.Errorf("Paste(%q) = %q, want %q", tt.word, got, "x "+tt.shell)
		}
		if got := Paste([]string{"x", tt.word}, true); got != "x "+tt.cmd {
			t.Errorf("Paste(%q) for cmd = %q, want %q", tt.word, got, "x "+tt.cmd)
		}
	}
}
