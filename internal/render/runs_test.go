package render

import (
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/finding"
)

// hostileRun has foreign text in every place: a control character, a table's bar, a fence, bytes that are no text.
func hostileRun(bad string) Runs {
	c := ListedCall{ID: "260115-143015-abc.1", Number: 1, Tool: bad, Source: bad, Dir: "/" + bad, Failed: true, Ended: true, Code: 2, Signal: bad, Status: bad, Torn: bad}
	file := []call.File{{Path: bad, Size: 1}}
	r := ListedRun{Run: call.Run{ID: "260115-143015-abc", Name: bad, Command: []string{bad}, Dir: bad, Compiler: bad, Fixes: []string{bad},
		Toolkit: call.Toolkit{Release: bad, Root: bad}, End: &call.RunEnd{Signal: bad, PassedBy: []call.Process{{Path: bad}}}}, Calls: 1}
	return Runs{Cupel: "1", Runs: []ListedRun{r}, Calls: []ListedCall{c}, Findings: []finding.Finding{{ID: "run-unreadable", What: bad, Where: bad}},
		Call: &ShownCall{ListedCall: c, Command: bad, Args: []string{bad}, Lost: []string{bad}, Caller: bad, Changes: []call.Change{{Fix: bad, Before: []string{bad}, Why: bad}},
			Env: call.Diff{Set: map[string]string{bad: bad}, Unset: []string{bad}, Hidden: []string{bad}}, Inputs: file, Outputs: file, Stdout: bad, Stderr: bad}}
}

// TestRunsForeignText: nothing of what a build wrote moves the cursor or opens a row or cell of its own.
func TestRunsForeignText(t *testing.T) {
	for _, bad := range []string{"a\x1b[2J\x07b", "a|b|c\n| x |", "```\n```\n````", "\xff\xfe", "a\rb\u202e", "x\n::error::y"} {
		a := hostileRun(bad)
		slow := a
		slow.Slow = true
		for name, text := range map[string]string{
			"list": Style{}.Runs(a), "slow": Style{}.Runs(slow), "run": Style{}.Run(a), "call": Style{}.Call(a),
			"list md": RunsMarkdown(a), "slow md": RunsMarkdown(slow), "run md": RunMarkdown(a), "call md": CallMarkdown(a),
		} {
			for line := range strings.SplitSeq(text, "\n") {
				if cells := strings.Count(line, "|") - strings.Count(line, `\|`); strings.HasPrefix(line, "| ") && strings.Contains(name, "md") && name != "call md" && cells != 8 {
					t.Errorf("%s of %q has %d bars in %q", name, bad, cells, line)
				}
				if clean(line) != line || strings.HasPrefix(line, "::") && !strings.Contains(name, "md") {
					t.Errorf("%s of %q: line %q", name, bad, line)
				}
			}
		}
	}
}

func TestRunExit(t *testing.T) {
	for _, tt := range []struct {
		name string
		run  ListedRun
		word string
		text string
	}{
		{"running", ListedRun{Live: true}, "running", "not yet: it goes on"},
		{"cupel was killed", ListedRun{}, "not known", "not known: cupel itself was ended"},
		{"a code", ListedRun{Run: call.Run{End: &call.RunEnd{Code: 2, Seconds: 3}}}, "2", "exit code 2 after 3.0 s"},
		{"a signal", ListedRun{Run: call.Run{End: &call.RunEnd{Code: 143, Signal: "SIGTERM"}}}, "SIGTERM", "SIGTERM after 0.0 s"},
		{"of Windows", ListedRun{Run: call.Run{End: &call.RunEnd{Code: 0xC0000135, Status: "0xC0000135 (STATUS_DLL_NOT_FOUND)"}}},
			"0xC0000135 (STATUS_DLL_NOT_FOUND)", "0xC0000135 (STATUS_DLL_NOT_FOUND) after 0.0 s"},
		{"not started", ListedRun{Run: call.Run{End: &call.RunEnd{Code: 125, Error: "no such file"}}}, "not started", "it could not be started: no such file"},
		{"too long", ListedRun{Run: call.Run{End: &call.RunEnd{Code: 143, Signal: "SIGTERM", TimedOut: true, Seconds: 60}}}, "timed out", "by the time limit, after 1 min 0 s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if word, text := runExit(tt.run), runEnd(tt.run); word != tt.word || text != tt.text {
				t.Errorf("%q and %q, want %q and %q", word, text, tt.word, tt.text)
			}
		})
	}
}

func TestCallWords(t *testing.T) {
	c := &ShownCall{ListedCall: ListedCall{ID: "r.1", Tool: "nvcc", Ended: true, Error: "permission denied", Began: time.Unix(0, 0)}, Merged: true, Stdout: "both\n", Dropped: 5_000_000}
	text := Style{}.Call(Runs{Call: c})
	for _, want := range []string{"nvcc could not be started: permission denied", "output, both streams in one:\n  | both\n", "5.0 MB of output were passed on and not kept"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
