package toolchain

import (
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/recipe"
)

func TestProfile(t *testing.T) {
	for _, tt := range []struct{ name, text, variable, want string }{
		{"assignment", "A = x", "A", "x"},
		{"no spaces", "A=x", "A", "x"},
		{"over the environment", "ENV = x", "ENV", "x"},
		{"before", "ENV += x:", "ENV", "x:env"},
		{"behind", "ENV =+ :x", "ENV", "env:x"},
		{"only if not set: set", "ENV ?= x", "ENV", "env"},
		{"only if not set: not set", "A ?= x", "A", "x"},
		{"value of another", "A = x\nB = $(A)/y", "B", "x/y"},
		{"value of the environment", "B = $(ENV)y", "B", "envy"},
		{"value of nothing", "B = a$(NOTHING)b", "B", "ab"},
		{"space", "B += x $(_SPACE_)", "B", "x  "},
		{"comment", "# A = x\nA = y", "A", "y"},
		{"no comment within a line", "A = x # y", "A", "x # y"},
		{"carriage returns", "A = x\r\nB = y\r\n", "A", "x"},
		{"not mentioned", "", "ENV", "env"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := settings{own: map[string]string{"_SPACE_": " "}, env: environ{"ENV": "env"}}
			if line := s.read(tt.text); line != "" {
				t.Fatalf("%q: unclear %q", tt.text, line)
			}
			if got := s.get(tt.variable); got != tt.want {
				t.Errorf("%q: %s = %q, want %q", tt.text, tt.variable, got, tt.want)
			}
		})
	}
}

// TestProfileForOthers: nvcc hands variables of its profile on, and the host compiler reads some.
func TestProfileForOthers(t *testing.T) {
	for line, refused := range map[string]bool{"CPATH = /x": true, "C_INCLUDE_PATH += /x:": true, "COMPILER_PATH ?= /x": true, "MYSDK = /x": false, "PATH += /x:": false} {
		f := finder{env: environ{"PATH": "/bin"}}
		s := settings{own: map[string]string{}, env: f.env}
		if unclear := s.read(line); unclear != "" {
			t.Fatalf("%s is unclear", unclear)
		}
		if err := f.readings(s); (err != nil) != (refused && !onWindows) {
			t.Errorf("%s: %v, want a refusal: %v", line, err, refused)
		}
	}
}

func TestUnclearProfile(t *testing.T) {
	for _, text := range []string{"word", "= x", "A B = x", "A = $(B", "A$ = x"} {
		s := settings{own: map[string]string{}, env: environ{}}
		if got := s.read("X = y\n" + text); got != text {
			t.Errorf("%q: unclear %q, want the line", text, got)
		}
	}
}

func TestFolders(t *testing.T) {
	user := func(p string) recipe.Folder { return recipe.Folder{Path: p, Kind: "user"} }
	system := func(p string) recipe.Folder { return recipe.Folder{Path: p, Kind: "system"} }
	for _, tt := range []struct {
		name, words string
		want        []recipe.Folder
		unclear     bool
	}{
		{"none", "  ", nil, false},
		{"quoted", `"-I/t/bin/../include"  `, []recipe.Folder{user("/t/bin/../include")}, false},
		{"with a space", `"-I/a b" -I/c`, []recipe.Folder{user("/a b"), user("/c")}, false},
		{"apart", `-I /a "-isystem" "/b/cccl" `, []recipe.Folder{user("/a"), system("/b/cccl")}, false},
		{"half quoted", `-I"/a b"`, []recipe.Folder{user("/a b")}, false},
		{"another option", `-I/a -DX`, nil, true},
		{"a folder too few", `-I/a -isystem`, nil, true},
		{"open quote", `"-I/a`, nil, true},
		{"variable of the shell", `-I$HOME/x`, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(tt.words, "$") {
				tt.want, tt.unclear = []recipe.Folder{user("$HOME/x")}, false
			}
			got, ok := folders(tt.words)
			if ok == tt.unclear || ok && !cmp.Equal(got, tt.want) {
				t.Errorf("folders(%q) = %v, %v, want %v, %v", tt.words, got, ok, tt.want, !tt.unclear)
			}
		})
	}
}

func FuzzProfile(f *testing.F) {
	f.Add("TOP = $(_HERE_)/..\nINCLUDES += \"-I$(TOP)/include\" $(_SPACE_)\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := settings{own: map[string]string{"_SPACE_": " "}, env: environ{}}
		if len(text) < 1<<10 && s.read(text) == "" {
			folders(s.get("INCLUDES"))
		}
	})
}
