package literal

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func found(s *Set, text string, from, to int) (out []string) {
	s.Find([]byte(text), from, to, func(at, n int) { out = append(out, fmt.Sprint(at, " ", s.texts[n].lower)) })
	return out
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		texts      []string
		wraps      bool
		want       []string
	}{
		{"nothing", "all is well", []string{"error: "}, false, nil},
		{"empty", "", []string{"error: "}, false, nil},
		{"whole", "error: ", []string{"error: "}, false, []string{"error: "}},
		{"any case", "x FATAL Error", []string{"fatal error"}, false, []string{"fatal error"}},
		{"case of the text", "x fatal error", []string{"Fatal Error"}, false, []string{"fatal error"}},
		{"not ASCII", "Prüfung läuft", []string{"prüfung"}, false, []string{"prüfung"}},
		{"other letters keep their case", "PRÜFUNG", []string{"prüfung"}, false, nil},
		{"one in another", "undefined reference", []string{"undefined reference", "reference"}, false, []string{"reference", "undefined reference"}},
		{"twice", "error error", []string{"error"}, false, []string{"error", "error"}},
		{"too short", "err", []string{"err"}, false, nil},
		{"signs that fold alike are not equal", "{error}", []string{"[error]"}, false, nil},
		{"over a line end", "could not find\n  cudatoolkit (missing", []string{"could not find cudatoolkit (missing"}, true, []string{"could not find cudatoolkit (missing"}},
		{"over a line end behind a time", "could not find \r\n2024-01-28T17:37:45Z cudatoolkit (missing", []string{"find cudatoolkit (missing"}, true, []string{"find cudatoolkit (missing"}},
		{"next word on the next line", "  the cudatoolkit\n  (missing", []string{"cudatoolkit (missing"}, true, []string{"cudatoolkit (missing"}},
		{"wraps, another word follows", "the cudatoolkit is here", []string{"cudatoolkit (missing"}, true, nil},
		{"wraps, another word far in the line", strings.Repeat("x", 100) + " the cudatoolkit (missing", []string{"a cudatoolkit (missing"}, true, nil},
		{"no wrap", "could not find\n  cudatoolkit", []string{"find cudatoolkit"}, false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sample Sample
			sample.Add([]byte(tt.text))
			s := New(tt.texts, func(int) bool { return tt.wraps }, &sample)
			var got []string
			for _, f := range found(s, tt.text, 0, len(tt.text)) {
				_, text, _ := strings.Cut(f, " ")
				got = append(got, text)
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("Find(%q, %q) = %q, want %q", tt.texts, tt.text, got, tt.want)
			}
		})
	}
}

// TestFindParts: a text searched in parts, each with what stands beside it, gives what it gives as a whole.
func TestFindParts(t *testing.T) {
	words := []string{"error", "undefined reference", "cannot find", "nvcc fatal", "libcudart", "aaaaaa", "ababab", "a\nb\nc\nd"}
	s := New(words, nil, nil)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for range 40 {
			b.WriteString([]string{"error", "ERROR", "aaaa", "ab", " ", "\n", "undefined ", "reference", "nvcc ", "fatal", "c"}[r.IntN(11)])
		}
		text := b.String()
		want := plain(words, text)
		cut := r.IntN(len(text) + 1)
		got := map[string]bool{}
		for _, part := range [][2]int{{0, cut}, {cut, len(text)}} {
			for _, f := range found(s, text, part[0], part[1]) {
				_, word, _ := strings.Cut(f, " ")
				got[word] = true
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q cut at %d: %v, want %v", text, cut, got, want)
		}
	}
}

func plain(words []string, text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		if len(w) >= Shortest && strings.Contains(Lower(text), Lower(w)) {
			out[Lower(w)] = true
		}
	}
	return out
}

func TestDerive(t *testing.T) {
	for _, tt := range []struct {
		name, expr string
		want       []string
		ok         bool
	}{
		{"plain", `cannot find -lcudart`, []string{"cannot find -lcudart"}, true},
		{"longest part", `nvcc fatal\s*:\s*Unsupported gpu architecture '\w+'`, []string{"unsupported gpu architecture '"}, true},
		{"one of several", `cannot open (file|library) '`, []string{"cannot open file '", "cannot open library '"}, true},
		{"any case", `(?i)Unknown Error`, []string{"unknown error"}, true},
		{"boundaries do not part", `\bfoo\b bar\b`, []string{"foo bar"}, true},
		{"an option", `errors? found`, []string{"errors found", "error found"}, true},
		{"what holds another is left out", `(?:^|\s)ptxas: `, []string{"ptxas: "}, true},
		{"a class beside enough text", `\d[0-9] not defined in file`, []string{" not defined in file"}, true},
		{"a class", `sm_[89]0 is`, []string{"sm_80 is", "sm_90 is"}, true},
		{"into what follows", `/lib(cu\w+|nv\w+)\.so`, []string{"/libcu", "/libnv"}, true},
		{"out of what stands before", `\w+rt(64|32) is\b`, []string{"rt64 is", "rt32 is"}, true},
		{"too short", `\w+ \d+`, nil, false},
		{"a branch without", `undefined reference|\d+`, nil, false},
		{"optional only", `(undefined reference)?`, nil, false},
		{"not an expression", `(`, nil, false},
		{"letters whose case is not ASCII's", `(?i)été est fini`, []string{" est fini"}, true},
		{"the same with regard to case", `Été est fini`, []string{"Été est fini"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Derive(tt.expr)
			if ok != tt.ok || (ok && !slices.Equal(got, tt.want)) {
				t.Errorf("Derive(%q) = %q, %v, want %q, %v", tt.expr, got, ok, tt.want, tt.ok)
			}
		})
	}
}

// FuzzFind: each text that stands in the other is found, and no other.
func FuzzFind(f *testing.F) {
	f.Add("undefined reference", "cannot find", "x: Undefined Reference to cannot", 3)
	f.Add("aaaaa", "aaaab", "aaaaaaaaab", 1)
	f.Add("err\nor", "\x00\x00\x00\x00\x00", "ERR\nOR\x00\x00\x00\x00\x00\x00", 9)
	f.Fuzz(func(t *testing.T, one, two, text string, sample int) {
		words := []string{one, two}
		var common Sample
		common.Add([]byte(text)[:max(0, min(sample, len(text)))])
		s := New(words, nil, &common)
		got := map[string]bool{}
		for _, hit := range found(s, text, 0, len(text)) {
			_, word, _ := strings.Cut(hit, " ")
			got[word] = true
		}
		if want := plain(words, text); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("in %q: %v, want %v", text, got, want)
		}
		wrapped := New(words, func(int) bool { return true }, nil)
		seen := map[string]bool{}
		wrapped.Find([]byte(text), 0, len(text), func(_, n int) { seen[Lower(words[n])] = true })
		for word := range got {
			if !seen[word] {
				t.Errorf("in %q: %q is found, but not where it may wrap", text, word)
			}
		}
	})
}

// FuzzDerive: one of the literals stands in every match.
func FuzzDerive(f *testing.F) {
	for _, expr := range []string{`cannot find -l(?P<lib>\w+)`, `(?i)(?:fatal )?error\b ?C\d{4}`, `[ab]{2,3}hello?`, `x(?:a|bcdef)*yyyyyy|zzzzzz`, `(?i)k[s]traße weit`} {
		f.Add(expr, "cannot find -lcudart fatal error C1189 abhello xyyyyyy zzzzzz KSTRASSE WEIT")
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		literals, ok := Derive(expr)
		re, err := regexp.Compile(expr)
		if !ok || err != nil || len(expr) > 200 || strings.ContainsAny(text, "\r\n\u017f\u212a\ufffd") || strings.ToValidUTF8(text, "") != text {
			return
		}
		for _, m := range re.FindAllString(text, 50) {
			if !slices.ContainsFunc(literals, func(l string) bool { return strings.Contains(Lower(m), l) }) {
				t.Errorf("%q matches %q, which holds none of %q", expr, m, literals)
			}
		}
	})
}

func TestGuard(t *testing.T) {
	const roots = `(?:^|\s)-I(?P<path>:/[^\s:]*cuda[^\s]*|/[^\s:]*cuda[^\s:]*:/[^\s]*cuda[^\s]*)/include\b`
	for _, tt := range []struct {
		name, expr, text string
		want             bool
	}{
		{"all there", `error: .*undefined`, "error: it is undefined", true},
		{"one is missing", `error: .*undefined`, "error: it is defined", false},
		{"no literal", `\w+`, "x", true},
		{"a branch", `(error|warning) \d+: bad`, "warning 1: bad", true},
		{"no branch", `(error|warning)s? \d+: bad`, "note 1: bad", false},
		{"a branch with more", roots, "g++ -i/usr/cuda/include", false},
		{"a branch with more, there", roots, "g++ -i:/usr/cuda/include", true},
		{"a line end for a blank", `unsupported\s+GNU\s+version!`, "unsupported gnu\n  version!", true},
		{"a branch that lets all through", `(error|\d+) bad`, "7 bad", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := NewGuard(tt.expr, false).Lets([]byte(tt.text)); got != tt.want {
				t.Errorf("NewGuard(%q) lets %q: %v, want %v", tt.expr, tt.text, got, tt.want)
			}
			torn := strings.ReplaceAll(tt.text, " ", "\n  ")
			if got := NewGuard(tt.expr, true).Lets([]byte(torn)); tt.want && !got {
				t.Errorf("NewGuard(%q) of words holds back %q", tt.expr, torn)
			}
		})
	}
}

func TestFilter(t *testing.T) {
	f := NewFilter([]string{`undefined reference`, `\.so\b`, `\w+`, `(?i)Fatal Error.*C\d+`}, nil)
	lines := f.Lines()
	for _, tt := range []struct {
		line string
		want []int
	}{
		{"an UNDEFINED reference in a.so", []int{0, 1, 2}},
		{"nothing", []int{2}},
		{"fatal error C1189", []int{2, 3}},
		{"fatal error", []int{2}},
		{"", []int{2}},
	} {
		got := slices.Clone(lines.May(tt.line))
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("May(%q) = %v, want %v", tt.line, got, tt.want)
		}
	}
}

// FuzzGuard: what matches is let through, by the guard and by the filter.
func FuzzGuard(f *testing.F) {
	for _, expr := range []string{`error: .*undefined|x(a|bc)+y`, `(?i)(?:fatal )?error\b ?C\d{4}`, `-I(:/[^ ]*cuda|/b*:/c)/include`} {
		f.Add(expr, "error: undefined xabcy Fatal error C1189 -I:/cuda/include")
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		re, err := regexp.Compile(expr)
		if err != nil || len(expr) > 200 || !re.MatchString(text) || strings.ContainsAny(text, "\r\n\u017f\u212a\ufffd") || strings.ToValidUTF8(text, "") != text {
			return
		}
		torn := strings.ReplaceAll(text, " ", "\n")
		if !NewGuard(expr, false).Lets([]byte(Lower(text))) || !NewGuard(expr, true).Lets([]byte(Lower(torn))) {
			t.Errorf("the guard of %q holds back %q", expr, text)
		}
		if len(NewFilter([]string{expr}, nil).Lines().May(text)) != 1 {
			t.Errorf("the filter of %q holds back %q", expr, text)
		}
	})
}
