package build

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cupel/internal/cas"
	"cupel/internal/digest"
	"cupel/internal/stamp"
)

func sampleState() *state {
	known := stamp.Known{Stamp: stamp.Stamp{Size: 3, Modified: 4, Changed: 5, Device: 6, Number: 7}, Digest: digest.Of([]byte("x")), Settled: true}
	return &state{
		Root: "/p", Request: digest.Of([]byte("r")), Machine: digest.Of([]byte("m")), Whole: true, Notes: []string{"a note"}, Release: "12.4.131", Toolkit: "CUDA 12.4 in /opt", Anew: []anew{{"t.ptx", "uses-date: t.cu"}}, Loose: []row{{Path: "/p/t.ptx", Known: known}},
		Watched: []watched{{Path: "/p/cupel.toml", Stamp: known.Stamp, Settled: true}, {Path: "/gone"}},
		Way:     []Folder{{Path: "/p", Names: digest.Of([]byte("n")), Link: true}},
		Sites:   []site{{"/p", "/real/p"}, {"/p/src", ""}},
		Files:   []row{{Path: "k.cu", Known: known}, {Path: "/usr/include/x.h", Known: known}},
		Absent:  []absent{{Dir: "inc", Stamp: stamp.Stamp{Dir: true, Modified: 1}, Names: []string{"a.h"}}},
		Outputs: []row{{Path: "/p/o.ptx", Known: known}}, Sums: []cas.Sum{1<<32 - 1}, Count: 1,
		Steps: []made{{
			Call: PlannedCall{Kernel: "k", Kind: "ptx", Argv: []string{"nvcc", "-ptx"}, Out: "o.ptx", Inputs: []string{}, Source: "k.cu", Arch: "compute_80", Archs: []string{"compute_80"}, Asked: true, RDC: true, Library: "k"},
			Key:  digest.Of([]byte("k")), Files: []uint32{0, 1}, Absent: []uint32{0}, Outputs: []uint32{0}, Said: "warning", Seconds: 2.5, Peak: 9, Named: true,
		}},
	}
}

func TestStateThereAndBack(t *testing.T) {
	dir := t.TempDir()
	want := sampleState()
	if err := want.write(dir); err != nil {
		t.Fatal(err)
	}
	got := readState(dir)
	if got == nil || got.steps() != nil {
		t.Fatal("it cannot be read")
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(state{}), cmpopts.IgnoreFields(state{}, "size")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestStateDamaged: a state that was cut or in which a bit flipped anywhere was never there.
func TestStateDamaged(t *testing.T) {
	dir := t.TempDir()
	if err := sampleState().write(dir); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, stateFile)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		flipped := append([]byte(nil), whole...)
		flipped[i] ^= 1 << (i % 8)
		for what, b := range map[string][]byte{"cut at": whole[:i], "flipped at": flipped} {
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if s := readState(dir); s != nil {
				t.Fatalf("%s %d: it is read", what, i)
			}
		}
	}
}

func FuzzState(f *testing.F) {
	f.Add(string(sampleState().append(nil)))
	f.Fuzz(func(t *testing.T, text string) {
		s, err := takeState(text)
		if err != nil || s.steps() != nil {
			return
		}
		again, err := takeState(string(s.append(nil)))
		if err == nil {
			err = again.steps()
		}
		if err != nil || !cmp.Equal(again, s, cmp.AllowUnexported(state{}), cmpopts.IgnoreFields(state{}, "size")) {
			t.Errorf("read again it is another: %v", err)
		}
		for _, m := range s.Steps {
			s.closureOf(m)
		}
	})
}

// TestNeeded: a name in a watched folder need not be looked for, unless the folder may change unseen.
func TestNeeded(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil && runtime.GOOS != "windows" { // which may not let us
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	folder := stamp.Stamp{Dir: true, Modified: 1, Number: 1}
	for _, tt := range []struct {
		name   string
		folder watched
		path   string
		want   int
	}{
		{"a name", watched{Path: dir, Stamp: folder, Settled: true}, "x", 1},
		{"the folder is young", watched{Path: dir, Stamp: folder}, "x", 2},
		{"only its kind counts", watched{Path: dir, Stamp: folder, Settled: true, Kind: true}, "x", 2},
		{"in a folder that is not there either", watched{Path: dir, Stamp: folder, Settled: true}, "a/x", 1},
		{"of another folder", watched{Path: dir, Stamp: folder, Settled: true}, "other/x", 2},
		{"through a link, perhaps", watched{Path: dir, Stamp: folder, Settled: true}, "a/../x", 2},
	} {
		rows := []watched{tt.folder, {Path: dir + string(filepath.Separator) + filepath.FromSlash(tt.path), Settled: true}}
		if got := needed(rows); len(got) != tt.want {
			t.Errorf("%s: %d rows are left, want %d", tt.name, len(got), tt.want)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "link")); err == nil {
		if got := needed([]watched{{Path: dir, Stamp: folder, Settled: true}, {Path: filepath.Join(dir, "link"), Settled: true}}); len(got) != 2 {
			t.Error("a link to nothing is left out: what it leads to may come")
		}
	}
}

// TestNeededOnce: what is not there is watched once, where it would begin.
func TestNeededOnce(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, d := range []string{"watched", "other"} {
		if err := os.Mkdir(at(d), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(at(d), time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	s := state{Whole: true}
	later := time.Now().Add(time.Hour)
	for _, path := range []string{at("watched"), at("watched/no"), at("watched/no/bin/nvcc"), at("other/no"), at("other/cuda/bin/nvcc"), at("other/cuda/lib64/stubs"), at("other") + "/../gone/x", at("other/../other/no")} {
		s.watch(path, later, false)
	}
	s.watch(at("other"), later, true) // only whether it is a folder counts
	var got []string
	for _, w := range needed(s.Watched) {
		if w.Stamp == (stamp.Stamp{}) && !w.Settled {
			t.Errorf("%s is not settled", w.Path)
		}
		got = append(got, w.Path)
	}
	if d := cmp.Diff([]string{at("watched"), at("other/no"), at("other/cuda"), at("other") + "/../gone/x", at("other")}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
