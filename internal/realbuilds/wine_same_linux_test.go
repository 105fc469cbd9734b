package realbuilds

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/testbed"
)

// TestWineSameAsDirect: what NVIDIA's real nvcc.exe says, makes and ends with is the same behind the shim as without it, and
// the record has the same.
func TestWineSameAsDirect(t *testing.T) {
	w := onWindows(t)
	calls := slices.DeleteFunc(sameCalls(), func(c winCall) bool { return c.long && testing.Short() })
	base := filepath.Join(t.TempDir(), "my project (x86) & co")
	direct, shimmed := filepath.Join(base, "direct"), filepath.Join(base, "shimmed")
	sameProject(t, shimmed, calls)
	sameProject(t, direct, itself(calls))
	r := w.run(t, direct, []string{"WINEPATH=" + testbed.HostX64}, helper(t, "calls"), nvcc("13.0"), "list.json", "result.json")
	if r.code != 0 {
		t.Fatalf("calls ends with %d:\n%s", r.code, r.all)
	}
	r = w.cupel(t, shimmed, nil, "exec", "--toolkit", "13.0", "--", w.Windows(helper(t, "calls")), "nvcc", "list.json", "result.json")
	if r.code != 0 {
		t.Fatalf("exec ends with %d:\n%s", r.code, r.all)
	}
	_, recorded := w.last(t)
	if len(recorded) != len(calls) {
		t.Fatalf("%d calls have %d records\n%s", len(calls), len(recorded), r.all)
	}
	want, got := results(t, direct), results(t, shimmed)
	for i, c := range calls {
		t.Run(c.Name, func(t *testing.T) {
			if !c.loose && want[i].Code != c.code || !strings.Contains(string(want[i].Stdout)+string(want[i].Stderr), c.says) {
				t.Fatalf("nvcc.exe itself ends with %d, not %d, and says\n%s%s", want[i].Code, c.code, want[i].Stdout, want[i].Stderr)
			}
			sameResult(t, "behind the shim", got[i], want[i])
			k := recorded[i]
			if k.End == nil || k.Torn != "" {
				t.Fatalf("its record is not whole: %q", k.Torn)
			}
			sameResult(t, "in the record", winResult{c.Name, uint32(k.End.Code), k.Of(call.Stdout), k.Of(call.Stderr)}, want[i])
			if k.Begin.Merged != c.Merged {
				t.Errorf("merged in the record = %t", k.Begin.Merged)
			}
			if !slices.Equal(k.Begin.Args, c.Args) {
				t.Errorf("the record has the arguments\n%.2000q\nwant\n%.2000q", k.Begin.Args, c.Args)
			}
			if n := len(strings.Join(k.Argv(), " ")); n < c.whole {
				t.Errorf("with response files in their place the record has %d bytes of arguments, want %d", n, c.whole)
			}
			if want := shimmed + "/" + c.Dir; filepath.Clean(w.Linux(k.Begin.Dir)) != filepath.Clean(want) {
				t.Errorf("the record has the folder %s, want %s", k.Begin.Dir, want)
			}
			if c.loose && want[i].Code != 0 {
				t.Logf("nvcc.exe itself ends with %d: %s%s", want[i].Code, want[i].Stdout, want[i].Stderr)
				return
			}
			for _, name := range c.makes {
				if read(t, filepath.Join(shimmed, name)) != read(t, filepath.Join(direct, name)) {
					t.Errorf("%s is another one", name)
				}
			}
			made(t, k.End.Outputs, len(c.makes))
		})
	}
	replayed(t, w, shimmed, calls)
}

// itself are the calls that NVIDIA's program can be given.
func itself(calls []winCall) []winCall {
	out := slices.Clone(calls)
	for i, c := range out {
		if c.direct != nil {
			out[i].Args = c.direct
		}
	}
	return out
}

func made(t *testing.T, outputs []call.File, want int) {
	t.Helper()
	n := 0
	for _, f := range outputs {
		if f.Size > 0 {
			n++
		}
	}
	if n != want {
		t.Errorf("the record names %d files that were made, want %d: %+v", n, want, outputs)
	}
}

// replayed runs the longest call again.
func replayed(t *testing.T, w windows, dir string, calls []winCall) {
	t.Helper()
	i := slices.IndexFunc(calls, func(c winCall) bool { return c.whole >= 100_000 })
	if i < 0 {
		return
	}
	ptx := filepath.Join(dir, calls[i].makes[0])
	before := read(t, ptx)
	for _, gone := range []string{ptx, filepath.Join(dir, "long.rsp")} {
		if err := os.Remove(gone); err != nil {
			t.Fatal(err)
		}
	}
	r := w.cupel(t, dir, nil, "replay", strconv.Itoa(i+1))
	if r.code != 0 || read(t, ptx) != before {
		t.Errorf("replay of the call with 100 kB, its response file gone, ends with %d:\n%s", r.code, r.all)
	}
}

// own is what is another one in each call: nvcc names its temporary files by its process.
var own = regexp.MustCompile(`tmpxft_[0-9a-f]{8}|/(direct|shimmed)/`)

func sameResult(t *testing.T, where string, got, want winResult) {
	t.Helper()
	out := func(b []byte) string { return own.ReplaceAllString(string(b), "…") }
	if got.Code != want.Code || out(got.Stdout) != out(want.Stdout) || out(got.Stderr) != out(want.Stderr) {
		t.Errorf("%s: exit code %d, stdout %q, stderr %q\nwant %d, %q, %q", where, got.Code, got.Stdout, got.Stderr, want.Code, want.Stdout, want.Stderr)
	}
}

func results(t *testing.T, dir string) (out []winResult) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "result.json"))), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
