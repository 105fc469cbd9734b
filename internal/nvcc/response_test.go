package nvcc

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// texts are response files and the words that nvcc reads in them; nil: it refuses the text. All words are names of object
// files, since a dry run of --lib shows these (TestRealResponse, TestWindowsResponse).
var texts = []struct {
	name, text     string
	linux, windows []string
}{
	{"words", "a.o b.o\n", []string{"a.o", "b.o"}, []string{"a.o", "b.o"}},
	{"tabs and both ends of lines", "a.o\tb.o\r\nc.o\r\n", []string{"a.o", "b.o", "c.o"}, []string{"a.o", "b.o", "c.o"}},
	{"quotes around a word", `"a b.o"`, []string{"a b.o"}, []string{"a b.o"}},
	{"quotes inside a word", `a" "b.o`, []string{"a b.o"}, []string{"a b.o"}},
	{"nothing in quotes", `a""b.o`, []string{"ab.o"}, []string{"ab.o"}},
	{"single quotes", "it's.o", []string{"it's.o"}, []string{"it's.o"}},
	{"no comment", "a.o #b.o", []string{"a.o", "#b.o"}, []string{"a.o", "#b.o"}},
	{"commas", "a,b.o", []string{"a,b.o"}, []string{"a,b.o"}},
	{"a backslash before a blank", `a\ b.o`, []string{"a b.o"}, nil},
	{"a backslash before a letter", `a\nb.o`, []string{"anb.o"}, []string{`a\nb.o`}},
	{"a path of Windows", `C:\foo\bar.o`, []string{"C:foobar.o"}, []string{`C:\foo\bar.o`}},
	{"a path of Windows in quotes", `"C:\foo bar\b.o"`, []string{"C:foo barb.o"}, []string{`C:\foo bar\b.o`}},
	{"two backslashes", `C:\\foo.o`, []string{`C:\foo.o`}, []string{`C:\\foo.o`}},
	{"an escaped quote is lost", `a\"b.o`, []string{"ab.o"}, nil},
	{"an escaped quote in quotes", `"x\"q.o"`, []string{"xq.o"}, []string{`x\"q.o`}},
	{"a byte order mark stays", "\xef\xbb\xbfa.o", []string{"\xef\xbb\xbfa.o"}, []string{"\xef\xbb\xbfa.o"}},
	{"a zero byte ends it", "a.o \x00 b.o", []string{"a.o"}, []string{"a.o"}},
	{"quotes that do not end", `"a.o`, nil, nil},
	{"@file", "@h.rsp", nil, nil},
}

func TestWords(t *testing.T) {
	for _, tt := range texts {
		t.Run(tt.name, func(t *testing.T) {
			if got := words(tt.text, false); tt.linux != nil && !slices.Equal(got, tt.linux) {
				t.Errorf("words(%q) = %q, want %q", tt.text, got, tt.linux)
			}
			if got := words(tt.text, true); tt.windows != nil && !slices.Equal(got, tt.windows) {
				t.Errorf("words(%q) on Windows = %q, want %q", tt.text, got, tt.windows)
			}
		})
	}
}

// folder stands for files: a name that is not there is an error.
type folder map[string]string

func (f folder) read(name string) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, errors.New("no such file")
	}
	return []byte(text), nil
}

func TestExpand(t *testing.T) {
	files := folder{"h": "h.o", "g": "g1.o -optf h g2.o", "a b": "ab.o", "self": "x.o -optf self", "empty": ""}
	for k := range 20 {
		files["c"+strconv.Itoa(k)] = "-optf c" + strconv.Itoa(k+1)
	}
	files["c15"] = "deep.o"
	for _, tt := range []struct {
		name           string
		args           []string
		expanded, lost []string
	}{
		{"none", []string{"-c", "k.cu"}, []string{"-c", "k.cu"}, nil},
		{"in its place", []string{"a.o", "-optf", "h", "b.o"}, []string{"a.o", "h.o", "b.o"}, nil},
		{"with =", []string{"--options-file=h"}, []string{"h.o"}, nil},
		{"several", []string{"-optf", "h,g,"}, []string{"h.o", "g1.o", "h.o", "g2.o"}, nil},
		{"a name with a blank", []string{"-optf", "a b"}, []string{"ab.o"}, nil},
		{"a name in quotes", []string{"-optf", `"a b"`}, []string{"ab.o"}, nil},
		{"without words", []string{"-optf", "empty", "k.cu"}, []string{"k.cu"}, nil},
		{"the value of another option", []string{"-Xarchive", "-optf", "h"}, []string{"-Xarchive", "-optf", "h"}, nil},
		{"without its value", []string{"k.cu", "-optf"}, []string{"k.cu", "-optf"}, nil},
		{"@file is an input", []string{"@h"}, []string{"@h"}, nil},
		{"not there", []string{"-optf", "h,gone", "k.cu"}, []string{"h.o", "--options-file", "gone", "k.cu"}, []string{"gone: no such file"}},
		{"15 deep", []string{"-optf", "c1"}, []string{"deep.o"}, nil},
		{"16 deep", []string{"-optf", "c0"}, []string{"--options-file", "c15"}, []string{"c15: more than 15 response files name each other"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expanded, lost := ExpandFor(tt.args, files.read, false)
			if !slices.Equal(expanded, tt.expanded) || !slices.Equal(lost, tt.lost) {
				t.Errorf("Expand(%q) = %q, lost %q; want %q, lost %q", tt.args, expanded, lost, tt.expanded, tt.lost)
			}
		})
	}
	if expanded, lost := ExpandFor([]string{"-optf", "self"}, files.read, false); len(lost) != 1 || !slices.Contains(expanded, "x.o") {
		t.Errorf("a file that names itself: %q, lost %q", expanded, lost)
	}
}

func TestWithEnv(t *testing.T) {
	for _, tt := range envs {
		t.Run(tt.text, func(t *testing.T) {
			args := []string{"z.o"}
			if got := WithEnv(args, tt.text, ""); !slices.Equal(got, append(slices.Clone(tt.words), "z.o")) {
				t.Errorf("NVCC_PREPEND_FLAGS=%q: %q, want %q in front", tt.text, got, tt.words)
			}
			if got := WithEnv(args, "", tt.text); !slices.Equal(got, append([]string{"z.o"}, tt.words...)) {
				t.Errorf("NVCC_APPEND_FLAGS=%q: %q, want %q behind", tt.text, got, tt.words)
			}
		})
	}
}

// envs are values of NVCC_APPEND_FLAGS and NVCC_PREPEND_FLAGS and their words (TestRealEnv).
var envs = []struct {
	text  string
	words []string
}{
	{"a.o b.o", []string{"a.o", "b.o"}},
	{" a.o \t b.o ", []string{"a.o", "b.o"}},
	{`a" "b.o`, []string{`a" "b.o`}},
	{`C:\x\y.o`, []string{`C:\x\y.o`}},
	{"it's.o", []string{"it's.o"}},
	{"a.o\nb.o", []string{"a.o\nb.o"}},
	{"", nil},
	{"  ", nil},
}

func TestFlagsInQuotes(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{`"a b" c`, []string{`"a b"`, "c"}},
		{`-DX="a \" b" c`, []string{`-DX="a \" b"`, "c"}},
		{`"a b`, []string{`"a b`}},
	} {
		if got := flags(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("flags(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, tt := range texts {
		f.Add(tt.text, true)
		f.Add(tt.text, false)
	}
	f.Add("-optf f,f,f -optf f", true)
	f.Add(`C:\a b\`+"\n"+`-DX=\"a b\"`+"\n\n"+`\`, true)
	f.Fuzz(func(t *testing.T, text string, windows bool) {
		reads := 0
		ExpandFor([]string{"-optf", "f"}, func(string) ([]byte, error) {
			if reads++; reads > 100 {
				return nil, errors.New("enough")
			}
			return []byte(text), nil
		}, windows)
		args := strings.Split(text, "\n")
		args = slices.DeleteFunc(args, func(a string) bool { return !Quotable(a) })
		if got := words(string(QuoteFor(args, windows)), windows); !slices.Equal(got, args) {
			t.Errorf("windows %v: %q comes back as %q from %q", windows, args, got, QuoteFor(args, windows))
		}
	})
}
