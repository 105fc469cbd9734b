package record

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/call"
)

var ctx = context.Background()

// store is an empty folder of runs, not made yet.
func store(t *testing.T) Store {
	t.Helper()
	return Store{filepath.Join(t.TempDir(), "home", "runs")}
}

func begun(t *testing.T, s Store, environ ...string) *Live {
	t.Helper()
	l, err := s.New(call.Run{Command: []string{"make", "-j8"}, Dir: "/src", OS: "linux", Tools: map[string]string{"nvcc": "/cuda/bin/nvcc"}}, environ)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.release) // of a run that the test does not finish: Windows removes no open file
	return l
}

func found(t *testing.T, s Store, id string) Saved {
	t.Helper()
	r, err := s.Find(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// whole is a call with everything in it, and text that JSON cannot hold.
func whole(at time.Time) (call.Begin, call.End) {
	odd := "caf\xe9 \"a b\" 日本"
	b := call.Begin{Tool: "nvcc", Path: "/cuda/bin/nvcc", Args: []string{"-c", odd, "<&>"}, Expanded: []string{"-c", odd, "\x00u"}, Lost: []string{"x.rsp: no"},
		Dir: "/s\xffrc", At: at, PID: 77, Parent: 76, Caller: "/usr/bin/make", Merged: true,
		Env:    call.Diff{Set: map[string]string{"A": "1", "B\xfe": "\xff"}, Unset: []string{"C"}, Hidden: []string{"T_TOKEN"}},
		Inputs: []call.File{{Path: odd, Size: 3}}, Changes: []call.Change{{Fix: "arch", Before: []string{odd}, After: []string{"x"}, Why: "so"}},
		Used: []string{"-c", odd}, Outside: true}
	return b, call.End{At: at.Add(time.Second), Seconds: 1, User: .5, System: .25, Peak: 1 << 30, Code: 0xC0000135, Signal: "SIGKILL",
		Status: "0xC0000135", Error: "no\xff", Outputs: []call.File{{Path: "o\xff", Size: -1}}}
}

func TestRoundTrip(t *testing.T) {
	s := store(t)
	l := begun(t, s, "PATH=/bin", "MY_TOKEN=word", "=C:=C:\\src", "ODD=\xff", "EMPTY=", "HALF")
	at := time.Now().Round(0)
	b, e := whole(at)
	w, err := Begin(l.Dir, b)
	if err != nil {
		t.Fatal(err)
	}
	w.Output(call.Stdout, []byte("one\n"))
	w.Output(call.Stderr, []byte{0xff, 0})
	w.Output(call.Stdout, nil)
	w.Output(call.Stdout, []byte("two\n"))
	if live := found(t, s, l.Run.ID); !live.Live {
		t.Error("the run is not told as one that goes on")
	} else if c, err := live.Read(1); err != nil || c.Torn != "" || c.End != nil || string(c.Of(call.Stdout)) != "one\ntwo\n" {
		t.Errorf("a call that goes on: %+v, %v", c, err)
	}
	if err := w.End(e); err != nil {
		t.Fatal(err)
	}
	log, err := l.Log()
	if err != nil {
		t.Fatal(err)
	}
	log.Output(call.Stderr, []byte("make: *** no"))
	if err := log.End(call.End{At: time.Now(), Code: 2}); err != nil {
		t.Fatal(err)
	}
	end := call.RunEnd{Ended: at, Seconds: 2, Code: 2, PassedBy: []call.Process{{PID: 1, Path: "/x\xff", Args: []string{"\xff"}}}}
	if err := l.Finish(end); err != nil {
		t.Fatal(err)
	}

	r := found(t, s, "last")
	want := l.Run
	want.Began = r.Run.Began // without the monotonic clock
	if diff := cmp.Diff(want, r.Run); diff != "" || r.Live || !want.Began.Equal(l.Run.Began) {
		t.Errorf("run came back otherwise (live %t):\n%s", r.Live, diff)
	}
	c, err := r.Read(1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(call.Call{Run: r.Run.ID, Number: 1, Begin: b, Output: c.Output, End: &e}, c); diff != "" {
		t.Errorf("call came back otherwise:\n%s", diff)
	}
	if got := c.Text(); string(got) != "one\n\xff\x00two\n" {
		t.Errorf("output is %q", got)
	}
	calls, err := r.Calls(ctx)
	c.Output = nil
	if diff := cmp.Diff([]call.Call{c}, calls); diff != "" || err != nil {
		t.Errorf("Calls: %v\n%s", err, diff)
	}
	out, kept, err := r.Output()
	if !kept || err != nil || string(out.Of(call.Stderr)) != "make: *** no" || out.Begin.Tool != "make" {
		t.Errorf("the run's own output: %t, %v, %+v", kept, err, out)
	}
	env, err := r.Env()
	wantEnv := call.Env{Values: map[string]string{"PATH": "/bin", "=C:": "C:\\src", "ODD": "\xff", "EMPTY": "", "CUPEL_RUN": l.Dir}, Hidden: []string{"MY_TOKEN"}}
	if diff := cmp.Diff(wantEnv, env); diff != "" || err != nil {
		t.Errorf("environment: %v\n%s", err, diff)
	}
	if err := filepath.WalkDir(s.Dir, func(path string, d os.DirEntry, err error) error {
		if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("MY_TOKEN=")) || strings.HasPrefix(d.Name(), ".") {
			t.Errorf("%s: a secret's value, or something left behind", path)
		}
		if info, err := d.Info(); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v", path, info.Mode())
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

// TestParallel: 64 writers at once, each with its own file; the numbers are those of their beginning.
func TestParallel(t *testing.T) {
	s := store(t)
	l := begun(t, s)
	at := time.Now()
	var all sync.WaitGroup
	// Dozens of threads of one program in file calls at once make wine 8 hang; shims are programs of their own.
	turns := make(chan bool, map[bool]int{true: 4, false: 64}[runtime.GOOS == "windows"])
	for i := range 64 {
		all.Go(func() {
			turns <- true
			defer func() { <-turns }()
			// Half of them have one moment and one process: containers can share a folder.
			w, err := Begin(l.Dir, call.Begin{Tool: "nvcc", At: at.Add(time.Duration(i/2) * time.Millisecond), PID: 1000})
			if err != nil {
				t.Error(err)
				return
			}
			for range 50 {
				w.Output(call.Stdout, bytes.Repeat([]byte{byte('0' + i)}, 100))
			}
			if err := w.End(call.End{At: time.Now(), Code: int64(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	for range 5 { // and somebody who reads meanwhile
		calls, err := found(t, s, l.Run.ID).Calls(ctx)
		for _, c := range calls {
			if err != nil || c.Torn != "" {
				t.Errorf("read while it is written: %v, %s", err, c.Torn)
			}
		}
	}
	all.Wait()
	r := found(t, s, l.Run.ID)
	seen := map[int64]bool{}
	for n := 1; n <= 64; n++ {
		c, err := r.Read(n)
		if err != nil || c.End == nil || c.Number != n {
			t.Fatalf("call %d: %v, %+v", n, err, c)
		}
		i := c.End.Code
		if want := bytes.Repeat([]byte{byte('0' + i)}, 5000); !bytes.Equal(c.Text(), want) || int(i)/2 != (n-1)/2 {
			t.Errorf("call %d has the output of another, or stands in another's place (%d)", n, i)
		}
		seen[i] = true
	}
	if len(seen) != 64 {
		t.Errorf("%d of 64 calls are left", len(seen))
	}
	if _, err := r.Read(65); err == nil {
		t.Error("call 65 of 64: no error")
	}
}

// TestLongOutput: the beginning and the end are kept, in their order, and what is between is counted.
func TestLongOutput(t *testing.T) {
	for _, tt := range []struct {
		name        string
		piece, most int
	}{{"long pieces", 1 << 22, 40 << 20}, {"short pieces", 100, 36 << 20}, {"tiny pieces", 20, 20 << 20}} {
		t.Run(tt.name, func(t *testing.T) {
			s := store(t)
			l := begun(t, s)
			w, err := Begin(l.Dir, call.Begin{At: time.Now(), PID: 1})
			if err != nil {
				t.Fatal(err)
			}
			sent := 0
			for i := 0; sent < tt.most; i++ {
				stream := call.Stdout
				if i%2 == 1 {
					stream = call.Stderr
				}
				w.Output(stream, bytes.Repeat([]byte{byte(i%250 + 1)}, tt.piece))
				sent += tt.piece
			}
			w.Output(call.Stdout, []byte("the end"))
			if err := w.End(call.End{At: time.Now()}); err != nil {
				t.Fatal(err)
			}
			c, err := found(t, s, "").Read(1)
			if err != nil || c.End == nil || c.Torn != "" {
				t.Fatalf("it came back as %+v %q, %v", c.End, c.Torn, err)
			}
			text := c.Text()
			if !bytes.HasSuffix(text, []byte("the end")) || int64(len(text))+c.End.Dropped != int64(sent+len("the end")) {
				t.Errorf("%d bytes and %d dropped of %d; ends with %q", len(text), c.End.Dropped, sent, text[len(text)-10:])
			}
			gaps := 0
			for i := tt.piece; i < len(text)-7-tt.piece; i += tt.piece {
				if d := (int(text[i]) - int(text[i-1]) + 250) % 250; d != 1 {
					gaps++
				}
			}
			if gaps > 1 {
				t.Errorf("%d pieces are not in their order", gaps)
			}
			if info, _ := os.Stat(filepath.Join(l.Dir, callsDir)); info != nil && sizeOf(l.Dir) > maxFile {
				t.Errorf("the record has %d bytes", sizeOf(l.Dir))
			}
		})
	}
}

// TestTooLong: a call that says too much keeps what fits.
func TestTooLong(t *testing.T) {
	s := store(t)
	l := begun(t, s)
	long := []string{strings.Repeat("x", maxWords)}
	w, err := Begin(l.Dir, call.Begin{At: time.Now(), PID: 1, Args: []string{"@f"}, Expanded: long})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.End(call.End{At: time.Now(), Outputs: []call.File{{Path: long[0]}}}); err != nil {
		t.Fatal(err)
	}
	c, err := found(t, s, "").Read(1)
	if err != nil || c.Torn != "" || c.End == nil || len(c.Begin.Lost) != 1 || c.Begin.Args[0] != "@f" {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := Begin(l.Dir, call.Begin{At: time.Now(), PID: 2, Args: long}); err == nil {
		t.Error("arguments beyond every bound: no error")
	}
}

// TestFinishWhileRead: somebody who lists the runs all the time does not keep one from ending, and never sees half of it.
func TestFinishWhileRead(t *testing.T) {
	s := store(t)
	l := begun(t, s)
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if runs, troubles, err := s.Runs(ctx); len(runs) != 1 || len(troubles) > 0 || err != nil {
				t.Errorf("%d runs, %q, %v", len(runs), troubles, err)
			}
		}
	}()
	for i := range 50 {
		l.Run.End = &call.RunEnd{Code: int64(i)}
		if err := writeRun(l.Dir, l.Run); err != nil {
			t.Error(err)
		}
	}
	if err := l.Finish(call.RunEnd{Code: 7}); err != nil {
		t.Error(err)
	}
	close(stop)
	<-done
	if r := found(t, s, "last"); r.Run.End == nil || r.Run.End.Code != 7 {
		t.Errorf("the end is %+v", r.Run.End)
	}
}

// TestRunTooLong: a run that saw very many programs is still one that can be read.
func TestRunTooLong(t *testing.T) {
	s := store(t)
	l := begun(t, s)
	p := call.Process{Path: "/usr/bin/nvcc", Args: []string{strings.Repeat("x", 100_000)}}
	if err := l.Finish(call.RunEnd{PassedBy: slices.Repeat([]call.Process{p}, 200)}); err != nil {
		t.Fatal(err)
	}
	if got := found(t, s, "last").Run.End.PassedBy; len(got) != 100 || got[0].Path != p.Path {
		t.Errorf("%d programs are left", len(got))
	}
}
