package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/call"
	"cupel/internal/record"
	"cupel/internal/render"
)

// inUTC shows times as the golden texts have them.
func inUTC(t *testing.T) {
	t.Helper()
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
}

// recordedRun is a run with calls: fine, failing and slow, one without an end.
func recordedRun(t *testing.T, s record.Store, began time.Time, end call.RunEnd) record.Saved {
	t.Helper()
	l, err := s.New(call.Run{Began: began, Command: []string{"make", "-j8", "all"}, Dir: "/src", OS: "linux", Arch: "amd64",
		Toolkit: call.Toolkit{Release: "13.0.2", Root: "/cuda"}}, []string{"PATH=/bin", "MY_TOKEN=hush"})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		b   call.Begin
		e   *call.End
		out string
		err string
	}{
		{call.Begin{Args: []string{"--version"}}, &call.End{Seconds: .01}, "nvcc: NVIDIA (R)\n", ""},
		{call.Begin{Args: []string{"-c", "a b.cu", "-o", "a.o"}, Inputs: []call.File{{Path: "/src/a b.cu", Size: 1200}},
			Env: call.Diff{Set: map[string]string{"CARGO_PKG_NAME": "kernels"}, Unset: []string{"OLD"}, Hidden: []string{"X_TOKEN"}}},
			&call.End{Seconds: 1.5, User: 1.25, System: .25, Peak: 300_000_000, Code: 2, Outputs: []call.File{{Path: "/src/a.o", Size: -1}}},
			"a b.cu\n", "\x1b[31ma b.cu(3): error\x1b[0m: expected a \";\"\n\t1 error\n"},
		{call.Begin{Args: []string{"@args.rsp"}, Expanded: []string{"-c", "c.cu"}, Inputs: []call.File{{Path: "/src/c.cu", Size: 5}},
			Changes: []call.Change{{Fix: "arch", Before: []string{"-arch=sm_999"}, After: []string{"-arch=sm_120"}, Why: "13.0 does not know sm_999"}},
			Used:    []string{"-c", "c.cu", "-arch=sm_120"}}, &call.End{Seconds: 4.49, Peak: 700_000_000, Cache: "miss changed /src/c.h"}, "", ""},
		{call.Begin{Args: []string{"-c", "d.cu"}, Inputs: []call.File{{Path: "/src/d.cu", Size: 5}}}, nil, "", ""},
		{call.Begin{Args: []string{"-c", "e.cu"}, Inputs: []call.File{{Path: "/src/e.cu", Size: 5}}}, &call.End{Seconds: .004, Cache: call.CacheHit}, "", ""},
	} {
		c.b.Tool, c.b.Path, c.b.Dir, c.b.At, c.b.PID = "nvcc", "/cuda/bin/nvcc", "/src", began.Add(time.Duration(i)*time.Second), 100+i
		w, err := record.Begin(l.Dir, c.b)
		if err != nil {
			t.Fatal(err)
		}
		w.Output(call.Stdout, []byte(c.out))
		w.Output(call.Stderr, []byte(c.err))
		if c.e == nil {
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		} else {
			c.e.At = c.b.At.Add(time.Second)
			if err := w.End(*c.e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Finish(end); err != nil {
		t.Fatal(err)
	}
	run, err := s.Find(context.Background(), l.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// typedRuns calls cupel runs and returns what it wrote, with IDs that are the same every time.
func typedRuns(args []string, ids ...string) (string, error) {
	cmd := newRuns()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(append([]string{}, args...)) // nil would be those of the test itself
	err := cmd.ExecuteContext(context.Background())
	text := out.String()
	for i, id := range ids {
		text = strings.ReplaceAll(text, id, id[:14]+strings.Repeat(string(rune('a'+i)), 3))
	}
	return text, err
}

func TestRuns(t *testing.T) {
	inUTC(t)
	home := t.TempDir()
	t.Setenv("CUPEL_HOME", home)
	store := record.Store{Dir: filepath.Join(home, "runs")}
	at := time.Date(2026, 1, 15, 14, 30, 15, 0, time.UTC)
	first := recordedRun(t, store, at, call.RunEnd{Seconds: 75, Code: 2}).Run.ID
	second := recordedRun(t, store, at.Add(time.Hour), call.RunEnd{Seconds: 6}).Run.ID

	golden, err := os.ReadFile("testdata/runs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, args := range [][]string{
		{}, {"--failed"}, {"--slow", "--limit", "3"}, {"--limit", "1"}, {"--format", "md"},
		{"--last", "--failed"}, {"show"}, {"show", first, "--slow"}, {"show", first, "--failed", "--format", "md"},
		{"show", first + ".2"}, {"show", "last.3"}, {"show", "last.4"}, {"show", first + ".2", "--format", "md"},
	} {
		text, err := typedRuns(args, first, second)
		if err != nil {
			t.Errorf("cupel runs %q: %v", args, err)
		}
		words := strings.NewReplacer(first, "FIRST").Replace(strings.Join(append([]string{"$ cupel runs"}, args...), " "))
		got.WriteString(words + "\n" + strings.ReplaceAll(text, Version, "VERSION") + "\n")
	}
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile("testdata/runs.txt", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(golden), got.String()); diff != "" {
		t.Errorf("testdata/runs.txt is otherwise (-want +got):\n%s", diff)
	}
	if strings.Contains(got.String(), "hush") {
		t.Error("a secret is shown")
	}
}

func TestRunsJSON(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CUPEL_HOME", home)
	store := record.Store{Dir: filepath.Join(home, "runs")}
	id := recordedRun(t, store, time.Now(), call.RunEnd{Seconds: 75, Code: 2}).Run.ID
	for _, tt := range []struct {
		args []string
		keys []string
	}{
		{[]string{"--json"}, []string{"cupel", "dir", "findings", "format", "runs"}},
		{[]string{"--slow", "--json"}, []string{"calls", "cupel", "dir", "findings", "format", "runs", "slow"}},
		{[]string{"show", "--json"}, []string{"calls", "cupel", "dir", "findings", "format", "root_cause", "runs"}},
		{[]string{"show", "last.2", "--json"}, []string{"call", "cupel", "dir", "findings", "format", "runs"}},
	} {
		text, err := typedRuns(tt.args)
		if err != nil {
			t.Fatalf("%q: %v", tt.args, err)
		}
		var keys map[string]any
		var a render.Runs
		if err := errors.Join(json.Unmarshal([]byte(text), &keys), json.Unmarshal([]byte(text), &a)); err != nil {
			t.Fatalf("%q: %v", tt.args, err)
		}
		var names []string
		for k := range keys {
			names = append(names, k)
		}
		slices.Sort(names)
		if !slices.Equal(names, tt.keys) || a.Format != "cupel.runs/1" || len(a.Runs) != 1 || a.Runs[0].ID != id || a.Runs[0].Failing != 1 || a.Runs[0].Unfinished != 1 {
			t.Errorf("%q: keys %q, want %q; %+v", tt.args, names, tt.keys, a.Runs)
		}
		if c := a.Call; c != nil && (c.ID != id+".2" || c.Stdout != "a b.cu\n" || !strings.HasPrefix(c.Stderr, "\x1b[31m") || c.Command != "/cuda/bin/nvcc -c 'a b.cu' -o a.o") {
			t.Errorf("the call is %+v", c)
		}
	}
}

func TestRunsCalledWrongly(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CUPEL_HOME", home)
	store := record.Store{Dir: filepath.Join(home, "runs")}
	if text, err := typedRuns(nil); err != nil || !strings.Contains(text, "no run was recorded yet") || !strings.Contains(text, "cupel exec -- COMMAND") {
		t.Errorf("an empty store: %q, %v", text, err)
	}
	if text, err := typedRuns([]string{"show", "--json"}); err != nil || !strings.Contains(text, `"no-runs"`) {
		t.Errorf("show of an empty store: %q, %v", text, err)
	}
	_, err := typedRuns([]string{"show", "last.1"})
	if codeFor(err) != exitUsage {
		t.Errorf("a call of an empty store: %v", err)
	}
	at := time.Date(2026, 1, 15, 14, 30, 15, 0, time.UTC)
	id := recordedRun(t, store, at, call.RunEnd{}).Run.ID
	recordedRun(t, store, at, call.RunEnd{})
	for _, tt := range []struct{ name, args, want string }{
		{"nothing like it", "show zz", "cupel runs lists them"},
		{"a letter wrong", "show 270115" + id[6:], "did you mean " + id},
		{"the end of one", "show " + id[14:], "did you mean " + id},
		{"two begin so", "show 2601", "2 runs begin with"},
		{"no such call", "show " + id + ".9", id + ".1 to " + id + ".5"},
		{"no number", "show " + id + ".x", "names no call"},
		{"two runs", "show " + id + " --last", "name two runs"},
		{"a call cannot be narrowed", "show " + id + ".1 --slow", "is one call"},
		{"a limit below nothing", "--limit -1", "--limit -1"},
		{"a format", "--format junit", "unknown format"},
		{"a word too many", "all", "unknown command"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := typedRuns(strings.Fields(tt.args))
			if err == nil || codeFor(err) != exitUsage || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("cupel runs %s: %v, want %q and exit code 2", tt.args, err, tt.want)
			}
		})
	}
	if err := os.WriteFile(filepath.Join(store.Dir, id, "run.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := typedRuns(nil); err != nil || !strings.Contains(text, "warning[run-unreadable]: run "+id) {
		t.Errorf("an unreadable run: %q, %v", text, err)
	}
	if _, err := typedRuns([]string{"show", id}); codeFor(err) != exitUnable {
		t.Errorf("show an unreadable run: %v, want exit code 3", err)
	}
}

func TestCompleteRuns(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CUPEL_HOME", home)
	id := recordedRun(t, record.Store{Dir: filepath.Join(home, "runs")}, time.Now(), call.RunEnd{}).Run.ID
	for _, tt := range []struct {
		typed string
		want  []string
	}{
		{"", []string{"last\tthe newest run", id + "\tmake -j8 all"}},
		{"last.", []string{"last.1\tnvcc --version", "last.2\tnvcc kernels: /src/a b.cu", "last.3\tnvcc /src/c.cu", "last.4\tnvcc /src/d.cu", "last.5\tnvcc /src/e.cu"}},
		{"zz.", nil},
	} {
		if got, _ := completeRuns(newRuns(), nil, tt.typed); !slices.Equal(got, tt.want) {
			t.Errorf("complete %q: %q, want %q", tt.typed, got, tt.want)
		}
	}
}
