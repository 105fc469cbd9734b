package shim_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoRoomForOne: a file that nvcc keeps in the store needs more room than its disk has. gcc takes away what it could not write,
// so there is room again when nvcc has ended. The call is made without the store.
func TestNoRoomForOne(t *testing.T) {
	s := newStage(t, "cuda-13.0")
	s.launcher = true
	s.mounted(t, 0, "70m")
	line := "static_assert(true, \"" + strings.Repeat("q", 1<<20) + "\");\n"
	write(t, filepath.Join(s.dir, "large.cu"), strings.Repeat(line, 75)+"__global__ void add(int *p) { *p = 1; }\n")
	out, err := s.call(t, "-ccbin", "g++-12", "-ptx", "large.cu", "-o", "k.ptx").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "is made again without the store") || !strings.Contains(s.take(t, "k.ptx"), "add") {
		t.Errorf("%v\n%.2000s", err, out)
	}
	s.idle(t)
}

// TestPlaceInOrder: a hit writes the object last, as nvcc does: where the file for make has no place, no object is left that make
// would take for whole.
func TestPlaceInOrder(t *testing.T) {
	both(t, []string{"cuda-13.0"}, func(t *testing.T, s *stage) {
		args := []string{"-ccbin", "g++-12", "-c", "plain.cu", "-MD", "-MF", "d/k.d", "-o", "k.o"}
		d := filepath.Join(s.dir, "d")
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := s.call(t, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		s.take(t, "k.o", "d/k.d")
		if err := os.Remove(d); err != nil {
			t.Fatal(err)
		}
		err := s.call(t, args...).Run()
		if _, made := os.Stat(filepath.Join(s.dir, "k.o")); err == nil || made == nil {
			t.Errorf("without a folder for the file for make: %v, the object: %v", err, made)
		}
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := s.call(t, args...).CombinedOutput(); err != nil || s.events(t)["hit"] != 1 {
			t.Fatalf("%v, counted %v\n%s", err, s.events(t), out)
		}
		object, err := os.Stat(filepath.Join(s.dir, "k.o"))
		if err != nil {
			t.Fatal(err)
		}
		if rules, err := os.Stat(filepath.Join(d, "k.d")); err != nil || rules.ModTime().After(object.ModTime()) {
			t.Errorf("%v; the file for make is of %v, the object of %v", err, rules.ModTime(), object.ModTime())
		}
	})
}

// TestLinkWithoutStore: an output that is a link into the store is a file of its own before nvcc is started without the store, or is
// left alone there.
func TestLinkWithoutStore(t *testing.T) {
	for _, tt := range []struct{ name, variable, option string }{
		{"switched off", "CUPEL_NO_CACHE=1", ""},
		{"a call that is not remembered", "X=", "--verbose"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStage(t, "cuda-13.0")
			s.launcher, s.env = true, []string{"CUPEL_CACHE_LINKS=1"}
			args := []string{"-ccbin", "g++-12", "-ptx", "plain.cu"}
			made := func(args ...string) string {
				t.Helper()
				if out, err := s.call(t, args...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				b, err := os.ReadFile(filepath.Join(s.dir, args[len(args)-1]))
				if err != nil {
					t.Fatal(err)
				}
				return string(b)
			}
			made(append(args, "-o", "k.ptx")...)
			s.take(t, "k.ptx")
			first := made(append(args, "-o", "k.ptx")...)
			if info, err := os.Stat(filepath.Join(s.dir, "k.ptx")); err != nil || info.Mode().Perm()&0o222 != 0 || info.Sys().(*syscall.Stat_t).Nlink < 2 {
				t.Fatalf("%v, mode %v: it is no link into the store", err, info.Mode())
			}
			write(t, filepath.Join(s.dir, "plain.cu"), strings.ReplaceAll(kernel, "add", "sum"))
			s.env = append(s.env, tt.variable)
			more := args
			if tt.option != "" {
				more = append([]string{tt.option}, args...)
			}
			if !strings.Contains(made(append(more, "-o", "k.ptx")...), "sum") {
				t.Error("the old file is there")
			}
			if info, err := os.Stat(filepath.Join(s.dir, "k.ptx")); err != nil || info.Sys().(*syscall.Stat_t).Nlink != 1 {
				t.Errorf("%v; nvcc wrote into the store", err)
			}
			write(t, filepath.Join(s.dir, "plain.cu"), kernel)
			s.env = s.env[:1]
			if made(append(args, "-o", "again.ptx")...) != first {
				t.Error("what the store has was written to")
			}
		})
	}
}

// TestGroup: a result has the group of a folder with the setgid bit, compiled as well as out of the store.
func TestGroup(t *testing.T) {
	s := newStage(t, "cuda-13.0")
	s.launcher = true
	const group = 1
	if err := os.Chown(s.dir, -1, group); err != nil {
		t.Skipf("no group can be given here: %v", err)
	}
	if err := os.Chmod(s.dir, 0o755|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cold.ptx", "warm.ptx"} {
		if out, err := s.call(t, "-ccbin", "g++-12", "-ptx", "plain.cu", "-o", name).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		info, err := os.Stat(filepath.Join(s.dir, name))
		if err != nil || info.Sys().(*syscall.Stat_t).Gid != group {
			t.Errorf("%s: %v, group %d, want that of the folder, %d", name, err, info.Sys().(*syscall.Stat_t).Gid, group)
		}
	}
}
