package contract

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shelf is a tree of paths; one that ends in / is a folder.
type shelf struct {
	paths    []string
	listings int
}

func (s *shelf) Names(dir string) (names []string) {
	s.listings++
	for _, p := range s.paths {
		if rest, ok := strings.CutPrefix(strings.TrimSuffix(p, "/"), strings.TrimPrefix(dir+"/", "/")); ok && rest != "" {
			name, _, _ := strings.Cut(rest, "/")
			names = append(names, name)
		}
	}
	return slices.Compact(names)
}

func (s *shelf) Kind(at string) Kind {
	for _, p := range s.paths {
		switch {
		case p == at:
			return File
		case strings.HasPrefix(p, at+"/"):
			return Folder
		}
	}
	return Nothing
}

func (s *shelf) Enters(dir string) bool { return s.Kind(dir) == Folder && path.Base(dir) != "target" }

func TestGlobFiles(t *testing.T) {
	all := []string{"a.cu", "empty/", "src/a.cu", "src/b.cu", "src/deep/c.cu", "target/d.cu"}
	for _, tt := range []struct {
		pattern string
		reach   Reach
		want    []string
		cut     bool
	}{
		{"a.cu", Reach{9, 9}, []string{"a.cu"}, false},
		{"*.cu", Reach{9, 9}, []string{"a.cu"}, false},
		{"src/?.cu", Reach{9, 9}, []string{"src/a.cu", "src/b.cu"}, false},
		{"**/*.cu", Reach{9, 99}, []string{"a.cu", "src/a.cu", "src/b.cu", "src/deep/c.cu"}, false},
		{"src/**", Reach{9, 99}, []string{"src/a.cu", "src/b.cu", "src/deep/c.cu"}, false},
		{"target/**", Reach{9, 99}, []string{"target/d.cu"}, false},
		{"empty", Reach{9, 9}, nil, false},
		{"src", Reach{9, 9}, nil, false},
		{"a.cu/*", Reach{9, 9}, nil, false},
		{"[", Reach{9, 9}, nil, false},
		{"**/*.cu", Reach{1, 99}, []string{"a.cu"}, true},
		{"**/c.cu", Reach{9, 2}, nil, true},
	} {
		t.Run(tt.pattern, func(t *testing.T) {
			got, cut := Glob(tt.pattern).Files(&shelf{paths: all}, tt.reach)
			if diff := cmp.Diff(tt.want, got); diff != "" || cut != tt.cut {
				t.Errorf("files of %s within %+v, cut %v, want %v (-want +got):\n%s", tt.pattern, tt.reach, cut, tt.cut, diff)
			}
			for _, f := range got {
				if !Glob(tt.pattern).Has(f) {
					t.Errorf("%s finds %s and does not match it", tt.pattern, f)
				}
			}
		})
	}
}

// TestGlobManyStars: each ** costs a listing of every folder, not a power of them.
func TestGlobReaches(t *testing.T) {
	enters := func(name string) bool { return name != "build" }
	for _, tt := range []struct {
		pattern, dir string
		want         bool
	}{
		{"src/*.cu", "build/cupel", false},
		{"*.cu", "build/cupel", false},
		{"*/*.cu", "build/cupel", false},
		{"*/*/*.cu", "build/cupel", true},
		{"*/*/*/*.cu", "build/cupel", true},
		{"**/*.cu", "build/cupel", false},
		{"**/*.cu", "gen", true},
		{"src/**/*.cu", "src/gen", true},
		{"src/**", "src", true},
		{"build/**/*.cu", "build/cupel", true},
		{"build/gen/*.cu", "build/cupel", false},
		{"build/cupel/a.cu", "build/cupel", true},
		{"build/cupel", "build/cupel", false},
		{"[", "build", false},
	} {
		if got := Glob(tt.pattern).Reaches(tt.dir, enters); got != tt.want {
			t.Errorf("%s reaches below %s: %v", tt.pattern, tt.dir, got)
		}
	}
	for pattern, want := range map[string]string{"src/*.cu": "src", "a/b/**/k.cu": "a/b", "*.cu": "", "src/k.cu": "", "a/?/b.cu": "a"} {
		if got := Glob(pattern).Folder(); got != want {
			t.Errorf("the folder of %s: %q, want %q", pattern, got, want)
		}
	}
}

func TestGlobManyStars(t *testing.T) {
	deep := &shelf{paths: []string{strings.Repeat("d/", 20) + "x"}}
	const stars = 12
	got, cut := Glob(strings.Repeat("**/", stars)+"gone").Files(deep, Reach{9, 1 << 30})
	if most := 21 * stars; len(got) > 0 || cut || deep.listings > most {
		t.Errorf("%d listings, files %q, cut %v, want at most %d listings, no file and no end before", deep.listings, got, cut, most)
	}
}

// TestGlobTooDeep: what is too deep is told, and what is beside it still found.
func TestGlobTooDeep(t *testing.T) {
	got, cut := Glob("**/x").Files(&shelf{paths: []string{strings.Repeat("d/", maxLevels+5) + "x", "e/x"}}, Reach{9, 1000})
	if diff := cmp.Diff([]string{"e/x"}, got); diff != "" || !cut {
		t.Errorf("cut %v, want true; files (-want +got):\n%s", cut, diff)
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("src/**/*.cu", "src/a/b.cu")
	f.Add("**/**/**/x", "a/b/c/d")
	f.Add("[", "a")
	f.Fuzz(func(t *testing.T, pattern, file string) {
		if Glob(pattern).Has(file) && !strings.ContainsAny(pattern, `*?[\`) && pattern != file {
			t.Errorf("%q matches %q", pattern, file)
		}
		Glob(pattern).Files(&shelf{paths: []string{file}}, Reach{9, 1000})
	})
}
