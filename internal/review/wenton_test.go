package review_test

import (
	"strings"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/finding"
	"cupel/internal/review"
)

// Outputs of builds as GNU make 4.3, g++ 12, Ninja 1.11, cargo 1.95 and CMake 3.25 wrote them.
const (
	refused = "hosterr.cpp: In function 'int f()':\nhosterr.cpp:1:17: error: 'undefinedthing' was not declared in this scope\n    1 | int f(){ return undefinedthing; }\n"
	ignored = "make: [Makefile:2: all] Error 1 (ignored)\n"
	stopped = "make: *** [Makefile:4: all] Error 1\n"
	pony    = "-- The CUDA compiler identification is NVIDIA 13.0.88\nCMake Error at CMakeLists.txt:4 (message):\n  I want a pony\n\n\n-- Configuring incomplete, errors occurred!\n"
)

// later moves the end of a call right behind its beginning: the next begins after it.
func later(c *call.Call) *call.Call {
	c.End.At = c.Begin.At.Add(time.Millisecond)
	return c
}

// TestWentOn: a call that the build got over is not what the command failed of; where nothing tells it, it is not sure.
func TestWentOn(t *testing.T) {
	probe := func(m *made) *call.Call { return later(bad(m.nvcc("-c", "p.cu", "-o", "p.o"), 1, oldArch)) }
	for _, tt := range []struct {
		name   string
		make   func(m *made)
		log    string // empty: the terminal had it
		first  string // id of the first finding
		told   string // its label, and where it stands
		shape  string
		wentOn int
	}{
		{"make ignores it", func(m *made) { probe(m); m.nvcc("-c", "a.cu") }, oldArch + ignored + "false\n" + stopped, "unknown", "unknown first", "1ignored=arch-dropped-by-toolkit", 0},
		{"a shell goes on to a compiler that fails", func(m *made) { probe(m) }, oldArch + refused, "plain-cxx", "not-cuda first", "1ignored=arch-dropped-by-toolkit", 0},
		{"the same, its words thrown away", func(m *made) { probe(m) }, refused, "plain-cxx", "not-cuda first", "1ignored=arch-dropped-by-toolkit", 0},
		{"it is tried again in another way", func(m *made) { probe(m); m.nvcc("-c", "p.cu", "-o", "p.o") }, refused, "plain-cxx", "not-cuda first", "1ignored=arch-dropped-by-toolkit", 0},
		{"tried again, and nothing is kept", func(m *made) { probe(m); m.nvcc("-c", "p.cu", "-o", "p.o") }, "", "nvcc-unsupported-arch", "", "1ignored=arch-dropped-by-toolkit", 0},
		{"CMake's try, then its own word", func(m *made) { probe(m).Begin.Dir = "/p/b/CMakeFiles/CMakeScratch/TryCompile-1" }, pony, "unknown", "unknown first", "1check=arch-dropped-by-toolkit", 0},
		{"both fail side by side", func(m *made) { probe(m) }, refused + "make: *** [Makefile:3: b.o] Error 1\nmake: *** Waiting for unfinished jobs....\n" + oldArch + "make: *** [Makefile:2: p.o] Error 1\n",
			"nvcc-unsupported-arch", "not-cuda", "1=arch-dropped-by-toolkit", 0},
		{"make blames a target without a file", func(m *made) { probe(m) }, oldArch + "make: *** [Makefile:2: all] Error 1\n", "nvcc-unsupported-arch", "", "1=arch-dropped-by-toolkit", 0},
		{"Ninja goes on with what runs", func(m *made) { probe(m); m.nvcc("-c", "a.cu"); m.nvcc("-c", "b.cu") }, "[1/4] x\nFAILED: dir/p.o \nnvcc -c p.cu -o dir/p.o\n" + oldArch + "[2/4] y\nFAILED: h.o\n" + refused + "ninja: build stopped: subcommand failed.\n",
			"nvcc-unsupported-arch", "not-cuda", "1=arch-dropped-by-toolkit", 0},
		{"cargo blames the build script", func(m *made) {
			probe(m).Begin.Env.Set = map[string]string{"CARGO_PKG_NAME": "kern", "CARGO_PKG_VERSION": "0.1.0"}
			m.nvcc("-c", "a.cu")
			m.nvcc("-c", "b.cu")
		}, "error: failed to run custom build command for `kern v0.1.0 (/p)`\n\nCaused by:\n  process didn't exit successfully: `/p/build-script-build` (exit status: 101)\n  --- stderr\n  " + oldArch, "nvcc-unsupported-arch", "", "1=arch-dropped-by-toolkit", 0},
		{"a linker that misses its object", func(m *made) { probe(m) }, oldArch + "/usr/bin/ld: cannot find p.o: No such file or directory\ncollect2: error: ld returned 1 exit status\n", "nvcc-unsupported-arch", "", "1=arch-dropped-by-toolkit", 0},
		{"a linker that misses something else", func(m *made) { probe(m) }, oldArch + "/usr/bin/ld: cannot find -lcudart: No such file or directory\ncollect2: error: ld returned 1 exit status\n", "nvcc-unsupported-arch", "cuda-lib-dir-not-searched", "1=arch-dropped-by-toolkit", 0},
		{"nothing kept, others succeeded after it", func(m *made) { probe(m); m.nvcc("-c", "a.cu"); m.nvcc("-c", "b.cu") }, "", "nvcc-unsupported-arch", "", "1=arch-dropped-by-toolkit", 2},
		{"nothing kept, others ran beside it", func(m *made) {
			bad(m.nvcc("-c", "p.cu", "-o", "p.o"), 1, oldArch)
			m.nvcc("-c", "a.cu").End.At = began.Add(time.Minute)
			m.nvcc("-c", "b.cu")
		}, "", "nvcc-unsupported-arch", "", "1=arch-dropped-by-toolkit", 0},
		{"the build was told to go on", func(m *made) { m.in.Run.Command = []string{"make", "-k"}; probe(m); m.nvcc("-c", "a.cu") }, "", "nvcc-unsupported-arch", "", "1=arch-dropped-by-toolkit", 0},
		{"a decoy before another compiler's error", func(m *made) { m.nvcc("-c", "a.cu") }, "checking: nvcc fatal   : Unsupported gpu architecture 'compute_30' ... no\n" + refused, "plain-cxx", "not-cuda first", "", 0},
		{"a decoy alone", func(m *made) { m.nvcc("-c", "a.cu") }, "checking: nvcc fatal   : Unsupported gpu architecture 'compute_30' ... no\n" + stopped, "unknown", "unknown first", "", 0},
		{"the same words of a compiler that was passed by", func(m *made) {
			m.nvcc("-c", "a.cu")
			m.in.Run.End.PassedBy = []call.Process{{Path: "/opt/x/bin/nvcc"}}
		}, "nvcc fatal   : Unsupported gpu architecture 'compute_30'\n" + stopped, "nvcc-unsupported-arch", "arch-dropped-by-toolkit first", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := run(t, 2, "make")
			tt.make(m)
			m.in.Log, m.in.Kept = []byte(tt.log), tt.log != ""
			a := m.judge()
			told := ""
			if a.Told != nil {
				told = a.Told.Findings[0].Label
			}
			if a.ToldFirst() {
				told += " first"
			}
			wentOn := 0
			if len(a.Failing) > 0 {
				wentOn = a.Failing[0].WentOn
			}
			if a.Findings[0].ID != tt.first || told != tt.told || shape(a) != tt.shape || wentOn != tt.wentOn {
				t.Errorf("first %s, told %q, calls %q, went on %d; want %s, %q, %q, %d", a.Findings[0].ID, told, shape(a), wentOn, tt.first, tt.told, tt.shape, tt.wentOn)
			}
		})
	}
}

// TestToldPlace: a finding of the command's output names the line and the text at which it stands there.
func TestToldPlace(t *testing.T) {
	m := run(t, 2, "make")
	later(bad(m.nvcc("-c", "p.cu", "-o", "p.o"), 1, oldArch))
	m.in.Kept, m.in.Log = true, []byte("one\r\n"+oldArch+"checking: nvcc fatal   : Unsupported gpu architecture 'compute_30' ... no\n"+refused)
	a := m.judge()
	lines := strings.Split(string(m.in.Log), "\n")
	for _, f := range a.Told.Findings {
		if f.Line < 1 || f.Line > len(lines) || !strings.Contains(lines[f.Line-1], f.Text) {
			t.Errorf("%s: line %d is not %q", f.ID, f.Line, f.Text)
		}
	}
}

// TestElsewhereAfterIgnored: where the build got over the calls and nothing else is known, the failure is elsewhere.
func TestElsewhereAfterIgnored(t *testing.T) {
	m := run(t, 2, "make")
	later(bad(m.nvcc("-c", "p.cu", "-o", "p.o"), 1, oldArch))
	m.nvcc("-c", "p.cu", "-o", "p.o")
	for _, f := range m.judge().Remarks() {
		if f.ID == review.FailureElsewhere && f.Severity == finding.Error && strings.Contains(f.What, "the build went on after them") {
			return
		}
	}
	t.Error("nothing says that the command failed of something else")
}

// TestCallDetails: what a call had of its own is told with it.
func TestCallDetails(t *testing.T) {
	m := run(t, 2, "make")
	c := bad(m.nvcc("-ccbin", "/usr/bin/g++-99", "-c", "my ü.cu"), 2, "my ü.cu(3): error: expected a \";\"\n")
	c.Begin.Env.Set = map[string]string{"NVCC_APPEND_FLAGS": "-lineinfo"}
	f := m.judge().Failing[0]
	if len(f.With) != 1 || f.With[0] != (review.Variable{Name: "NVCC_APPEND_FLAGS", Value: "-lineinfo"}) {
		t.Errorf("with %+v", f.With)
	}
	if !strings.Contains(f.Findings[0].What, "my ü.cu, line 3") || f.Findings[0].File != "my ü.cu" {
		t.Errorf("the file is not named whole: %+v", f.Findings[0])
	}
}

// TestOwnCompiler: a compiler that the call names itself is the cause, not what PATH has.
func TestOwnCompiler(t *testing.T) {
	m := run(t, 2, "make")
	m.in.Run.Toolkit.Release, m.in.Run.Toolkit.Nvcc = "11.8", "11.8.89"
	bad(m.nvcc("-ccbin", "/usr/bin/g++-12", "-c", "a.cu"), 1, "/opt/cuda-11.8/include/crt/host_config.h:132:2: error: #error -- unsupported GNU version! gcc versions later than 11 are not supported!\n")
	f := m.judge().Failing[0].Findings[0]
	if f.Label != "host-compiler-too-new" || !strings.Contains(f.Why, "-ccbin /usr/bin/g++-12") || !strings.Contains(f.Next[0].Note, "take -ccbin /usr/bin/g++-12 out") {
		t.Errorf("the cause: %+v", f)
	}
}

// TestOwnCompilerMissing: installing the system's compiler does not help a call that names another.
func TestOwnCompilerMissing(t *testing.T) {
	m := run(t, 2, "make")
	bad(m.nvcc("-ccbin", "g++-99", "-c", "a.cu"), 1, "g++-99: No such file or directory\nnvcc fatal   : Failed to preprocess host compiler properties.\n")
	f := m.judge().Failing[0].Findings[0]
	if f.Label != "host-compiler-missing" || !strings.Contains(f.Next[0].Note, "take -ccbin g++-99 out") {
		t.Errorf("the cause: %+v", f)
	}
	for _, n := range f.Next {
		if strings.Contains(n.Command, "install") {
			t.Errorf("it tells to install a compiler that the call does not ask for: %s", n.Command)
		}
	}
}

// TestLeftBehind: a call that exec ended because the command was done did not fail.
func TestLeftBehind(t *testing.T) {
	m := run(t, 0, "sh", "-c", "nvcc -c big.cu & exit 0")
	bad(m.nvcc("-c", "big.cu"), 255, "nvcc: Terminated\n")
	m.in.Run.End.Left = []call.Process{{Path: "/h/shims/13.0/bin/nvcc"}, {Path: "/opt/cuda-13.0/bin/nvcc"}}
	if a := m.judge(); a.Total.Failed != 0 || a.Targets[0].Failed != 0 {
		t.Errorf("it counts as failed: %+v", a.Total)
	}
}

// TestNobodyReads: a command whose reader is gone did not fail, unless a call did.
func TestNobodyReads(t *testing.T) {
	m := run(t, 141, "sh", "-c", "nvcc --help | head -3")
	c := m.nvcc("--help")
	c.End.Signal, c.End.Code = "SIGPIPE", 141
	if a := m.judge(); a.Failed() || !a.Piped() || len(a.Findings) != 0 {
		t.Errorf("failed %t, piped %t, findings %+v", a.Failed(), a.Piped(), a.Findings)
	}
	bad(m.nvcc("-c", "a.cu"), 2, syntax)
	if a := m.judge(); !a.Failed() || shape(a) != "2=not-cuda" {
		t.Errorf("failed %t, calls %q", a.Failed(), shape(a))
	}
}

// TestNoNvccUnderExec: exec put nvcc on PATH, so a build that does not find it has another PATH.
func TestNoNvccUnderExec(t *testing.T) {
	m := run(t, 127, "sh", "-c", "env -i PATH=/usr/bin sh build.sh")
	m.in.Kept, m.in.Log = true, []byte("build.sh: 1: nvcc: not found\n")
	f := m.judge().Findings[0]
	if f.Label != "nvcc-not-found" || !strings.Contains(f.Why, "put another PATH in its place") || len(f.Next) != 1 || !strings.Contains(f.Next[0].Note, "/h/shims/13.0/bin/nvcc") {
		t.Errorf("the cause: %+v", f)
	}
}
