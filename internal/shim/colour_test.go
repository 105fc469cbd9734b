package shim

import "testing"

func TestWithoutEscapes(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"no colours", "k.cu:2: warning\n", "k.cu:2: warning\n"},
		{"gcc", "k.cu:2:2: \x1b[01;35m\x1b[Kwarning: \x1b[m\x1b[Kx", "k.cu:2:2: warning: x"},
		{"a link", "[\x1b]8;;https://gcc.gnu.org/W\a-Wcpp\x1b]8;;\a]", "[-Wcpp]"},
		{"a link with another end", "[\x1b]8;;x\x1b\\-Wcpp\x1b]8;;\x1b\\]", "[-Wcpp]"},
		{"cut off", "a\x1b[01;3", "a"},
		{"at the end", "a\x1b", "a"},
		{"of another kind", "a\x1bMb", "aMb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(withoutEscapes([]byte(tt.in))); got != tt.want {
				t.Errorf("withoutEscapes(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// FuzzWithoutEscapes: nothing of a sequence's beginning stays, and nothing is added.
func FuzzWithoutEscapes(f *testing.F) {
	f.Add([]byte("a\x1b[01;35m\x1b[Kb\x1b]8;;x\x1b\\"))
	f.Fuzz(func(t *testing.T, in []byte) {
		out := withoutEscapes(in)
		if len(out) > len(in) {
			t.Errorf("%q became %q", in, out)
		}
		for _, c := range out {
			if c == escape {
				t.Errorf("%q became %q", in, out)
			}
		}
	})
}
