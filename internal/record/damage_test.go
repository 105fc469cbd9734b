package record

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
)

// recorded is the bytes of a whole record.
func recorded(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x"+callExt)
	b, e := whole(time.Unix(1700000000, 5).UTC())
	w, err := create(path, b)
	if err != nil {
		t.Fatal(err)
	}
	w.Output(call.Stdout, []byte("first"))
	w.Output(call.Stderr, []byte("second"))
	if err := w.End(e); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestTornAtEveryByte: a record that ends anywhere gives what was whole before.
func TestTornAtEveryByte(t *testing.T) {
	text := recorded(t)
	var starts []int // of frames
	for i := len(magic); i < len(text); i += frameHead + frameTail + int(text[i+9]) + int(text[i+10])<<8 {
		starts = append(starts, i)
	}
	if len(starts) != 4 {
		t.Fatalf("%d frames, want 4", len(starts))
	}
	ends := append(starts[1:], len(text))
	for n := range text {
		full := 0
		for full < 4 && ends[full] <= n {
			full++
		}
		for _, outputs := range []bool{true, false} {
			c, unfinished := scan(bytes.NewReader(text), int64(n), outputs)
			between := n == starts[0] || full > 0 && n == ends[full-1]
			if c.Torn != "" || c.End != nil || unfinished != (!between || full == 0) || (c.Begin.Tool != "") != (full > 0) {
				t.Fatalf("torn at %d of %d (%d frames are whole): %+v, unfinished %t", n, len(text), full, c, unfinished)
			}
			want := [5]string{2: "first", 3: "firstsecond"}[full]
			if !outputs {
				want = ""
			}
			if string(c.Text()) != want {
				t.Fatalf("torn at %d: output %q, want %q", n, c.Text(), want)
			}
		}
	}
}

// TestFlipped: a flipped bit anywhere is noticed, never taken for what was written, and mostly the rest is still read.
func TestFlipped(t *testing.T) {
	text := recorded(t)
	clean, _ := scan(bytes.NewReader(text), int64(len(text)), true)
	ended := 0
	for i := range text {
		for bit := range 8 {
			bad := bytes.Clone(text)
			bad[i] ^= 1 << bit
			c, unfinished := scan(bytes.NewReader(bad), int64(len(bad)), true)
			if c.Torn == "" && !unfinished {
				t.Fatalf("bit %d of byte %d: nobody noticed: %+v", bit, i, c)
			}
			if c.End != nil {
				ended++
				if c.End.Code != clean.End.Code {
					t.Fatalf("bit %d of byte %d: another exit code", bit, i)
				}
			}
		}
	}
	if ended < len(text)*8/4 {
		t.Errorf("of %d flips %d left the end readable", len(text)*8, ended)
	}
}

// TestForeign: what else lies in a run's folder is no call, or a call of which nothing is known.
func TestForeign(t *testing.T) {
	s := store(t)
	l := begun(t, s)
	dir := filepath.Join(l.Dir, callsDir)
	for name, text := range map[string]string{
		"1700000000000000001-1.call":          "",
		"1700000000000000002-2.call":          "cupel",
		"1700000000000000003-3.call":          "something else entirely",
		"1700000000000000004-4.call":          magic + "Z....................",
		"1700000000000000005-5.call":          magic + string(appendFrame(nil, frameBegin, 0, []byte("{"))),
		"1700000000000000006-6.call":          magic + "B\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff",
		"1700000000000000007-7.call":          magic + string(appendFrame(nil, frameEnd, 0, []byte(`{"code":3}`))),
		"notes.txt":                           "x",
		"1700-1.call":                         "x",
		".1700000000000000001-1.call":         "x",
		"1700000000000000001-one.call":        "x",
		"1700000000000000001-1.call.swp":      "x",
		"92233720368547758089223372036-.call": "x",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "1700000000000000008-8.call"), 0o700); err != nil {
		t.Fatal(err)
	}
	l.release()
	calls, err := found(t, s, "last").Calls(ctx)
	if err != nil || len(calls) != 7 {
		t.Fatalf("%d calls, want 7: %v", len(calls), err)
	}
	for i, c := range calls {
		ended := i == 6
		if c.Number != i+1 || c.Begin.PID != i+1 || c.Begin.At.Unix() != 1700000000 || c.Torn == "" || (c.End != nil) != ended {
			t.Errorf("call %d: %+v", i+1, c)
		}
	}
}

// TestHuge: a file beyond every bound is read to the bound.
func TestHuge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, recorded(t)[:200], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 8<<30); err != nil {
		t.Skipf("no file of 8 GB here: %v", err)
	}
	c, _, err := readCall(path, true)
	if err != nil || !strings.Contains(c.Torn, "is not read") {
		t.Errorf("%q, %v", c.Torn, err)
	}
}

func TestUnreadableRuns(t *testing.T) {
	s := store(t)
	if runs, troubles, err := s.Runs(ctx); len(runs)+len(troubles) > 0 || err != nil {
		t.Errorf("a store that is not there: %v, %v, %v", runs, troubles, err)
	}
	if _, err := s.Find(ctx, "last"); err != ErrNone {
		t.Errorf("last of none: %v", err)
	}
	good := begun(t, s)
	for id, text := range map[string]string{
		"250101-000000-aaa": `{`, "250101-000000-aab": `{"format":"cupel.run/9","id":"250101-000000-aab"}`,
		"250101-000000-aac": `{"format":"cupel.run/1","id":"250101-000000-zzz"}`, "250101-000000-aad": "",
		"notes": `{}`, "250101-000000-A__": `{}`, "251301-000000-aaa": `{}`,
	} {
		dir := filepath.Join(s.Dir, id)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(filepath.Join(dir, runFile), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	runs, troubles, err := s.Runs(ctx)
	if err != nil || len(runs) != 1 || runs[0].Run.ID != good.Run.ID || len(troubles) != 4 {
		t.Errorf("%d runs, %d troubles %q, %v; want 1 and 4", len(runs), len(troubles), troubles, err)
	}
	if _, err := s.Find(ctx, "250101-000000-aaa"); err == nil || !strings.Contains(err.Error(), "run.json") {
		t.Errorf("find a broken run: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	text := recorded(f)
	f.Add(text)
	f.Add(text[:len(text)-9])
	f.Add([]byte(magic))
	f.Add(appendFrame([]byte(magic), frameEnd, 1<<63, []byte("{}")))
	f.Fuzz(func(t *testing.T, b []byte) {
		full, cut := scan(bytes.NewReader(b), int64(len(b)), true)
		quick, quickCut := scan(bytes.NewReader(b), int64(len(b)), false)
		if (full.End == nil) != (quick.End == nil) || cut != quickCut || full.Begin.Tool != quick.Begin.Tool {
			t.Errorf("with output and without it a record is read otherwise:\n%+v %t\n%+v %t", full, cut, quick, quickCut)
		}
		if len(quick.Output) > 0 || len(full.Text()) > len(b) {
			t.Errorf("%d pieces of output that nobody asked for, or more than the file has", len(quick.Output))
		}
		for _, k := range full.Output {
			if k.After < 0 {
				t.Errorf("output %v before the call", k.After)
			}
		}
	})
}
