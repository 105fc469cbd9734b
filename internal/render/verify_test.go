package render

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"cupel/internal/finding"
	"cupel/internal/verify"
)

var update = flag.Bool("update", false, "rewrite golden files")

// verifyFormats are all forms of an answer, by the ending of their golden file.
func verifyFormats(t testing.TB, a verify.Answer) map[string]string {
	t.Helper()
	junit, err := JUnit(a)
	if err != nil {
		t.Fatal(err)
	}
	sarif, err := SARIF(a)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"txt": Style{}.Verify(a, false), "verbose.txt": Style{}.Verify(a, true), "narrow.txt": Style{Width: 80}.Verify(a, false),
		"md": VerifyMarkdown(a), "xml": string(junit), "sarif": string(sarif), "github": GitHub(a),
	}
}

func TestVerifyGolden(t *testing.T) {
	for name, a := range map[string]verify.Answer{"good": goodAnswer(), "evil": evilAnswer()} {
		for ending, got := range verifyFormats(t, a) {
			path := filepath.Join("testdata", "verify-"+name+"."+ending)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs (go test ./internal/render -update, then read it)\ngot:\n%s\nwant:\n%s", path, got, want)
			}
		}
	}
}

// TestVerifyText: whatever stands in the answer, the screen gets lines of plain characters.
func TestVerifyText(t *testing.T) {
	for ending, text := range verifyFormats(t, evilAnswer()) {
		if !utf8.ValidString(text) {
			t.Errorf("%s: not UTF-8", ending)
		}
		for n, line := range strings.Split(text, "\n") {
			if i := strings.IndexFunc(line, unicode.IsControl); i >= 0 {
				t.Errorf("%s:%d: control character at %d of %q", ending, n+1, i, line)
			}
		}
	}
}

func TestVerifyWidth(t *testing.T) {
	a := goodAnswer()
	a.Findings[0].Found = strings.Repeat("/very/long", 20)
	lines, _, _ := strings.Cut(Style{Width: 80}.Verify(a, false), "\nerror[")
	for _, line := range strings.Split(lines, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d characters at a width of 80: %q", n, line)
		}
	}
	if text := (Style{}).Verify(a, false); !strings.Contains(text, a.Findings[0].Found) {
		t.Errorf("with no width known a value was cut:\n%s", text)
	}
}

// TestVerifyColour: colour repeats what the words say.
func TestVerifyColour(t *testing.T) {
	coloured := Style{Colour: true}.Verify(goodAnswer(), true)
	if !strings.Contains(coloured, "\x1b[31mFAIL\x1b[0m") {
		t.Errorf("no red FAIL in:\n%s", coloured)
	}
	for _, code := range []string{red, yellow, cyan, green, bold, dim, "0"} {
		coloured = strings.ReplaceAll(coloured, "\x1b["+code+"m", "")
	}
	if want := (Style{}).Verify(goodAnswer(), true); coloured != want {
		t.Errorf("without colour\n%s\nwant\n%s", coloured, want)
	}
}

func TestVerifySummary(t *testing.T) {
	one := func(statuses ...verify.Status) (out []verify.Check) {
		for _, s := range statuses {
			out = append(out, verify.Check{Status: s})
		}
		return out
	}
	silenced := verify.Check{Status: verify.Fail, Finding: finding.Finding{CausedBy: "x"}}
	for _, tt := range []struct {
		name string
		in   verify.Answer
		want string
	}{
		{"nothing demanded", verify.Answer{Passed: true}, "nothing was checked: the contract demands nothing here yet"},
		{"all passed", verify.Answer{Findings: one(verify.Pass, verify.Pass), Passed: true}, "2 passed, 0 failed: the contract is met"},
		{"every status", verify.Answer{Findings: one(verify.Pass, verify.Fail, verify.Warn, verify.Warn, verify.Skipped, verify.ExpectedFail)},
			"1 passed, 1 failed, 2 warnings, 1 skipped, 1 failed as expected: the contract is not met"},
		{"consequence", verify.Answer{Findings: append(one(verify.Fail), silenced)}, "0 passed, 1 failed (1 consequence not shown): the contract is not met"},
		{"strict and a warning", verify.Answer{Findings: one(verify.Pass, verify.Warn), Strict: true}, "1 passed, 0 failed, 1 warning: the contract is not met, for warnings count as failures (strict)"},
		{"strict and nothing wrong", verify.Answer{Findings: one(verify.Pass), Strict: true, Passed: true}, "1 passed, 0 failed: the contract is met"},
		{"strict and both", verify.Answer{Findings: one(verify.Fail, verify.Warn), Strict: true}, "0 passed, 1 failed, 1 warning: the contract is not met; warnings count as failures too (strict)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := verifySummary(tt.in); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestBandLine(t *testing.T) {
	limits := []verify.Check{{Finding: finding.Finding{ID: "toolkit-band"}, Expected: "12.0 or newer"}}
	none := verify.Answer{Band: verify.NoToolkit}
	none.Chosen.Reason = "none is installed"
	for _, tt := range []struct {
		name string
		in   verify.Answer
		want string
	}{
		{"with limits", verify.Answer{Toolkit: "CUDA 11.8", Band: verify.Below, Findings: limits}, "CUDA 11.8: below minimum (12.0 or newer)"},
		{"no limits", verify.Answer{Toolkit: "CUDA 12.4", Band: verify.Supported}, "CUDA 12.4: supported"},
		{"no band", verify.Answer{Toolkit: "CUDA 12.4", Band: verify.NoToolkit}, "CUDA 12.4"},
		{"none", none, "no CUDA toolkit: none is installed"},
		{"nothing known", verify.Answer{}, "no CUDA toolkit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := bandLine(tt.in); got != tt.want {
				t.Errorf("bandLine = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReferenceHead(t *testing.T) {
	some := []verify.Difference{{}}
	for _, tt := range []struct {
		name string
		in   verify.Compared
		want string
	}{
		{"elsewhere", verify.Compared{Name: "r1", Snapshot: "s.json", Differences: some}, "this machine differs from r1 (snapshot s.json); CI decides:"},
		{"on the runner", verify.Compared{Name: "r1", Snapshot: "s.json", Here: true, Differences: some}, "this is r1, and its saved state is no longer true (snapshot s.json):"},
		{"alike", verify.Compared{Snapshot: "s.json", Here: true}, "this machine does not differ from the reference (snapshot s.json)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := referenceHead(tt.in); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCodeSpan(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "gcc <14", "`gcc <14`"},
		{"bar", "a|b", "`a\\|b`"},
		{"backticks inside", "a``b", "```a``b```"},
		{"backtick at the end", "a`", "`` a` ``"},
		{"newline", "a\nb", "`a\\x0ab`"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := cellCode(tt.in); got != tt.want {
				t.Errorf("cellCode(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSentenceMD(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"variable", "CUDA_HOME is not set", "CUDA_HOME is not set"},
		{"emphasis", "_a_ *b*", `\_a\_ \*b\*`},
		{"html", "<b>&", "&lt;b&gt;&amp;"},
		{"bar and backslash", `\|`, `\\&#124;`},
		{"link", "[x](y)", `\[x\](y)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sentenceMD(tt.in); got != tt.want {
				t.Errorf("sentenceMD(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
