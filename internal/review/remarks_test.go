package review_test

import (
	"slices"
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/call"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/review"
)

func isError(f finding.Finding) bool { return f.Severity == finding.Error }

// all is a finding as one text.
func all(f finding.Finding) string {
	s := string(f.Severity) + " " + f.ID + ": " + f.What + "\nwhere: " + f.Where + "\nwhy: " + f.Why
	for _, n := range f.Next {
		s += "\nnext: " + n.Command + " # " + n.Note
	}
	return s
}

var candle = fact.Crate{Name: "bindgen_cuda", Version: "0.1.6", File: "/p/Cargo.lock", Line: 22, Chain: []string{"app", "candle-core", "candle-kernels", "bindgen_cuda"}, Feature: "cuda"}

// TestRemarks: what is told of a run itself, and when nothing is.
func TestRemarks(t *testing.T) {
	for _, tt := range []struct {
		name string
		code int64
		cmd  string
		make func(m *made)
		want []string // parts of one finding, its id and severity first; empty: none
	}{
		{"all well", 0, "make", func(m *made) { m.nvcc("-c", "a.cu") }, nil},
		{"nothing compiled, no sign of CUDA", 0, "ls", func(*made) {}, []string{"info exec-nothing-compiled"}},
		{"nothing compiled by cargo", 0, "cargo build --release", func(m *made) { m.in.Project.Crates = []fact.Crate{candle} },
			[]string{"warning exec-nothing-compiled", "where: cargo build --release", "/p/Cargo.lock line 22 locks bindgen_cuda 0.1.6", "next: cargo clean -p candle-kernels", "next: cupel exec -- cargo build --release #", "next: cupel exec -- cargo build --release --features cuda"}},
		{"the feature is on", 0, "cargo build --features cuda", func(m *made) {
			m.in.Project.Crates = []fact.Crate{candle}
			m.nvcc("--version")
		}, []string{"warning exec-nothing-compiled", "next: cupel exec -- cargo build --features cuda #"}},
		{"nothing compiled by CMake", 0, "cmake --build build", func(m *made) {
			m.in.Project.Cache = []fact.FileValue{{Name: "CMAKE_CUDA_COMPILER", Value: "/h/shims/13.0/bin/nvcc", File: "/p/build/CMakeCache.txt"}}
		}, []string{"warning exec-nothing-compiled", "next: cupel exec -- cmake --build build --clean-first"}},
		{"nothing compiled by make", 0, "make all", func(m *made) { m.in.Run.Project = "/p" }, []string{"warning exec-nothing-compiled", "next: cupel exec -- make all -B"}},
		{"a configure run", 0, "cmake -B build", func(m *made) { m.in.Run.Project = "/p" }, nil},
		{"a check alone", 0, "sh build.sh", func(m *made) { m.nvcc("-c", "main.cu").Begin.Dir = "/p/CMakeFiles/CMakeScratch/x" }, nil},
		{"failed elsewhere", 101, "cargo build", func(m *made) { m.nvcc("-c", "a.cu") },
			[]string{"error exec-failure-elsewhere", "where: exit code 101", "not kept", "next: cupel exec -- cargo build 2>&1 | cupel explain", "next: cupel runs show r1"}},
		{"failed elsewhere, the output has no known cause", 3, "make", func(m *made) { m.in.Kept, m.in.Log = true, []byte("make: *** [Makefile:3: all] Error 3\n") },
			[]string{"error exec-failure-elsewhere"}},
		{"the command could not be started", 125, "nosuch", func(m *made) { m.in.Run.End.Error = "not found" }, nil},
		{"interrupted", 130, "make", func(m *made) { m.in.Run.End.Signal = "SIGINT" }, nil},
		{"cupel under cupel", 0, "cupel exec -- make", func(m *made) { m.in.Run.Project = "/p" }, nil},
		{"a question", 0, "cargo --version", func(m *made) { m.in.Project.Crates = []fact.Crate{candle} }, nil},
		{"cleaning", 0, "make clean", func(m *made) { m.in.Run.Project = "/p" }, nil},
		{"up to date", 0, "ninja", func(m *made) { m.in.Run.Project, m.in.Kept, m.in.Log = "/p", true, []byte("ninja: no work to do.\n") }, []string{"info exec-nothing-compiled"}},
		{"another folder's cache", 0, "make", func(m *made) {
			m.in.Project.Cache = []fact.FileValue{{Name: "CMAKE_CUDA_COMPILER", Value: "/h/shims/13.0/bin/nvcc", File: "/p/build/CMakeCache.txt"}}
		}, []string{"info exec-nothing-compiled"}},
		{"ended because nobody reads it", 141, "sh -c yes", func(m *made) { m.nvcc("-c", "a.cu") }, nil},
		{"the options are kept", 101, "cargo build", func(m *made) {
			m.in.Run.Options = []string{"--toolkit", "/opt/cuda 13", "--fix"}
			m.nvcc("-c", "a.cu")
		}, []string{"next: cupel exec --toolkit '/opt/cuda 13' --fix -- cargo build 2>&1 | cupel explain"}},
		{"the shim of another toolkit", 0, "cmake --build b", func(m *made) {
			m.nvcc("-c", "a.cu", "-o", "CMakeFiles/k.dir/a.cu.o").Begin.Path = "/opt/cuda-12.4/bin/nvcc"
			m.in.Run.End.PassedBy = []call.Process{{Path: "/h/shims/12.4/bin/nvcc", Parent: "/usr/bin/dash"}, {Path: "/opt/cuda-12.4/bin/nvcc", Parent: "/h/shims/12.4/bin/nvcc"}}
		}, []string{"warning exec-other-toolkit", "1 call used /opt/cuda-12.4/bin/nvcc", "CMAKE_CUDA_COMPILER in CMakeCache.txt of b", "next: cupel exec -- cmake --fresh b"}},
		{"the shim of another toolkit, from CMake's cache", 0, "make", func(m *made) {
			m.nvcc("-c", "a.cu").Begin.Path = "/opt/cuda-12.4/bin/nvcc"
			m.in.Project.Cache = []fact.FileValue{{Name: "CMAKE_CUDA_COMPILER", Value: "/h/shims/12.4/bin/nvcc", File: "/p/build/CMakeCache.txt", Line: 7}}
		}, []string{"warning exec-other-toolkit", "/p/build/CMakeCache.txt line 7 keeps CMAKE_CUDA_COMPILER=/h/shims/12.4/bin/nvcc", "next: cupel exec -- cmake --fresh /p/build"}},
		{"passed by, seen twice before it became another program", 0, "make", func(m *made) {
			m.in.Run.End.PassedBy = []call.Process{{Path: "/opt/x/bin/nvcc", Parent: "/usr/bin/make"}, {Path: "/opt/x/bin/nvcc", Parent: "/opt/x/bin/nvcc"}}
		}, []string{"warning exec-shim-passed-by", "without the shim, once", "where: /usr/bin/make"}},
		{"passed by, the program named before its root", 0, "cargo build", func(m *made) {
			m.in.Project.CargoEnv = []fact.FileValue{{Name: "CUDA_HOME", Value: "/opt/x", File: "/p/.cargo/config.toml", Line: 3, Force: true}, {Name: "NVCC", Value: "/opt/x/bin/nvcc", File: "/p/.cargo/config.toml", Line: 2, Force: true}}
			m.in.Run.End.PassedBy = []call.Process{{Path: "/opt/x/bin/nvcc"}}
		}, []string{"/p/.cargo/config.toml line 2 sets NVCC to /opt/x/bin/nvcc"}},
		{"passed by, nothing known", 0, "make", func(m *made) {
			m.in.Run.End.PassedBy = []call.Process{{Path: "/opt/x/bin/nvcc", Parent: "/usr/bin/make"}, {Path: "/opt/x/bin/nvcc", Parent: "/usr/bin/make"}}
		}, []string{"warning exec-shim-passed-by", "/opt/x/bin/nvcc was started without the shim, 2 times", "where: /usr/bin/make", "NVCC=/h/shims/13.0/bin/nvcc"}},
		{"passed by, from CMake's cache", 0, "cmake --build build", func(m *made) {
			m.in.Project.Cache = []fact.FileValue{{Name: "CMAKE_CUDA_COMPILER", Value: "/opt/x/bin/nvcc", File: "/p/build/CMakeCache.txt", Force: true}}
			m.in.Run.End.PassedBy = []call.Process{{Path: "/opt/x/bin/nvcc", Parent: "/usr/bin/ninja"}}
		}, []string{"warning exec-shim-passed-by", "once", "/p/build/CMakeCache.txt sets CMAKE_CUDA_COMPILER", "next: cupel exec -- cmake --fresh /p/build", "next: cupel exec -- cmake --build build"}},
		{"passed by, CUDA_HOME of cargo's config", 0, "cargo build", func(m *made) {
			m.in.Project.CargoEnv = []fact.FileValue{{Name: "CUDA_HOME", Value: "/opt/x", File: "/p/.cargo/config.toml", Line: 3, Force: true}}
			m.in.Run.End.PassedBy = []call.Process{{Path: "/opt/x/bin/nvcc"}}
		}, []string{"/p/.cargo/config.toml line 3 sets CUDA_HOME to /opt/x", "force = true"}},
		{"passed by, a build script", 0, "cargo build", func(m *made) {
			m.in.Run.End.PassedBy = []call.Process{{Path: "/opt/x/bin/nvcc", Parent: "/p/target/debug/build/mlx-0123456789abcdef/build-script-build"}}
		}, []string{"the build script of mlx takes it"}},
		{"passed by, a known fork", 0, "cargo build", func(m *made) {
			m.in.Project.Crates = []fact.Crate{{Name: "bindgen_cuda", Version: "0.1.7"}}
			m.in.Run.End.PassedBy = []call.Process{{Path: "/usr/local/cuda/bin/nvcc"}}
		}, []string{"bindgen_cuda 0.1.7: a fork"}},
		{"overridden by cargo's config", 0, "cargo build", func(m *made) {
			m.in.Project.CargoEnv = []fact.FileValue{{Name: "CUDA_HOME", Value: "/opt/x", File: "/p/.cargo/config.toml", Line: 3, Force: true}}
			m.nvcc("-c", "a.cu").Begin.Env.Set = map[string]string{"CUDA_HOME": "/opt/x", "FOO": "1"}
		}, []string{"warning exec-value-overridden", "CUDA_HOME is /opt/x in 1 call", "where: call r1.1", "/p/.cargo/config.toml line 3 sets it to /opt/x; exec set /h/shims/13.0", "without force = true"}},
		{"overridden by a makefile", 0, "make", func(m *made) {
			m.in.Project.Exports = []fact.FileValue{{Name: "CUDA_HOME", Value: "/opt/x", File: "/p/Makefile", Line: 1}}
			m.nvcc("-c", "a.cu").Begin.Env.Set = map[string]string{"CUDA_HOME": "/opt/x"}
		}, []string{"/p/Makefile line 1 sets it", "CUDA_HOME ?= …"}},
		{"taken away on the way", 0, "make", func(m *made) {
			c := m.nvcc("-c", "a.cu")
			c.Begin.Env.Unset, c.Begin.Caller = []string{"CUDA_HOME"}, "/usr/bin/env"
		}, []string{"CUDA_HOME is not set in 1 call", "the caller was /usr/bin/env", "cupel replay r1.1 --diff-env"}},
		{"taken away by the command itself", 0, "env -u CUDA_HOME nvcc -c a.cu", func(m *made) {
			c := m.nvcc("-c", "a.cu")
			c.Begin.Env.Unset, c.Begin.Caller = []string{"CUDA_HOME"}, "/usr/local/bin/cupel"
		}, []string{"info exec-value-overridden", "the command that cupel exec was given changes it itself"}},
		{"PATH that still leads to the shim", 0, "make", func(m *made) {
			m.nvcc("-c", "a.cu").Begin.Env.Set = map[string]string{"PATH": "/venv/bin:/h/shims/13.0/bin:/usr/bin"}
		}, nil},
		{"PATH with the real nvcc before the shim", 0, "make", func(m *made) {
			m.nvcc("-c", "a.cu").Begin.Env.Set = map[string]string{"PATH": "/opt/cuda-13.0/bin:/h/shims/13.0/bin"}
		}, []string{"PATH leads 1 call past the shim"}},
		{"PATH without any nvcc", 0, "make", func(m *made) {
			m.nvcc("-c", "a.cu").Begin.Env.Set = map[string]string{"PATH": "/usr/bin"}
		}, nil},
		{"a list that grew, as under cargo", 0, "cargo build", func(m *made) {
			m.nvcc("-c", "a.cu").Begin.Env.Set = map[string]string{"LD_LIBRARY_PATH": "/p/target/debug/deps:/opt/cuda-13.0/lib64"}
		}, nil},
		{"left running", 0, "make", func(m *made) {
			m.nvcc("-c", "a.cu")
			m.in.Run.End.Left = []call.Process{{Path: "/usr/bin/sccache"}}
		}, []string{"info exec-left-running", "1 program that the command left running was ended", "where: /usr/bin/sccache"}},
		{"cleaned", 0, "make", func(m *made) {
			c := m.nvcc("-c", "a.cu")
			c.Begin.Outside, c.Begin.Env.Unset = true, []string{"CUDA_HOME", "LD_LIBRARY_PATH"}
		}, []string{"info exec-environment-cleaned", "1 call got an environment"}},
		{"unfinished", 0, "make", func(m *made) { m.nvcc("-c", "a.cu").End = nil }, []string{"info exec-call-unfinished", "where: r1.1", "the disk with the record was full"}},
		{"not whole", 0, "make", func(m *made) { m.nvcc("-c", "a.cu").End.Dropped = 7 }, []string{"info exec-record-incomplete", "7 bytes"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := run(t, tt.code, strings.Fields(tt.cmd)...)
			tt.make(m)
			got := m.judge().Remarks()
			if len(tt.want) == 0 {
				if len(got) != 0 {
					t.Errorf("want no finding, got %s", all(got[0]))
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("%d findings, want one: %+v", len(got), got)
			}
			for _, want := range tt.want {
				if !strings.Contains(all(got[0]), want) {
					t.Errorf("it does not say %q:\n%s", want, all(got[0]))
				}
			}
			if tt.code == 0 && slices.ContainsFunc(got, isError) {
				t.Errorf("an error of a command that succeeded: %+v", got)
			}
		})
	}
}

// TestUnfinishedOfAFailedRun: the call without an end can be the one that failed.
func TestUnfinishedOfAFailedRun(t *testing.T) {
	m := run(t, 2, "make")
	m.nvcc("-c", "a.cu").End = nil
	for _, f := range m.judge().Remarks() {
		if f.ID == review.CallUnfinished && f.Severity == finding.Warning {
			return
		}
	}
	t.Error("no warning of the call without an end")
}

// TestTold: the command's own output is told with the calls where it names another cause; cargo's files where nothing else does.
func TestTold(t *testing.T) {
	const link = "/usr/bin/ld: cannot find -lcudart: No such file or directory\ncollect2: error: ld returned 1 exit status\n"
	for _, tt := range []struct {
		name  string
		make  func(m *made)
		want  string // the label and the name of what tells it
		calls string
	}{
		{"the output", func(m *made) { m.in.Kept, m.in.Log = true, []byte(link) }, "cuda-lib-dir-not-searched of the command's output", ""},
		{"a saved file", func(m *made) { m.in.Saved = []review.Saved{{File: "/t/stderr", Text: []byte(link)}} }, "cuda-lib-dir-not-searched of /t/stderr", ""},
		{"the output has no cause, a file has", func(m *made) {
			m.in.Kept, m.in.Log = true, []byte("make: *** [Makefile:3: all] Error 3\n")
			m.in.Saved = []review.Saved{{File: "/t/stderr", Text: []byte(link)}}
		}, "cuda-lib-dir-not-searched of /t/stderr", ""},
		{"a call decides", func(m *made) {
			bad(m.nvcc("-c", "a.cu"), 2, syntax)
			m.in.Kept, m.in.Log = true, []byte(link)
		}, "cuda-lib-dir-not-searched of the command's output", "1=not-cuda"},
		{"a check does not", func(m *made) {
			bad(m.nvcc("-c", "main.cu"), 1, oldArch).Begin.Dir = "/p/CMakeFiles/CMakeScratch/x"
			m.in.Kept, m.in.Log = true, []byte(link)
		}, "cuda-lib-dir-not-searched of the command's output", ""},
		{"a call that says nothing", func(m *made) {
			bad(m.nvcc("-c", "a.cu"), 2, "")
			m.in.Kept, m.in.Log = true, []byte(link)
		}, "cuda-lib-dir-not-searched of the command's output", "1=unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := run(t, 2, "make")
			tt.make(m)
			a := m.judge()
			got := ""
			if a.Told != nil {
				got = a.Told.Findings[0].Label + " of " + a.Told.Log.Name
			}
			if got != tt.want || shape(a) != tt.calls {
				t.Errorf("told %q, calls %q; want %q, %q", got, shape(a), tt.want, tt.calls)
			}
		})
	}
}

// TestPages: every finding of a run has a page that names it, says why and what to do.
func TestPages(t *testing.T) {
	for _, id := range review.IDs() {
		b, err := data.Files.ReadFile("topics/" + id + ".md")
		if err != nil {
			t.Errorf("no page: %v", err)
			continue
		}
		for _, part := range []string{"# " + id + "\n", "\n## Why\n", "\n## What to do\n", "\n## Sources\n"} {
			if !strings.Contains(string(b), part) {
				t.Errorf("topics/%s.md has no part %q", id, part)
			}
		}
	}
}

// TestRepairs: one entry for each change, with its calls.
func TestRepairs(t *testing.T) {
	m := run(t, 0, "make")
	change := call.Change{Fix: "arch", Before: []string{"-arch=sm_130"}, After: []string{"-arch=compute_121"}, Why: "CUDA 13.0 knows no sm_130"}
	m.nvcc("-c", "a.cu").Begin.Changes = []call.Change{change}
	m.nvcc("-c", "b.cu").Begin.Changes = []call.Change{change}
	got := m.judge().Changes
	if len(got) != 1 || !slices.Equal(got[0].Calls, []string{"r1.1", "r1.2"}) || got[0].Permanent == "" || got[0].Why != change.Why {
		t.Errorf("repairs %+v", got)
	}
}
