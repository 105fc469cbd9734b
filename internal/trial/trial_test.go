package trial

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/verify"
)

// actVar makes this test program act as a build: the same commands on every system.
const actVar = "TRIAL_TEST_ACT"

func TestMain(m *testing.M) {
	if Child(os.Args[1:]) {
		return
	}
	startPlanted()
	if act := os.Getenv(actVar); act != "" {
		os.Exit(acts[act]())
	}
	os.Exit(m.Run())
}

// acts are what the stand-in for a build does, by name.
var acts = map[string]func() int{
	"fine":  func() int { fmt.Println("to stdout"); fmt.Fprintln(os.Stderr, "to stderr"); return 0 },
	"three": func() int { return 3 },
	"environment": func() int {
		for _, kv := range os.Environ() {
			fmt.Println(kv)
		}
		return 0
	},
	"chatter": func() int {
		for i := range 20000 {
			fmt.Printf("line %d\n", i)
		}
		return 1
	},
	"write": func() int { return codeOf(os.WriteFile("out.bin", []byte("x"), 0o644)) },
	"sleep": sleep,
	// It shows that it lives.
	"late": func() int {
		for i := range 3000 {
			_ = os.WriteFile("beat", fmt.Append(nil, i), 0o644)
			time.Sleep(20 * time.Millisecond)
		}
		return 0
	},
	"orphan":           orphan,
	"orphan and sleep": func() int { orphan(); return sleep() },
}

func sleep() int { time.Sleep(time.Minute); return 0 }

// orphan starts a process that outlives this one and holds its output open.
func orphan() int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, actVar) }), actVar+"=late")
	cmd.Stdout = os.Stdout
	if cmd.Start() != nil {
		return 1
	}
	for range 1000 { // until it lives
		if _, err := os.Stat("beat"); err == nil {
			return 0
		}
		time.Sleep(10 * time.Millisecond)
	}
	return 1
}

func codeOf(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

func act(t *testing.T, name string, change ...func(*Request)) Request {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	req := Request{
		Config: contract.Config{Name: name, Command: contract.Command{Argv: []string{self}}, Env: map[string]string{actVar: name}},
		Dir:    t.TempDir(), Base: os.Environ(), Env: map[string]string{actVar: name},
	}
	for _, c := range change {
		c(&req)
	}
	return req
}

func TestOutcome(t *testing.T) {
	for _, tt := range []struct {
		act  string
		more func(*Request)
		want verify.Outcome
	}{
		{"fine", nil, verify.Outcome{Tail: "to stdout\nto stderr\n"}},
		{"three", nil, verify.Outcome{Code: 3}},
		{"write", func(r *Request) { r.Config.Artifacts = []contract.Glob{"*.bin", "**/out.*", "lib/*.a"} }, verify.Outcome{MissingArtifacts: []string{"lib/*.a"}}},
		{"fine", func(r *Request) { r.Config.Needs.What = "gpu" }, verify.Outcome{Code: -1, Skipped: "it needs a GPU, and none was found here"}},
		{"sleep", func(r *Request) { r.Config.Timeout.Duration = 300 * time.Millisecond }, verify.Outcome{TimedOut: true}},
	} {
		t.Run(tt.act, func(t *testing.T) {
			req := act(t, tt.act)
			if tt.more != nil {
				tt.more(&req)
			}
			got := Run(context.Background(), req)
			if got.TimedOut {
				got.Code, got.Signal = 0, "" // how a process ends that is ended differs by system
			}
			got.Seconds, tt.want.Name = 0, tt.act
			if tt.act == "fine" && got.Tail == "to stderr\nto stdout\n" {
				got.Tail = tt.want.Tail // two pipes: either may be read first
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCouldNotStart(t *testing.T) {
	for _, tt := range []struct {
		name string
		req  Request
	}{
		{"no such program", Request{Config: contract.Config{Command: contract.Command{Argv: []string{"no-such-program-anywhere"}}}, Dir: t.TempDir()}},
		{"no such folder", Request{Config: contract.Config{Command: contract.Command{Line: "exit 0"}, Dir: "gone"}, Dir: t.TempDir()}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.req.Base = os.Environ()
			if o := Run(context.Background(), tt.req); o.Err == "" || o.Code == 0 {
				t.Errorf("outcome = %+v, want an error", o)
			}
		})
	}
}

// TestShellLine: a line goes through the platform's own shell, quotes and all.
func TestShellLine(t *testing.T) {
	line := `echo "a b" && echo c | sort && exit 4`
	if runtime.GOOS == "windows" {
		line = `echo "a b"&& echo c&& exit 4`
	}
	o := Run(context.Background(), Request{Config: contract.Config{Name: "x", Command: contract.Command{Line: line}}, Dir: t.TempDir(), Base: os.Environ()})
	if o.Code != 4 || !strings.Contains(o.Tail, "a b") || !strings.Contains(o.Tail, "c") {
		t.Errorf("%s: %+v, want code 4 and both words", line, o)
	}
}

// TestTreeEnds: what a command leaves running is ended with it, at its own end and at its time limit.
func TestTreeEnds(t *testing.T) {
	for name, limit := range map[string]time.Duration{"orphan": 0, "orphan and sleep": 1500 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			req := act(t, name, func(r *Request) { r.Config.Timeout.Duration = limit })
			o := Run(context.Background(), req)
			if want := limit > 0; o.TimedOut != want || o.Err != "" || !want && o.Code != 0 {
				t.Errorf("outcome = %+v, want timed out %v", o, want)
			}
			beat := func() string { b, _ := os.ReadFile(filepath.Join(req.Dir, "beat")); return string(b) }
			last := beat()
			time.Sleep(300 * time.Millisecond)
			if now := beat(); now != last {
				t.Errorf("a process outlived its config: %s, then %s", last, now)
			}
		})
	}
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	go func() { time.Sleep(300 * time.Millisecond); stop() }()
	o := Run(ctx, act(t, "sleep"))
	if o.Skipped != "interrupted" || o.Err != "" || o.Signal != "" || o.TimedOut {
		t.Errorf("outcome = %+v, want interrupted", o)
	}
	cfg := contract.Config{Name: "sleep", Expect: "fail"}
	if c := verify.ConfigCheck(cfg, o, contract.Pos{}); c.Status != verify.Skipped || c.Why != "interrupted" {
		t.Errorf("the check is %s %q, want that an interrupted run proves nothing", c.Status, c.Why)
	}
}

func TestOutputKept(t *testing.T) {
	var shown bytes.Buffer
	logs := filepath.Join(t.TempDir(), "logs")
	req := act(t, "chatter", func(r *Request) { r.Stdout, r.LogDir, r.Config.Name = &shown, logs, "feature/a b" })
	req.Config.Env, req.Env = map[string]string{actVar: "chatter"}, map[string]string{actVar: "chatter"}
	o := Run(context.Background(), req)
	if len(o.Tail) > tailSize || !strings.HasPrefix(o.Tail, "line ") || !strings.Contains(o.Tail, "line 19999") {
		t.Errorf("tail of %d bytes begins %.20q", len(o.Tail), o.Tail)
	}
	log, err := os.ReadFile(o.Log)
	if err != nil || o.Log != filepath.Join(logs, "feature-a-b.1.log") || !bytes.Contains(log, []byte("line 0")) || !bytes.Contains(log, []byte("line 19999")) {
		t.Errorf("log %q: %d bytes, %v", o.Log, len(log), err)
	}
	if n := strings.Count(shown.String(), "\n"); n != 20000 {
		t.Errorf("%d lines were shown, want 20000", n)
	}
}

// TestNothingLeaks: two configs one after the other see only their own words.
func TestNothingLeaks(t *testing.T) {
	set := func(name string) func(*Request) {
		return func(r *Request) { r.Env["ONLY_"+name] = name; r.Base = append(r.Base, "CUDA_HOME=/x") }
	}
	first := Run(context.Background(), act(t, "environment", set("FIRST")))
	second := Run(context.Background(), act(t, "environment", set("SECOND")))
	if !strings.Contains(first.Tail, "ONLY_FIRST=FIRST") || strings.Contains(second.Tail, "ONLY_FIRST") || !strings.Contains(second.Tail, "ONLY_SECOND=SECOND") {
		t.Errorf("environments:\n%s\n%s", first.Tail, second.Tail)
	}
	if os.Getenv("ONLY_FIRST") != "" {
		t.Error("the config's variable got into this process")
	}
}

func TestUnmet(t *testing.T) {
	cc := func(s string) *contract.CC { return &contract.CC{CC: gpu.MustCC(s)} }
	card := func(s string) []fact.GPU { return []fact.GPU{{CC: fact.Of(s, "test")}} }
	for _, tt := range []struct {
		name  string
		needs contract.Needs
		gpus  []fact.GPU
		runs  bool
	}{
		{"toolkit unless said", contract.Needs{}, nil, true},
		{"a GPU, none here", contract.Needs{What: "gpu"}, nil, false},
		{"a GPU, one here", contract.Needs{What: "gpu"}, card("7.5"), true},
		{"new enough", contract.Needs{GPU: cc("8.0")}, card("8.6"), true},
		{"too old", contract.Needs{GPU: cc("8.0")}, card("7.5"), false},
		{"capability unknown", contract.Needs{GPU: cc("8.0")}, []fact.GPU{{}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := unmet(Request{Config: contract.Config{Needs: tt.needs}, GPUs: tt.gpus}); (got == "") != tt.runs {
				t.Errorf("unmet = %q, want it to run: %v", got, tt.runs)
			}
		})
	}
}

func TestSmokeOrder(t *testing.T) {
	c := &contract.Contract{Configs: []contract.Config{
		{Name: "gpu", Smoke: true, Needs: contract.Needs{GPU: &contract.CC{}}}, {Name: "toolkit", Smoke: true}, {Name: "no smoke"},
		{Name: "none", Smoke: true, Needs: contract.Needs{What: "none"}}, {Name: "windows", Smoke: true, On: contract.Words{"windows"}},
		{Name: "stub", Smoke: true, Needs: contract.Needs{What: "stub"}}, {Name: "toolkit 2", Smoke: true, Needs: contract.Needs{What: "toolkit"}},
	}}
	var got []string
	for _, cfg := range Smoke(c, contract.Platform{Name: "linux"}) {
		got = append(got, cfg.Name)
	}
	if diff := cmp.Diff([]string{"none", "stub", "toolkit", "toolkit 2", "gpu"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
