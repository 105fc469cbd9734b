package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/diagnose"
	"cupel/internal/review"
)

// shape is the failing calls in short: number, kind, label, numbers of the same cause.
func shape(a review.Answer) string {
	var out []string
	for _, f := range a.Failing {
		s := strings.TrimPrefix(f.ID, "r1.") + f.Kind
		if len(f.Findings) > 0 {
			s += "=" + f.Findings[0].Label
		}
		for _, o := range f.Same {
			s += "+" + strings.TrimPrefix(o.ID, "r1.")
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// TestFailingOrder: the root cause stands first, what came of it behind it.
func TestFailingOrder(t *testing.T) {
	compile := func(m *made, file string) *call.Call { return m.nvcc("-c", file, "-o", file+".o") }
	for _, tt := range []struct {
		name string
		code int64
		make func(m *made)
		want string
	}{
		{"one error", 2, func(m *made) { compile(m, "a.cu"); bad(compile(m, "b.cu"), 2, syntax) }, "2=not-cuda"},
		{"one cause in several calls", 2, func(m *made) { bad(compile(m, "a.cu"), 1, oldArch); bad(compile(m, "b.cu"), 1, oldArch) }, "1=arch-dropped-by-toolkit+2"},
		{"two mistakes", 2, func(m *made) {
			bad(compile(m, "a.cu"), 2, syntax)
			bad(compile(m, "b.cu"), 2, strings.ReplaceAll(strings.ReplaceAll(syntax, `a ";"`, "a declaration"), "a.cu", "b.cu"))
		}, "1=not-cuda 2=not-cuda"},
		{"one mistake of a header", 2, func(m *made) {
			bad(compile(m, "a.cu"), 2, syntax)
			bad(compile(m, "b.cu"), 2, strings.ReplaceAll(syntax, "compilation of \"src/a.cu", "compilation of \"src/b.cu"))
		}, "1=not-cuda+2"},
		{"two causes, by their end", 2, func(m *made) {
			bad(compile(m, "a.cu"), 2, syntax).End.At = began.Add(time.Hour)
			bad(compile(m, "b.cu"), 1, oldArch)
		}, "2=arch-dropped-by-toolkit 1=not-cuda"},
		{"a compile before a link of the same moment", 2, func(m *made) {
			link := bad(m.nvcc("a.o", "-o", "app"), 1, "nvlink error   : Undefined reference to 'f' in 'a.o'\n")
			bad(compile(m, "b.cu"), 2, syntax).End.At = link.End.At
		}, "2=not-cuda 1=device-link-incomplete"},
		{"stopped after another failed", 2, func(m *made) {
			ended(compile(m, "a.cu"), "SIGTERM").End.At = began.Add(time.Minute)
			bad(compile(m, "b.cu"), 2, syntax)
			ended(compile(m, "c.cu"), "SIGKILL").End.At = began.Add(time.Minute)
		}, "2=not-cuda 1stopped+3"},
		{"a tool of nvcc was stopped", 2, func(m *made) {
			bad(compile(m, "a.cu"), 2, syntax)
			bad(compile(m, "b.cu"), 143, "Terminated\n")            // nvcc 13.0
			bad(compile(m, "c.cu"), 4, "Compilation terminated.\n") // nvcc 12.4
			bad(compile(m, "d.cu"), 137, "Killed\n")
		}, "1=not-cuda 2stopped+3+4"},
		{"a tool of nvcc was killed first", 2, func(m *made) {
			bad(compile(m, "a.cu"), 137, "Killed\n").End.Peak = 30 << 30
			bad(compile(m, "b.cu"), 2, syntax)
		}, "1=compile-resources-exhausted 2=not-cuda"},
		{"a tool of nvcc was killed with little memory", 2, func(m *made) { bad(compile(m, "a.cu"), 137, "Killed\n") }, "1=unknown"},
		{"killed after another failed, and the command ended so", 137, func(m *made) {
			bad(compile(m, "a.cu"), 2, syntax)
			bad(compile(m, "b.cu"), 137, "Killed\n").End.Peak = 30 << 30
		}, "1=not-cuda 2=compile-resources-exhausted"},
		{"nvcc was told to end with the command", 124, func(m *made) {
			m.in.Run.End.TimedOut = true
			bad(compile(m, "a.cu"), 255, "nvcc: Terminated\n\nCompilation terminated.\n") // nvcc 13.0
			bad(compile(m, "b.cu"), 255, "nvcc: Terminated\n")                            // nvcc 11.8
		}, "1stopped+2"},
		{"two different headers", 2, func(m *made) {
			bad(compile(m, "a.cu"), 1, "a.cu:1:10: fatal error: cublas_v2.h: No such file or directory\n")
			bad(compile(m, "b.cu"), 1, "b.cu:1:10: fatal error: cufft.h: No such file or directory\n")
			bad(compile(m, "c.cu"), 1, "c.cu:1:10: fatal error: cufft.h: No such file or directory\n")
		}, "1=cuda-headers-missing 2=cuda-headers-missing+3"},
		{"a probe whose result is thrown away", 2, func(m *made) {
			bad(m.nvcc("-arch=sm_60", "-c", "p.cu", "-o", "/dev/null"), 1, oldArch)
			bad(compile(m, "b.cu"), 2, syntax)
		}, "2=not-cuda"},
		{"the build began something after the first", 2, func(m *made) {
			bad(compile(m, "p.cu"), 1, oldArch).End.At = began.Add(time.Second + time.Millisecond)
			bad(compile(m, "b.cu"), 2, syntax)
		}, "2=not-cuda 1=arch-dropped-by-toolkit"},
		{"stopped with the command", 130, func(m *made) {
			m.in.Run.End.Signal = "SIGINT"
			ended(compile(m, "a.cu"), "SIGINT")
		}, "1stopped"},
		{"interrupted, and make tells its own code", 2, func(m *made) { ended(compile(m, "a.cu"), "SIGINT"); ended(compile(m, "b.cu"), "SIGINT") }, "1stopped+2"},
		{"killed before another failed", 2, func(m *made) { ended(compile(m, "a.cu"), "SIGKILL"); bad(compile(m, "b.cu"), 2, syntax) }, "1=unknown 2=not-cuda"},
		{"the time limit", 124, func(m *made) { m.in.Run.End.TimedOut = true; ended(compile(m, "a.cu"), "SIGKILL") }, "1stopped"},
		{"killed by itself, with much memory", 2, func(m *made) { ended(compile(m, "a.cu"), "SIGKILL").End.Peak = 30 << 30 }, "1=compile-resources-exhausted"},
		{"killed by itself, with little", 2, func(m *made) { ended(compile(m, "a.cu"), "SIGKILL") }, "1=unknown"},
		{"CMake's check beside a real failure", 2, func(m *made) {
			c := bad(compile(m, "main.cu"), 1, oldArch)
			c.Begin.Dir = "/p/CMakeFiles/CMakeScratch/TryCompile-1"
			bad(compile(m, "b.cu"), 2, syntax)
		}, "2=not-cuda"},
		{"CMake's check alone", 1, func(m *made) {
			bad(compile(m, "main.cu"), 1, oldArch).Begin.Dir = "/p/CMakeFiles/CMakeScratch/TryCompile-1"
		}, "1check=arch-dropped-by-toolkit"},
		{"CMake's question that always fails", 1, func(m *made) {
			bad(m.nvcc("-v", "__cmake_determine_cuda"), 1, "nvcc fatal   : Don't know what to do with '__cmake_determine_cuda'\n")
			bad(m.nvcc("--keep", "--keep-dir", "tmp", "-v", "CMakeCUDACompilerId.cu"), 1, oldArch).Begin.Dir = "/p/b/CMakeFiles/3.25.1/CompilerIdCUDA"
		}, "2check=arch-dropped-by-toolkit"},
		{"CMake's question alone", 1, func(m *made) {
			bad(m.nvcc("-v", "__cmake_determine_cuda"), 1, "nvcc fatal   : Don't know what to do with '__cmake_determine_cuda'\n")
		}, ""},
		{"a question alone", 1, func(m *made) { bad(m.nvcc("--version"), 1, "") }, "1query=unknown"},
		{"nvcc and its own tool", 2, func(m *made) {
			outer := bad(compile(m, "a.cu"), 255, "ptxas fatal   : Value 'sm_60' is not defined for option 'gpu-name'\n")
			inner := bad(m.nvcc("a.ptx"), 255, "ptxas fatal   : Value 'sm_60' is not defined for option 'gpu-name'\n")
			inner.Begin.Tool, inner.Begin.At, inner.End.At = "ptxas", outer.Begin.At.Add(time.Millisecond), outer.End.At.Add(-time.Millisecond)
		}, "1=arch-dropped-by-toolkit+2"},
		{"the build went on", 0, func(m *made) { bad(compile(m, "a.cu"), 2, syntax); compile(m, "b.cu") }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := run(t, tt.code, "make")
			tt.make(m)
			a := m.judge()
			if got := shape(a); got != tt.want {
				t.Errorf("failing %q, want %q", got, tt.want)
			}
			if tt.code == 0 && slices.ContainsFunc(a.Findings, isError) {
				t.Errorf("an error of a command that succeeded: %+v", a.Findings)
			}
		})
	}
}

// TestFailingCall: everything that a person needs to run and read it.
func TestFailingCall(t *testing.T) {
	m := run(t, 101, "cargo", "build")
	c := bad(m.nvcc("-DX=a b", "-c", "src/a.cu", "-o", "a.o"), 2, "\x1b[31m"+strings.ReplaceAll(syntax, "\n", "\r\n")+"\x1b[0m")
	c.Begin.Env = call.Diff{Set: map[string]string{"CUDA_HOME": "/other", "CARGO_PKG_NAME": "k", "OUT_DIR": "/o"}, Unset: []string{"NVCC_CCBIN"}}
	f := m.judge().Failing[0]
	if f.Command != "/opt/cuda-13.0/bin/nvcc '-DX=a b' -c src/a.cu -o a.o" || f.Dir != "/p" || f.Ended != "exit code 2" || f.Replay != "cupel replay r1.1" || f.Source != "src/a.cu" || f.Target != "k" {
		t.Errorf("the call: %+v", f)
	}
	if f.Output != strings.TrimRight(syntax, "\n") || f.Cut != 0 {
		t.Errorf("output %q, cut %d", f.Output, f.Cut)
	}
	if got := f.Findings[0]; got.Line != 1 || !strings.Contains(got.Text, "expected a") || got.Command != "" {
		t.Errorf("the cause: %+v", got)
	}
	if want := []review.Variable{{Name: "CUDA_HOME", Value: "/other"}, {Name: "NVCC_CCBIN", Unset: true}}; !slices.Equal(f.Env, want) {
		t.Errorf("env %+v, want %+v", f.Env, want)
	}
}

// TestEnded: an end is told in its own words; what was put around the output for the diagnosis is never shown.
func TestEnded(t *testing.T) {
	for _, tt := range []struct {
		name, os          string
		end               call.End
		ended, label, why string
	}{
		{"code", "linux", call.End{Code: 1}, "exit code 1", diagnose.Unknown, "wrote nothing"},
		{"signal", "linux", call.End{Code: 139, Signal: "SIGSEGV"}, "SIGSEGV", diagnose.Unknown, "SIGSEGV ended it"},
		{"killed", "linux", call.End{Code: 137, Signal: "SIGKILL", Peak: 5_000_000}, "SIGKILL", diagnose.Unknown, "its largest process had 5 MB"},
		{"not started", "linux", call.End{Code: 125, Error: "exec format error"}, "could not be started: exec format error", diagnose.Unknown, "exec format error"},
		{"a missing DLL", "windows", call.End{Code: 0xC0000135, Status: "0xC0000135 (STATUS_DLL_NOT_FOUND)"}, "0xC0000135 (STATUS_DLL_NOT_FOUND)", "cuda-dll-not-found-windows", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := run(t, 1, "make")
			m.in.Run.OS = tt.os
			c := m.nvcc("-c", "a.cu")
			at := c.End.At
			*c.End = tt.end
			c.End.At = at
			f := m.judge().Failing[0]
			cause := f.Findings[0]
			if f.Ended != tt.ended || cause.Label != tt.label || !strings.Contains(cause.Why, tt.why) || f.Output != "" || cause.Text != "" || cause.Line != 0 {
				t.Errorf("ended %q, cause %+v, output %q; want %q, %s, %q", f.Ended, cause, f.Output, tt.ended, tt.label, tt.why)
			}
		})
	}
}

// TestManyFailing: a build that goes on after errors can have thousands; the list is bounded, the count is not.
func TestManyFailing(t *testing.T) {
	m := run(t, 2, "make", "-k")
	for i := range 250 {
		file := fmt.Sprintf("f%d.cu", i)
		bad(m.nvcc("-c", file), 2, strings.ReplaceAll(syntax, "src/a.cu", file))
	}
	a := m.judge()
	if len(a.Failing) != 200 || a.Total.Failed != 250 {
		t.Errorf("%d failing calls are told and %d counted, want 200 and 250", len(a.Failing), a.Total.Failed)
	}
}

// TestOutputBounds: of a long output the part around the cause and the end are kept, and every line is accounted for.
func TestOutputBounds(t *testing.T) {
	var lines []string
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("a.h(%d): warning #177-D: variable was declared but never referenced", i))
	}
	lines[200] = `src/a.cu(3): error: expected a ";"`
	lines[499] = `1 error detected in the compilation of "src/a.cu".`
	m := run(t, 2, "make")
	bad(m.nvcc("-c", "src/a.cu"), 2, strings.Join(lines, "\n")+"\n")
	f := m.judge().Failing[0]
	kept := 0
	for _, line := range strings.Split(f.Output, "\n") {
		if slices.Contains(lines, line) {
			kept++
		}
	}
	if !strings.Contains(f.Output, lines[200]) || !strings.HasSuffix(f.Output, lines[499]) || f.Cut+kept != 500 || kept > 60 {
		t.Errorf("%d lines kept, %d cut:\n%s", kept, f.Cut, f.Output)
	}
}
