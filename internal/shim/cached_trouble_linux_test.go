package shim_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/testbed"
)

// ptx is a call that takes a moment.
var ptx = []string{"-ccbin", "g++-12", "-ptx", "k.cu", "-o", "k.ptx"}

// working waits until nvcc has written into the folder of a call.
func (s *stage) working(t testing.TB) {
	t.Helper()
	for range 3000 {
		if files, _ := filepath.Glob(filepath.Join(s.cache, "store", "work", "*", "*.ii")); len(files) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nvcc wrote nothing into its folder")
}

// TestInterrupted: a call that is ended on the way leaves nothing, ends as nvcc itself does, and is made again.
func TestInterrupted(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sig   syscall.Signal
		group bool
	}{{"Ctrl-C", syscall.SIGINT, true}, {"SIGTERM for the shim alone", syscall.SIGTERM, false}} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStage(t, "cuda-13.0")
			s.launcher = tt.group
			cmd := s.call(t, ptx...)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			s.working(t)
			pid := cmd.Process.Pid
			if tt.group {
				pid = -pid
			}
			if err := syscall.Kill(pid, tt.sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if cmd.ProcessState.Success() {
				t.Errorf("it ended well: %v", cmd.ProcessState)
			}
			s.idle(t)
			s.right(t)
		})
	}
}

// right makes the call again and compares.
func (s *stage) right(t testing.TB) {
	t.Helper()
	out, err := s.direct(t, ptx...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := s.take(t, "k.ptx")
	for i := range 2 {
		got, err := s.call(t, ptx...).CombinedOutput()
		if err != nil || string(got) != string(out) {
			t.Fatalf("call %d: %v\n%s\ndirect:\n%s", i, err, got, out)
		}
		if s.take(t, "k.ptx") != want {
			t.Errorf("call %d made another file than nvcc itself", i)
		}
	}
	s.idle(t)
}

// TestKilledOnTheWay: what a killed shim left is taken away by the next, and its result was not kept.
func TestKilledOnTheWay(t *testing.T) {
	s := newStage(t, "cuda-13.0")
	cmd := s.call(t, ptx...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.working(t)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	s.right(t)
	if e := s.events(t); e["hit"] != 1 || e["miss new"] != 2 {
		t.Errorf("counted %v, want a miss that was killed, a miss and a hit", e)
	}
}

// TestAtOnce: 16 processes make one call at the same time, each in a folder of its own.
func TestAtOnce(t *testing.T) {
	s := newStage(t, "cuda-13.0")
	s.launcher = true
	out, err := s.direct(t, ptx...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := s.take(t, "k.ptx")
	var wg sync.WaitGroup
	for range 16 {
		one := *s
		one.dir = t.TempDir()
		one.sources(t, one.dir)
		cmd := one.call(t, ptx...)
		wg.Go(func() {
			got, err := cmd.CombinedOutput()
			if err != nil || !bytes.Equal(got, out) {
				t.Errorf("%v\n%s\ndirect:\n%s", err, got, out)
				return
			}
			if made, err := os.ReadFile(filepath.Join(one.dir, "k.ptx")); err != nil || string(made) != want {
				t.Errorf("%v: %d bytes, direct %d", err, len(made), len(want))
			}
		})
	}
	wg.Wait()
	s.idle(t)
	s.right(t)
	if e := s.events(t); e["hit"] < 2 {
		t.Errorf("counted %v, want two hits at the end", e)
	}
}

// mounted puts the store on a small disk of its own.
func (s *stage) mounted(t testing.TB, flags uintptr, size string) {
	t.Helper()
	if err := unix.Mount("cupel-test", s.cache, "tmpfs", flags, "size="+size); err != nil {
		t.Skipf("no tmpfs can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(s.cache, unix.MNT_DETACH) })
}

// TestNoStore: without a place, or with one that takes nothing, nvcc is called as it would be without us.
func TestNoStore(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(t *testing.T, s *stage)
	}{
		{"to be read only", func(t *testing.T, s *stage) { s.mounted(t, unix.MS_RDONLY, "256m") }},
		{"a small disk", func(t *testing.T, s *stage) { s.mounted(t, 0, "1m") }},
		{"a file", func(t *testing.T, s *stage) {
			s.cache = filepath.Join(t.TempDir(), "file")
			write(t, s.cache, "")
		}},
		{"no home", func(t *testing.T, s *stage) { s.env = []string{"CUPEL_CACHE=", "XDG_CACHE_HOME=", "HOME="} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "a file" || tt.name == "no home" {
				testbed.Long(t)
			}
			s := newStage(t, "cuda-13.0")
			tt.make(t, s)
			args := []string{"-ccbin", "g++-12", "-ptx", "plain.cu", "-o", "k.ptx"}
			want := ways["two pipes"](t, s.direct(t, args...))
			made := s.take(t, "k.ptx")
			for _, s.launcher = range []bool{false, true} {
				if got := ways["two pipes"](t, s.call(t, args...)); got != want || s.take(t, "k.ptx") != made {
					t.Errorf("launcher %v: %+v\ndirect: %+v", s.launcher, got, want)
				}
			}
		})
	}
}

// TestFullOnTheWay: the store's disk gets full while nvcc writes there. The call is made again without the store, and says so.
func TestFullOnTheWay(t *testing.T) {
	both(t, []string{"cuda-13.0"}, func(t *testing.T, s *stage) {
		s.mounted(t, 0, "80m")
		cmd := s.call(t, ptx...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for range 3000 {
			if dirs, _ := filepath.Glob(filepath.Join(s.cache, "store", "work", "[^.]*")); len(dirs) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		f, err := os.Create(filepath.Join(s.cache, "filler"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(f, io.LimitReader(zeros{}, 1<<30))
		f.Close()
		if err == nil {
			t.Fatal("the disk does not get full")
		}
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, errs.String())
		}
		if !strings.Contains(s.take(t, "k.ptx"), "add") || !strings.Contains(errs.String(), "is made again without the store") {
			t.Errorf("it said:\n%s", errs.String())
		}
		s.idle(t)
		if !s.launcher && s.told(t) != "no room" {
			t.Errorf("recorded %q", s.told(t))
		}
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestHitUnheard: a hit whose words nobody takes ends as a call does.
func TestHitUnheard(t *testing.T) {
	both(t, []string{"cuda-13.0"}, func(t *testing.T, s *stage) {
		if out, err := s.call(t, ptx...).CombinedOutput(); err != nil || !bytes.Contains(out, []byte("from the source")) {
			t.Fatalf("%v\n%s", err, out)
		}
		// The streams go to two places below, as they do here.
		if _, err := s.call(t, ptx...).Output(); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct{ name, redirect, state string }{
			{"closed", "2>&-", "exit status 0"},
			{"full", "2>/dev/full", "exit status 1"},
			{"gone", "2>&1 >/dev/null | :", ""},
		} {
			hits := s.events(t)["hit"]
			cmd := s.call(t, ptx...)
			cmd.Args = append([]string{"sh", "-c", `"$0" "$@" ` + tt.redirect, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = "/bin/sh"
			_, _ = cmd.Output()
			if state := cmd.ProcessState.String(); tt.state != "" && state != tt.state {
				t.Errorf("stderr %s: %s, want %s", tt.name, state, tt.state)
			}
			if s.events(t)["hit"] != hits+1 {
				t.Errorf("stderr %s: %v, want one hit more than %d", tt.name, s.events(t), hits)
			}
		}
		cmd := s.call(t, ptx...)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = w
		r.Close()
		err = cmd.Run()
		w.Close()
		if fmt.Sprint(err) != "signal: broken pipe" {
			t.Errorf("nobody reads: %v, want an end by SIGPIPE", err)
		}
	})
}

// TestHitOnTerminal: colours that a terminal got do not get into files.
func TestHitOnTerminal(t *testing.T) {
	testbed.Long(t)
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("script(1) is not installed here")
	}
	s := newStage(t, "cuda-13.0")
	s.launcher = true
	args := []string{"-ccbin", "g++-12", "-c", "-arch=sm_80", "-Xcompiler", "-Wall", "k.cu", "-o", "k.o"}
	cmd := s.call(t, args...)
	line := "'" + strings.Join(append([]string{cmd.Path}, cmd.Args[1:]...), "' '") + "'"
	cmd.Args, cmd.Path = []string{"script", "-qec", line, "/dev/null"}, "/usr/bin/script"
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	shown, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(shown, []byte("\x1b[")) {
		t.Fatalf("%v, no colours on a terminal:\n%q", err, shown)
	}
	got, err := s.call(t, args...).CombinedOutput()
	if err != nil || s.events(t)["hit"] != 1 {
		t.Fatalf("%v, %v\n%s", err, s.events(t), got)
	}
	want, _ := s.direct(t, args...).CombinedOutput()
	if string(got) != string(want) {
		t.Errorf("to a pipe:\n%q\ndirect:\n%q", got, want)
	}
}
