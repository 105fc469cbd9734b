package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"cupel/internal/ospath"
)

func TestMovedArguments(t *testing.T) {
	for _, tt := range []struct{ name, os, in, want string }{
		{"a path", "linux", "/opt/cuda/include", "/new/include"},
		{"the root itself", "linux", "/opt/cuda", "/new"},
		{"in an option", "linux", "-I/opt/cuda/include", "-I/new/include"},
		{"after a comma, twice", "linux", "-Wl,-rpath,/opt/cuda/lib64,-L/opt/cuda/lib", "-Wl,-rpath,/new/lib64,-L/new/lib"},
		{"a longer name", "linux", "-I/opt/cuda-12/include", "-I/opt/cuda-12/include"},
		{"first a longer name", "linux", "/opt/cuda-12:/opt/cuda:", "/opt/cuda-12:/new:"},
		{"no case on Windows", "windows", `-Ic:\CUDA\v13/include`, `-ID:\new/include`},
		{"the other slash on Windows", "windows", `C:/cuda/V13/lib`, `D:\new/lib`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to := []string{"/opt/cuda"}, "/new"
			if tt.os == "windows" {
				from, to = []string{`C:\cuda\v13`}, `D:\new`
			}
			out, changed := moved(ospath.For(tt.os), []string{tt.in}, from, to)
			if out[0] != tt.want || (len(changed) > 0) != (tt.in != tt.want) {
				t.Errorf("moved(%q) = %q (told: %q), want %q", tt.in, out[0], changed, tt.want)
			}
		})
	}
}

func TestFits(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, tt := range []struct {
		name, os string
		args     []string
		want     bool
	}{
		{"short", "windows", []string{"-c"}, true},
		{"32 KB on Windows", "windows", slices.Repeat([]string{long}, 330), false},
		{"32 KB on Linux", "linux", slices.Repeat([]string{long}, 330), true},
		{"one word of 128 KiB", "linux", []string{strings.Repeat("x", 128<<10)}, false},
		{"2 MB on Linux", "linux", slices.Repeat([]string{long}, 20000), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fits(tt.os, "nvcc", tt.args); got != tt.want {
				t.Errorf("fits = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestParted(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []string
		want string
	}{
		{"all can be said", []string{"-c", "a b", "k.cu"}, "[-c|a b|k.cu]"},
		{"a quote, with its option", []string{"-c", "-D", `X="y"`, "k.cu"}, `[-c] -D|X="y" [k.cu]`},
		{"a quote first", []string{`-DX="y"`, "k.cu"}, `-DX="y" [k.cu]`},
		{"a value stays with its option", []string{"-o", "k.o", `-DX="y"`}, `[-o|k.o] -DX="y"`},
		{"none", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range parted(tt.in) {
				text := strings.Join(p.words, "|")
				if p.quotable {
					text = "[" + text + "]"
				}
				got = append(got, text)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("parted(%q) = %s, want %s", tt.in, strings.Join(got, " "), tt.want)
			}
		})
	}
}

// TestSearch: the smallest set of variables is found, whichever they are.
func TestSearch(t *testing.T) {
	names := strings.Fields("A B C D E F G H I J K L M")
	for _, tt := range []struct{ name, culprits string }{
		{"one", "G"}, {"the first", "A"}, {"two far apart", "A M"}, {"three", "B G L"}, {"all", strings.Join(names, " ")}, {"none", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			recorded, here := map[string]string{"SAME": "1", "GONE": "1"}, map[string]string{"SAME": "1"}
			for _, n := range names {
				here[n] = "here"
			}
			want := strings.Fields(tt.culprits)
			s := &search{run: func(_ context.Context, env map[string]string) (string, error) {
				for _, n := range want {
					if env[n] != "here" {
						return "fails", nil
					}
				}
				return map[bool]string{true: "works", false: "fails"}[len(want) > 0], nil
			}}
			a, err := s.between(t.Context(), recorded, here)
			var got []string
			for _, d := range a.Variables {
				got = append(got, d.Name)
			}
			slices.Sort(got)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("between = %q, %v after %d runs; want %q", got, err, a.Runs, want)
			}
		})
	}
}

// TestSearchEnds: a call that ends by chance one way or the other does not keep it for ever.
func TestSearchEnds(t *testing.T) {
	recorded, here := map[string]string{}, map[string]string{}
	for i := range 500 {
		here[strings.Repeat("X", i+1)] = "1"
	}
	s := &search{run: func(_ context.Context, env map[string]string) (string, error) {
		return map[bool]string{true: "all", false: "not all"}[maps.Equal(env, here)], nil
	}}
	if _, err := s.between(t.Context(), recorded, here); err == nil || !strings.Contains(err.Error(), "by chance") {
		t.Errorf("between = %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&search{run: s.run}).between(stopped, recorded, here); !errors.Is(err, errInterrupted) {
		t.Errorf("after the end of the program: %v", err)
	}
}
