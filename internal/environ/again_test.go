package environ

import (
	"errors"
	"maps"
	"testing"

	"cupel/internal/fact"
)

// TestOwnValues: what cupel set itself counts as not set; what a person set is kept.
func TestOwnValues(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		want bool // both are written
	}{
		{"not set", nil, true},
		{"set by a person", map[string]string{"LIBCLANG_PATH": "/mine", "MKLROOT": "/mine"}, false},
		{"set by cupel", map[string]string{"LIBCLANG_PATH": "/usr/lib/llvm-14/lib", "MKLROOT": "/opt/mkl", Recorded: "CUDA_HOME LIBCLANG_PATH MKLROOT"}, true},
		{"cupel set others", map[string]string{"LIBCLANG_PATH": "/mine", "MKLROOT": "/mine", Recorded: "CUDA_HOME"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, tk := linuxMachine()
			maps.Copy(m.Env, tt.env)
			m.Libraries = []fact.Library{
				{Name: "libclang", Path: "/gone", Version: fact.Bad[string]("LIBCLANG_PATH", errors.New("no libclang is there"))},
				{Name: "libclang", Path: "/usr/lib/llvm-13/lib/libclang.so.1", Version: fact.Of("13.0.1", "")},
				{Name: "libclang", Path: "/usr/lib/llvm-14/lib/libclang.so.1", Version: fact.Of("14", "")},
				{Name: "mkl", Path: "/opt/mkl", Include: "/opt/mkl/include", Version: fact.Of("2024.1", "")},
			}
			set := For(m, tk, Options{})
			if set.has("LIBCLANG_PATH") != tt.want || set.has("MKLROOT") != tt.want {
				t.Errorf("LIBCLANG_PATH %v, MKLROOT %v, want %v", set.has("LIBCLANG_PATH"), set.has("MKLROOT"), tt.want)
			}
			if tt.want && set.get(t, "LIBCLANG_PATH") != "/usr/lib/llvm-14/lib" {
				t.Errorf("LIBCLANG_PATH = %q", set.get(t, "LIBCLANG_PATH"))
			}
		})
	}
}

// TestPathThatLeadsNowhereIsNoLibrary: the probe's entry for a wrong LIBCLANG_PATH is not written back.
func TestPathThatLeadsNowhereIsNoLibrary(t *testing.T) {
	m, tk := linuxMachine()
	maps.Copy(m.Env, map[string]string{"LIBCLANG_PATH": "/gone", Recorded: "LIBCLANG_PATH"})
	m.Libraries = []fact.Library{{Name: "libclang", Path: "/gone", Version: fact.Bad[string]("LIBCLANG_PATH", errors.New("no libclang is there"))}}
	if set := For(m, tk, Options{}); set.has("LIBCLANG_PATH") {
		t.Errorf("LIBCLANG_PATH = %q, want it not set", set.get(t, "LIBCLANG_PATH"))
	}
}

// TestCompilerThatCupelPutFirst: on Windows the environment makes the fitting cl.exe the first on PATH; that it
// is the default then must not take CUDAHOSTCXX away again.
func TestCompilerThatCupelPutFirst(t *testing.T) {
	m, tk := windowsMachine()
	tk.Bounds = fact.Of(fact.Bounds{MSCMin: 1939, MSCBelow: 1950}, "crt/host_config.h")
	m.Toolkits = []fact.Toolkit{tk}
	env := For(m, tk, Options{}).Apply(m.Env)
	if env["CUDAHOSTCXX"] != m.Compilers[1].Path {
		t.Fatalf("CUDAHOSTCXX = %q, want the fitting compiler %q", env["CUDAHOSTCXX"], m.Compilers[1].Path)
	}
	m.Env = env
	m.Compilers[0].Default, m.Compilers[1].Default = false, true
	again := For(m, tk, Options{}).Apply(env)
	for name, value := range env {
		if again[name] != value {
			t.Errorf("%s = %q the second time, want %q", name, again[name], value)
		}
	}
	if len(again) != len(env) {
		t.Errorf("%d variables the second time, want %d", len(again), len(env))
	}
}
