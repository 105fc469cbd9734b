package include

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestEntered(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
		others   []string
	}{
		{"gcc", "# 0 \"k.cu\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n# 0 \"<command-line>\" 2\n# 1 \"k.cu\"\n# 1 \"a b.h\" 1\n\n# 2 \"k.cu\" 2\nint a;\n",
			[]string{"k.cu", "/usr/include/stdc-predef.h", "a b.h"}, nil},
		{"clang", "# 1 \"k.cu\"\n# 1 \"<built-in>\" 1\n# 1 \"<built-in>\" 3\n# 1 \"<command line>\" 1\n# 1 \"./x.h\" 1\n# 1 \"./x.h\" 1\n# 2 \"k.cu\" 2\n", []string{"k.cu", "./x.h"}, nil},
		{"cl", "#line 1 \"C:\\\\a b\\\\k.cu\"\r\n#line 1 \"C:\\\\x.h\"\r\n\r\n#line 2 \"C:\\\\a b\\\\k.cu\"\r\n", []string{`C:\a b\k.cu`, `C:\x.h`}, nil},
		{"escapes", "# 1 \"k.cu\"\n# 1 \"q\\\"b\\\\\\303\\274.h\" 1\n", []string{"k.cu", "q\"b\\ü.h"}, nil},
		{"backslashes of their own", "#line 1 \"C:\\new\\x.h\"\n", []string{`C:\new\x.h`}, nil},
		{"names of #line in a source", "# 1 \"k.cu\"\n# 12 \"gram.y\"\n# 1 \"x.h\" 1\n# 13 \"gram.y\" 2\n", []string{"k.cu", "x.h"}, []string{"gram.y"}},
		{"named before it is entered", "# 1 \"k.cu\"\n# 7 \"x\\\\y.h\"\n# 1 \"x\\\\y.h\" 1\n# 2 \"k.cu\" 2\n# 9 \"x\\\\y.h\"\n", []string{"k.cu", `x\y.h`}, []string{}},
		{"working folder", "# 1 \"k.cu\"\n# 1 \"/tmp/dir//\"\n", []string{"k.cu"}, nil},
		{"no markers", "int a;\n#pragma once\n#define X 1 \"x\" 1\n#ident \"x\"\n# \"x\" 1\n# 1 x.h 1\n#12\n#", nil, nil},
		{"no end of line", "# 1 \"k.cu\"\n# 1 \"x.h\" 1", []string{"k.cu", "x.h"}, nil},
		{"flag 11", "# 1 \"k.cu\"\n# 1 \"x.h\" 11\n", []string{"k.cu"}, []string{"x.h"}},
		{"nothing", "", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for way, r := range map[string]io.Reader{"at once": strings.NewReader(tt.in), "byte by byte": iotest.OneByteReader(strings.NewReader(tt.in))} {
				got, others, err := Entered(r)
				if diff := cmp.Diff([][]string{tt.want, tt.others}, [][]string{got, others}); diff != "" || err != nil {
					t.Errorf("Entered(%q) %s: %v, -want +got\n%s", tt.in, way, err, diff)
				}
			}
		})
	}
}

// TestEnteredOfLongText: markers at the borders of pieces, and lines longer than a piece.
func TestEnteredOfLongText(t *testing.T) {
	var text bytes.Buffer
	var want []string
	text.WriteString("# 1 \"k.cu\"\n")
	want = append(want, "k.cu")
	for i := range 3000 {
		name := strings.Repeat("d/", i%97) + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		text.WriteString("# 1 \"" + name + "\" 1\n" + strings.Repeat("int a;", i%211) + "\n")
		want = append(want, name)
		if i%1000 == 0 {
			text.WriteString("#pragma " + strings.Repeat("y", 10*longestMarker) + "\n")
		}
	}
	got, _, err := Entered(&text)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got\n%s", err, diff)
	}
}

func TestEnteredBounds(t *testing.T) {
	long := "# 1 \"" + strings.Repeat("x", 5*longestMarker)
	if _, _, err := Entered(strings.NewReader(long)); err != errLongMarker {
		t.Errorf("a marker of %d bytes: %v, want %v", len(long), err, errLongMarker)
	}
	many := &endless{line: strings.Repeat("d", 30<<10)}
	if _, _, err := Entered(many); err != errManyNames {
		t.Errorf("names without end: %v, want %v", err, errManyNames)
	}
	if _, _, err := Entered(iotest.ErrReader(io.ErrUnexpectedEOF)); err != io.ErrUnexpectedEOF {
		t.Errorf("error of the reader: %v", err)
	}
}

// endless names a new file in every line.
type endless struct {
	line string
	n    int
	rest []byte
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		e.n++
		e.rest = []byte("# 1 \"" + e.line + strings.Repeat("e", e.n%1000) + strings.Repeat("f", e.n/1000) + "\" 1\n")
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// FuzzEntered: any text is read, the same in pieces of any size.
func FuzzEntered(f *testing.F) {
	f.Add("# 1 \"a\\\\\\101\" 1\n#line 2 \"b\"\n")
	f.Add("# 1 \"<x>\"\n# 2 \"")
	f.Fuzz(func(t *testing.T, s string) {
		whole, others, err := Entered(strings.NewReader(s))
		pieces, others2, err2 := Entered(iotest.HalfReader(iotest.OneByteReader(strings.NewReader(s))))
		if (err == nil) != (err2 == nil) || !cmp.Equal(whole, pieces) || !cmp.Equal(others, others2) {
			t.Errorf("Entered(%q) = %q, %q, %v; in pieces %q, %q, %v", s, whole, others, err, pieces, others2, err2)
		}
	})
}
