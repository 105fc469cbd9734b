package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// stream writes events short: ACTION PACKAGE TEST OUTPUT, with - for nothing.
func stream(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		f := strings.SplitN(line+" - - -", " ", 4)
		out := strings.TrimSuffix(f[3], " - - -")
		b.WriteString(`{"Action":"` + f[0] + `","Package":"` + f[1] + `"`)
		if f[2] != "-" {
			b.WriteString(`,"Test":"` + f[2] + `"`)
		}
		if out != "-" && out != "" && !strings.HasPrefix(out, "- ") {
			b.WriteString(`,"Output":"` + out + `\n"`)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func TestCountsAndVerdict(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events string
		exit   error
		count  string
		good   bool
		shows  string
	}{
		{"all pass", stream("run p A", "pass p A", "pass p -"), nil, "1 passed, 0 failed, 0 skipped", true, "p"},
		{"subtests count, their parent does not", stream("run p A", "run p A/x", "run p A/y", "pass p A/x", "pass p A/y", "pass p A", "pass p -"),
			nil, "2 passed, 0 failed, 0 skipped", true, ""},
		{"a failed subtest fails once", stream("run p A", "run p A/x", "output p A/x broken", "fail p A/x", "fail p A", "fail p -"),
			errors.New("exit status 1"), "0 passed, 1 failed, 0 skipped", false, "broken"},
		{"a parent that fails by itself", stream("run p A", "run p A/x", "pass p A/x", "output p A late", "fail p A", "fail p -"),
			errors.New("exit status 1"), "1 passed, 1 failed, 0 skipped", false, "late"},
		{"a package that fails outside its tests", stream("run p A", "pass p A", "output p - TestMain-broke", "fail p -"),
			errors.New("exit status 1"), "1 passed, 1 failed, 0 skipped", false, "TestMain-broke"},
		{"a test that never ends", stream("run p A"), errors.New("signal: killed"), "0 passed, 1 failed, 0 skipped", false, "no end of this was seen"},
		{"a command that fails with no event", "go: no such tool\n", errors.New("exit status 2"), "0 passed, 1 failed, 0 skipped", false, "go: no such tool"},
		{"a package without tests is no skip", stream("output p - no-test-files", "skip p -"), nil, "0 passed, 0 failed, 0 skipped", true, ""},
		{"a listed skip", stream("run m/p A", "output m/p A a_test.go:7: needs a GPU", "skip m/p A", "pass m/p -"), nil, "0 passed, 0 failed, 1 skipped", true,
			"m/p A: needs a GPU"},
		{"a skip for a reason not listed", stream("run m/p A", "output m/p A a_test.go:7: too tired", "skip m/p A", "pass m/p -"), nil,
			"0 passed, 0 failed, 1 skipped", false, "NOT IN THE LIST"},
		{"a skip of a test not listed", stream("run m/p B", "output m/p B a_test.go:7: needs a GPU", "skip m/p B", "pass m/p -"), nil,
			"0 passed, 0 failed, 1 skipped", false, "NOT IN THE LIST"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ta := newTally("linux")
			if err := ta.read(strings.NewReader(tt.events), io.Discard); err != nil {
				t.Fatal(err)
			}
			ta.end(tt.exit)
			var out strings.Builder
			good := report(&out, []*tally{ta}, []allowance{{pkg: "p", test: "A", reason: "needs a GPU"}})
			if good != tt.good || !strings.HasSuffix(out.String(), "\n"+tt.count+"\n") || !strings.Contains(out.String()+"p", tt.shows) {
				t.Errorf("good = %v, want %v; want count %q and %q in:\n%s", good, tt.good, tt.count, tt.shows, out.String())
			}
		})
	}
}

// TestHindered: one failure that is not wine's keeps a package as it is.
func TestHindered(t *testing.T) {
	const fault = "fork/exec C:\\users\\root\\nvcc.exe: Internal error.\n"
	for _, tt := range []struct {
		name    string
		outputs []string
		want    int
	}{{"wine's", []string{fault, "runtime: setevent failed; errno=6\n", "exit status 126: cupel-nvcc: start C:\\t\\nvcc.exe: Internal error.\n", "fork/exec Z:\\tmp\\cas.test.exe: Internal error.\n", "panic: Failed to load ws2_32.dll: DLL initialization failed. [recovered, repanicked]\n",
		"nvcc.exe [\"-fatbin\" \"k.cu\"]: exit status 255\n", "cupel replay: recorded: exit code 1; now: exit code 255\n"}, 1}, {"another too", []string{fault, "got 1, want 2\n"}, 0}, {"another", []string{"Internal error.\n"}, 0},
		{"an error of nvcc.exe", []string{"nvcc.exe [\"k.cu\"]: exit status 2\nk.cu(1): error\n"}, 0}} {
		ta := newTally("windows")
		for i, out := range tt.outputs {
			ta.add(event{Action: "output", Package: "p", Test: string(rune('A' + i)), Output: out})
			ta.add(event{Action: "fail", Package: "p", Test: string(rune('A' + i))})
		}
		ta.add(event{Action: "fail", Package: "p"})
		if got := ta.hindered(); len(got) != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
		if got := ta.faults("p"); tt.want == 1 && (len(got) != len(tt.outputs) || got[0] != "p A: "+strings.TrimSpace(fault)) {
			t.Errorf("%s: told %q", tt.name, got)
		}
	}
}

func TestBuildFailureShowsCompilerOutput(t *testing.T) {
	ta := newTally("linux")
	events := `{"ImportPath":"p [p.test]","Action":"build-output","Output":"p_test.go:3: undefined: x\n"}
{"ImportPath":"p [p.test]","Action":"build-fail"}
{"Action":"start","Package":"p"}
{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}
`
	if err := ta.read(strings.NewReader(events), io.Discard); err != nil {
		t.Fatal(err)
	}
	ta.end(errors.New("exit status 1"))
	fails := ta.failures()
	if len(fails) != 1 || !strings.Contains(fails[0].output, "undefined: x") {
		t.Errorf("failures = %+v, want one with the compiler's words", fails)
	}
}

func TestLongestTestsAreTold(t *testing.T) {
	ta := newTally("linux")
	events := `{"Action":"run","Package":"p","Test":"A"}
{"Action":"run","Package":"p","Test":"A/x"}
{"Action":"pass","Package":"p","Test":"A/x","Elapsed":8}
{"Action":"pass","Package":"p","Test":"A","Elapsed":9}
{"Action":"run","Package":"p","Test":"B"}
{"Action":"pass","Package":"p","Test":"B","Elapsed":12.5}
{"Action":"run","Package":"p","Test":"C"}
{"Action":"pass","Package":"p","Test":"C","Elapsed":0.5}
{"Action":"pass","Package":"p","Elapsed":22}
`
	if err := ta.read(strings.NewReader(events), io.Discard); err != nil {
		t.Fatal(err)
	}
	ta.end(nil)
	var out strings.Builder
	report(&out, []*tally{ta}, nil)
	want := "long      linux:   12.50s  p B\nlong      linux:    9.00s  p A\n"
	if !strings.HasPrefix(out.String(), want) || strings.Contains(out.String(), " C") {
		t.Errorf("got\n%swant first\n%s", out.String(), want)
	}
}
