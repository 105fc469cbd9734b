package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/review"
)

func TestParseTry(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     review.Try
	}{
		{"a name alone", "as it is=", review.Try{Name: "as it is"}},
		{"a command", "release=cargo build --release", review.Try{Name: "release", Command: []string{"cargo", "build", "--release"}}},
		{"variables, then a command", "gcc 11=NVCC_CCBIN=g++-11 A_1= make X=1", review.Try{Name: "gcc 11", Env: map[string]string{"NVCC_CCBIN": "g++-11", "A_1": ""}, Command: []string{"make", "X=1"}}},
		{"options", "old = --toolkit 12.4 --host-compiler=g++-12 --unset RUSTC_WRAPPER --unset=CC", review.Try{Name: "old", Toolkit: "12.4", Compiler: "g++-12", Unset: []string{"RUSTC_WRAPPER", "CC"}}},
		{"in any order", "x=--toolkit 12.4 A=1 make -j2", review.Try{Name: "x", Toolkit: "12.4", Env: map[string]string{"A": "1"}, Command: []string{"make", "-j2"}}},
		{"a command behind --", "x=A=1 -- B=2 make", review.Try{Name: "x", Env: map[string]string{"A": "1"}, Command: []string{"B=2", "make"}}},
		{"no assignment: a bad name", "x=1A=2 make", review.Try{Name: "x", Command: []string{"1A=2", "make"}}},
		{"quotes", `x=FLAGS="-O2 -g" sh -c 'make "all"' a\ b ""`, review.Try{Name: "x", Env: map[string]string{"FLAGS": "-O2 -g"}, Command: []string{"sh", "-c", `make "all"`, "a b", ""}}},
		{"an escaped quote", `x=echo "say \"hi\"" \'`, review.Try{Name: "x", Command: []string{"echo", `say "hi"`, "'"}}},
		{"paths of Windows", `x=CUDA_PATH=C:\cuda\v13.0 "C:\Program Files\cargo.exe" \\server\share`, review.Try{Name: "x", Env: map[string]string{"CUDA_PATH": `C:\cuda\v13.0`}, Command: []string{`C:\Program Files\cargo.exe`, `\\server\share`}}},
		{"nothing is expanded", "x=A=$HOME make *", review.Try{Name: "x", Env: map[string]string{"A": "$HOME"}, Command: []string{"make", "*"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := review.ParseTry(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("ParseTry(%q) (-want +got):\n%s", tt.in, d)
			}
		})
	}
}

func TestParseTryWrong(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"cargo build", "no = behind the name"},
		{" =make", "no name"},
		{`x=sh -c "make`, `the quote " is not closed`},
		{"x=--toolkit", "--toolkit needs a value"},
		{"x=--toolkit= make", "--toolkit needs a value"},
		{"x=--arch 80 make", "no option --arch"},
		{"x=--unset A-B", "not the name of a variable"},
	} {
		if _, err := review.ParseTry(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("ParseTry(%q): %v, want %q", tt.in, err, tt.want)
		}
	}
}

// FuzzParseTry: whatever is typed, it is read or refused.
func FuzzParseTry(f *testing.F) {
	for _, s := range []string{"a=B=1 make", `a="x\" y' \ `, "=", "a=--", `a='`, "a=\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := review.ParseTry(s)
		if err == nil && got.Name == "" {
			t.Errorf("ParseTry(%q) has no name", s)
		}
	})
}

// TestTableOf: each variation has its result, also the ones that should fail and those that were not run.
func TestTableOf(t *testing.T) {
	answer := func(code int64, broken bool) *review.Answer {
		m := run(t, code, "make")
		c := m.nvcc("-c", "a.cu")
		if broken {
			bad(c, 1, oldArch)
		}
		a := m.judge()
		return &a
	}
	table := review.TableOf("devel", []review.Tried{
		{Try: review.Try{Name: "plain"}, Answer: answer(0, false)},
		{Try: review.Try{Name: "broken", Env: map[string]string{"A": "1"}}, Answer: answer(2, true)},
		{Try: review.Try{Name: "elsewhere"}, Answer: answer(3, false)},
		{Try: review.Try{Name: "should fail"}, Answer: answer(2, true), Expect: true, Reason: "old"},
		{Try: review.Try{Name: "should have failed"}, Answer: answer(0, false), Expect: true},
		{Try: review.Try{Name: "no file"}, Answer: answer(0, false), Missing: "out/x.so"},
		{Try: review.Try{Name: "no gpu", Toolkit: "12.4"}, Reason: "needs a GPU"},
	})
	var got []string
	for _, r := range table.Rows {
		got = append(got, strings.Join([]string{r.Name, string(r.Status), r.Cause, r.Toolkit, r.Run, r.Reason}, "|"))
	}
	want := []string{
		"plain|pass||13.0.2|r1|", "broken|fail|arch-dropped-by-toolkit|13.0.2|r1|", "elsewhere|fail|not known: exit code 3|13.0.2|r1|", "should fail|expected-fail|arch-dropped-by-toolkit|13.0.2|r1|old",
		"should have failed|unexpected-pass||13.0.2|r1|", "no file|fail|out/x.so is missing|13.0.2|r1|", "no gpu|skipped||12.4||needs a GPU",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
	if !table.Failed() || table.Rows[1].Failed != 1 || table.Rows[1].Calls != 1 || table.Rows[1].Seconds != 60 {
		t.Errorf("table %+v", table.Rows[1])
	}
	if len(table.Findings) != 2 || !strings.HasPrefix(table.Findings[0].Where, "configuration broken: call r1.1") {
		t.Errorf("findings %+v", table.Findings)
	}
}
