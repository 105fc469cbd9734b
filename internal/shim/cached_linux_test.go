package shim_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/call"
	"cupel/internal/cas"
	"cupel/internal/testbed"
)

// warns is a source with a header and a warning of both compilers.
const warns = `#include "n.h"
#warning from the source
__global__ void add(float *a, const float *b) { int unused; a[threadIdx.x] += N * b[threadIdx.x]; }
`

// stage is a folder with sources, a toolkit, and the two ways to the store: the mirror's shim in a run, and the launcher.
type stage struct {
	*bench
	nvcc, dir string
	launcher  bool
	env       []string
}

func newStage(t testing.TB, part string) *stage {
	t.Helper()
	s := &stage{bench: newBench(t), nvcc: filepath.Join(testbed.Toolkit(t, part), "bin", "nvcc"), dir: t.TempDir()}
	s.pointTo(t, s.nvcc)
	s.sources(t, s.dir)
	return s
}

func (s *stage) sources(t testing.TB, dir string) {
	t.Helper()
	for name, text := range map[string]string{"k.cu": warns, "n.h": "#define N 2\n", "plain.cu": kernel, "bad.cu": "__global__ void k( { int x = ; }\n"} {
		write(t, filepath.Join(dir, name), text)
	}
}

// direct is nvcc itself, with nothing in front.
func (s *stage) direct(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	cmd := s.command(t, s.nvcc, "", args...)
	cmd.Dir, cmd.Env = s.dir, append(cmd.Env, s.env...)
	return cmd
}

// call is the same call through the shim.
func (s *stage) call(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	program, run := s.shim, s.live.Dir
	if s.launcher {
		program, run = launcher(t), ""
		args = append([]string{s.nvcc}, args...)
	}
	cmd := s.command(t, program, "", args...)
	cmd.Dir, cmd.Env = s.dir, append(append(cmd.Env, call.RunVariable+"="+run), s.env...)
	return cmd
}

// take reads files and removes them.
func (s *stage) take(t testing.TB, names ...string) string {
	t.Helper()
	var all []string
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(s.dir, name))
		all = append(all, string(b))
	}
	return strings.Join(all, "\x00")
}

// events are what the store counted.
func (s *stage) events(t testing.TB) map[string]int64 {
	t.Helper()
	all, err := cas.Store{Dir: filepath.Join(s.cache, "store")}.Tally()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// told is what the record of the last call says of the store.
func (s *stage) told(t testing.TB) string {
	t.Helper()
	list := s.calls(t)
	return list[len(list)-1].End.Cache
}

// idle: no folder of a call is left.
func (s *stage) idle(t testing.TB) {
	t.Helper()
	entries, _ := os.ReadDir(filepath.Join(s.cache, "store", "work"))
	for _, e := range entries {
		t.Errorf("%s is left in the store's work folder", e.Name())
	}
}

// both runs a test in a run and with the launcher; a short test each toolkit with one of them.
func both(t *testing.T, parts []string, test func(t *testing.T, s *stage)) {
	for i, part := range parts {
		for j, way := range []string{"exec", "launcher"} {
			t.Run(part+" "+way, func(t *testing.T) {
				if j != i%2 {
					testbed.Long(t)
				}
				s := newStage(t, part)
				s.launcher = way == "launcher"
				test(t, s)
			})
		}
	}
}

// TestHit: the second call is answered by the store: the same files, words and ending as nvcc's own.
func TestHit(t *testing.T) {
	both(t, []string{"cuda-12.4", "cuda-13.0"}, func(t *testing.T, s *stage) {
		args := []string{"-ccbin", "g++-12", "-fatbin", "-arch=sm_80", "-MD", "-MF", "k.d", "k.cu", "-o", "k.fatbin"}
		want := ways["two pipes"](t, s.direct(t, args...))
		if want.state != "exit status 0" || !strings.Contains(want.err, "from the source") {
			t.Fatalf("nvcc itself: %+v", want)
		}
		made := s.take(t, "k.fatbin", "k.d")
		for i, way := range []string{"two pipes", "two pipes", "one pipe"} {
			got := ways[way](t, s.call(t, args...))
			if way == "one pipe" {
				got.err, got.out = got.out, got.err // nvcc says nothing on stdout
			}
			if got != want {
				t.Errorf("call %d: %+v\ndirect: %+v", i, got, want)
			}
			if s.take(t, "k.fatbin", "k.d") != made {
				t.Errorf("call %d made other files than nvcc itself", i)
			}
			s.idle(t)
		}
		if e := s.events(t); e["hit"] != 2 || e["miss new"] != 1 {
			t.Errorf("counted %v, want one miss and two hits", e)
		}
		if s.launcher {
			return
		}
		list := s.calls(t)
		for i, told := range []string{"miss new", "hit", "hit"} {
			c := list[i]
			if c.End == nil || c.End.Cache != told || string(c.Text()) != want.err || c.Begin.Merged != (i == 2) {
				t.Errorf("call %d is recorded as %+v with %q", i, c.End, c.Text())
			}
			if out := c.End.Outputs; len(out) != 2 || out[0].Path != "k.d" || out[1].Path != "k.fatbin" || out[1].Size <= 0 {
				t.Errorf("outputs of call %d: %+v", i, out)
			}
		}
		if merged := list[2]; string(merged.Of(call.Stdout)) != want.err {
			t.Errorf("a merged hit is recorded as %+v", merged.Output)
		}
	})
}

// TestObject: an object is the one of nvcc --keep in the same folder: two plain calls write the number of their process
// into it (design, section 11).
func TestObject(t *testing.T) {
	s := newStage(t, "cuda-13.0")
	args := []string{"-ccbin", "g++-12", "-c", "-gencode=arch=compute_80,code=sm_80", "plain.cu", "-o", "k.o"}
	if out, err := s.direct(t, append([]string{"--keep", "--keep-dir", t.TempDir()}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := s.take(t, "k.o")
	for _, told := range []string{"miss new", "hit"} {
		if out, err := s.call(t, args...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v\n%s", err, out)
		}
		if s.take(t, "k.o") != want || s.told(t) != told {
			t.Errorf("%s (want %s): another object than that of nvcc --keep", s.told(t), told)
		}
	}
	cmd := s.call(t, args...)
	cmd.Env = append(cmd.Env, "CUPEL_NO_CACHE=1")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 || s.told(t) != "" {
		t.Errorf("with CUPEL_NO_CACHE: %v, %q\n%s", err, s.told(t), out)
	}
}

// TestMergedFirst: the order of two streams is known where they went to one place, but not which word was whose.
func TestMergedFirst(t *testing.T) {
	testbed.Long(t)
	s := newStage(t, "cuda-13.0")
	args := []string{"-ccbin", "g++-12", "-ptx", "k.cu", "-o", "k.ptx"}
	for i, tt := range []struct{ way, told string }{{"one pipe", "miss new"}, {"one file", "hit"}, {"two pipes", "miss streams"}, {"two pipes", "hit"}} {
		want := ways[tt.way](t, s.direct(t, args...))
		got := ways[tt.way](t, s.call(t, args...))
		if got != want || s.told(t) != tt.told {
			t.Errorf("call %d: %s, want %s: %+v\ndirect: %+v", i, s.told(t), tt.told, got, want)
		}
	}
}

// TestFailedIsForgotten: a call that failed is made again, and a mended source is compiled.
func TestFailedIsForgotten(t *testing.T) {
	both(t, []string{"cuda-13.0"}, func(t *testing.T, s *stage) {
		args := []string{"-ccbin", "g++-12", "-ptx", "bad.cu", "-o", "bad.ptx"}
		want := ways["two pipes"](t, s.direct(t, args...))
		for range 2 {
			if got := ways["two pipes"](t, s.call(t, args...)); got != want || got.state == "exit status 0" {
				t.Errorf("through the shim: %+v\ndirect: %+v", got, want)
			}
			s.idle(t)
		}
		write(t, filepath.Join(s.dir, "bad.cu"), kernel)
		if got := ways["two pipes"](t, s.call(t, args...)); got.state != "exit status 0" || !strings.Contains(s.take(t, "bad.ptx"), "add") {
			t.Errorf("after the source was mended: %+v", got)
		}
		if e := s.events(t); e["hit"] != 0 || e["miss new"] != 3 {
			t.Errorf("counted %v, want three misses", e)
		}
	})
}

// TestRefused: what is not remembered goes through unharmed, and is counted.
func TestRefused(t *testing.T) {
	s := newStage(t, "cuda-13.0")
	s.env = []string{"NVCC_CCBIN=g++-12"}
	if out, err := s.direct(t, "-dc", "plain.cu", "-o", "plain.o").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	reasons := map[string]int64{}
	for _, tt := range []struct {
		reason string
		args   []string
	}{
		{"query", []string{"--version"}},
		{"preprocess", []string{"-E", "k.cu"}},
		{"preprocess", []string{"-M", "k.cu"}},
		{"links", []string{"-dlink", "plain.o", "-o", "linked.o"}},
		{"no-source", []string{"-c"}},
		{"unknown-option", []string{"-c", "--no-such-option", "k.cu"}},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			want := ways["two pipes"](t, s.direct(t, tt.args...))
			for _, s.launcher = range []bool{false, true} {
				if got := ways["two pipes"](t, s.call(t, tt.args...)); got != want {
					t.Errorf("through the shim (launcher %v): %s\ndirect: %s", s.launcher, show(got), show(want))
				}
				reasons["refused "+tt.reason]++
			}
			if told := s.told(t); !strings.HasPrefix(told, "refused "+tt.reason) {
				t.Errorf("recorded %q, want %s", told, tt.reason)
			}
		})
	}
	for name, want := range reasons {
		if got := s.events(t)[name]; got != want {
			t.Errorf("%s was counted %d times, want %d", name, got, want)
		}
	}
	s.idle(t)
}

// TestFromElsewhere: options out of a response file and of NVCC_APPEND_FLAGS count as those on the command line.
func TestFromElsewhere(t *testing.T) {
	s := newStage(t, "cuda-13.0")
	args := []string{"-ccbin", "g++-12", "-ptx", "-optf", "args.rsp", "k.cu", "-o", "k.ptx"}
	for i, tt := range []struct{ response, append, told string }{
		{"-arch=sm_80", "", "miss new"},
		{"-arch=sm_80", "", "hit"},
		{"-arch=sm_90", "", "miss new"},
		{"-arch=sm_80", "-DX=1", "miss new"},
		{"-arch=sm_80", "-DX=1", "hit"},
		{"-arch=sm_90", "", "hit"},
	} {
		write(t, filepath.Join(s.dir, "args.rsp"), tt.response)
		s.env = []string{"NVCC_APPEND_FLAGS=" + tt.append}
		want := ways["two pipes"](t, s.direct(t, args...))
		made := s.take(t, "k.ptx")
		got := ways["two pipes"](t, s.call(t, args...))
		if got != want || s.take(t, "k.ptx") != made || s.told(t) != tt.told {
			t.Errorf("call %d, %+v: %s, %+v\ndirect: %+v", i, tt, s.told(t), got, want)
		}
	}
}

// TestNothingStarted: a hit is this one process.
func TestNothingStarted(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed here")
	}
	both(t, []string{"cuda-13.0"}, func(t *testing.T, s *stage) {
		args := []string{"-ccbin", "g++-12", "-ptx", "k.cu", "-o", "k.ptx"}
		if out, err := s.call(t, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		log := filepath.Join(t.TempDir(), "log")
		cmd := s.call(t, args...)
		cmd.Args = slices.Concat([]string{strace, "-f", "-o", log, "-e", "trace=execve,execveat,fork,vfork", "--"}, []string{cmd.Path}, cmd.Args[1:])
		cmd.Path = strace
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("strace cannot watch here: %v\n%s", err, out)
		}
		text, err := os.ReadFile(log)
		if err != nil || s.events(t)["hit"] != 1 {
			t.Fatalf("%v, %v", err, s.events(t))
		}
		if n := bytes.Count(text, []byte("execve(")); n != 1 || bytes.Contains(text, []byte("fork")) {
			t.Errorf("%d programs were started, want the shim alone:\n%s", n, text)
		}
	})
}
