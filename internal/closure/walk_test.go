package closure

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/recipe"
	"cupel/internal/stamp"
)

// folders are search folders by kind; "tools" are those of the tools.
type folders [][2]string

// made is a project on disk and what a preprocessor left of it.
type made struct {
	Question
	reader *Reader
}

// make writes files: "-> x" is a link, a name that ends in / a folder. entered are the names in the line markers.
func project(t *testing.T, files map[string]string, search folders, entered ...string) *made {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &made{Question: Question{Dir: dir, Keep: t.TempDir()}, reader: NewReader(stamp.New())}
	for name, text := range files {
		m.write(t, name, text)
	}
	m.Recipe = recipe.Recipe{Source: "k.cu"}
	for _, f := range search {
		if f[0] == "tools" {
			m.Includes = append(m.Includes, filepath.Join(m.Dir, f[1]))
		} else {
			m.Recipe.Search = append(m.Recipe.Search, recipe.Folder{Kind: f[0], Path: f[1]})
		}
	}
	text := "# 1 \"k.cu\"\n"
	for _, name := range entered {
		text += fmt.Sprintf("# 1 %q 1\n# 2 \"k.cu\" 2\n", name)
	}
	if err := os.WriteFile(filepath.Join(m.Keep, "k.cpp1.ii"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m.settle()
	return m
}

func (m *made) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(m.Dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	target, isLink := strings.CutPrefix(text, "-> ")
	switch {
	case err != nil:
	case isLink:
		err = os.Symlink(target, path)
		if _, none := os.Lstat(path); none != nil && runtime.GOOS == "windows" { // wine says that it made one
			t.Skip("links need rights of their own on Windows")
		}
	case strings.HasSuffix(name, "/"):
		err = os.MkdirAll(path, 0o755)
	default:
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (m *made) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(m.Dir, name)); err != nil {
		t.Fatal(err)
	}
}

func (m *made) rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(m.Dir, from), filepath.Join(m.Dir, to)); err != nil {
		t.Fatal(err)
	}
}

// keep writes what nvcc leaves.
func (m *made) keep(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.Keep, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func onWindows(s string) string {
	if windows {
		return s
	}
	return ""
}

// settle begins the compilation when all files are old enough to be trusted.
func (m *made) settle() {
	time.Sleep(30 * time.Millisecond)
	m.Before = Look(m.Dir, m.Recipe, m.Includes)
	m.Began = time.Now()
}

func (m *made) read(t *testing.T) (Closure, *recipe.Refusal) {
	t.Helper()
	c, refusal, err := m.reader.Read(m.Question)
	if err != nil {
		t.Fatal(err)
	}
	return c, refusal
}

func paths(c Closure) []string {
	var all []string
	for _, f := range c.Files {
		all = append(all, filepath.ToSlash(f.Path))
	}
	slices.Sort(all)
	return all
}

// absents are "folder: names", without what every compilation asks for.
func absents(m *made, c Closure) map[string]string {
	all := map[string]string{}
	for _, a := range c.Absent {
		names := slices.DeleteFunc(slices.Clone(a.Names), func(s string) bool { return strings.HasPrefix(s, "stdc-predef.h") })
		if len(names) > 0 {
			dir, _ := strings.CutPrefix(a.Dir, m.Dir+string(filepath.Separator))
			all[filepath.ToSlash(dir)] = strings.Join(names, " ")
		}
	}
	return all
}

func TestAbsent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		files  map[string]string
		search folders
		enter  []string
		want   map[string]string
		also   []string // files besides the source and those that were entered
		unix   bool
	}{
		{"beside the source before anywhere else", map[string]string{"k.cu": "#include \"a.h\"\n", "a.h": "", "inc/": ""},
			folders{{"user", "inc"}}, []string{"a.h"}, map[string]string{}, nil, false},
		{"earlier folders of -I", map[string]string{"k.cu": "#include <a.h>\n", "one/": "", "two/a.h": "", "three/": ""},
			folders{{"user", "one"}, {"user", "two"}, {"user", "three"}}, []string{"two/a.h"}, map[string]string{"one": "a.h"}, nil, false},
		{"folders for quotes", map[string]string{"k.cu": "#include <a.h>\n#include \"b.h\"\n", "q/": "", "inc/a.h": "", "inc/b.h": ""},
			folders{{"quote", "q"}, {"user", "inc"}}, []string{"inc/a.h", "inc/b.h"}, map[string]string{"q": "b.h", ".": "b.h"}, nil, false},
		{"all folders of the system", map[string]string{"k.cu": "#include <a.h>\n", "one/": "", "two/a.h": "", "three/": ""},
			folders{{"system", "one"}, {"system", "two"}, {"tools", "three"}}, []string{"two/a.h"}, map[string]string{"one": "a.h", "three": "a.h"}, nil, false},
		{"folder of -I that is one of the system", map[string]string{"k.cu": "#include <a.h>\n", "one/a.h": "", "two/": ""},
			folders{{"user", "one"}, {"tools", "two"}, {"tools", "one"}}, []string{"one/a.h"}, map[string]string{"two": "a.h"}, nil, false},
		{"next", map[string]string{"k.cu": "#include <a.h>\n", "one/a.h": "#include_next <a.h>\n", "two/": "", "three/a.h": ""},
			folders{{"user", "one"}, {"user", "two"}, {"user", "three"}}, []string{"one/a.h", "three/a.h"}, map[string]string{"two": "a.h"}, nil, false},
		{"first missing part", map[string]string{"k.cu": "#include <a/b/c.h>\n", "one/a/": "", "two/a/b/c.h": ""},
			folders{{"user", "one"}, {"user", "two"}}, []string{"two/a/b/c.h"}, map[string]string{"one/a": "b"}, nil, false},
		{"missing folders", map[string]string{"k.cu": "#include <a.h>\n", "inc/a.h": "", "x/": ""},
			folders{{"user", "x/y/z"}, {"user", "inc"}}, []string{"inc/a.h"}, map[string]string{"x": "y"}, nil, false},
		// cl would look in more folders.
		{"up", map[string]string{"k.cu": "#include \"../a.h\"\n#include \"no/../b.h\"\n", "inc/s/": "", "inc/a.h": ""},
			folders{{"user", "inc/s"}}, []string{"inc/s/../a.h"}, map[string]string{"..": "a.h", ".": "no", "inc/s": "no"}, nil, true},
		{"whole names", map[string]string{"k.cu": "#ifdef X\n#include \"/no-such-folder/a.h\"\n#endif\n"}, nil, nil, map[string]string{"/": "no-such-folder"}, nil, true},
		{"asked for and not there", map[string]string{"k.cu": "#if __has_include(\"a.h\")\n#endif\n", "inc/": ""},
			folders{{"user", "inc"}}, nil, map[string]string{".": "a.h", "inc": "a.h"}, nil, false},
		{"asked for and there", map[string]string{"k.cu": "#if __has_include(<a.h>)\n#endif\n", "one/": "", "two/a.h": "x"},
			folders{{"user", "one"}, {"user", "two"}}, nil, map[string]string{"one": "a.h"}, []string{"two/a.h"}, false},
		{"there and not included", map[string]string{"k.cu": "#ifdef X\n#include \"a.h\"\n#endif\n", "a.h": "not empty"}, nil, nil, map[string]string{}, nil, false},
		{"name of a macro", map[string]string{"k.cu": "#include NAME\n", "sub/x.h": "#include OTHER\n", "one/": "", "two/a.h": "x"},
			folders{{"user", "one"}, {"user", "two"}}, []string{"two/a.h", "sub/x.h"}, map[string]string{"one": "a.h", ".": "a.h", "sub": "a.h"}, nil, false},
		{"folder in the place of a file", map[string]string{"k.cu": "#include <vector>\n", "inc/vector/x.h": "", "sys/vector": ""},
			folders{{"user", "inc"}, {"tools", "sys"}}, []string{"sys/vector"}, map[string]string{}, []string{"inc/vector"}, false},
		{"file in the place of a folder", map[string]string{"k.cu": "#include <cub/a.h>\n", "one/cub": "a program", "two/cub/a.h": ""},
			folders{{"user", "one"}, {"user", "two"}}, []string{"two/cub/a.h"}, map[string]string{"one/cub": "a.h"}, nil, false},
		{"link to nothing", map[string]string{"k.cu": "#include <a.h>\n", "one/a.h": "-> nothing", "two/a.h": ""},
			folders{{"user", "one"}, {"user", "two"}}, []string{"two/a.h"}, map[string]string{}, []string{"one/a.h"}, false},
		{"name of a macro in a linked folder", map[string]string{"k.cu": "#include NAME\n", "one/": "", "sys": "-> v1", "v1/a.h": "x"},
			folders{{"user", "one"}, {"system", "sys"}}, []string{"v1/a.h"}, map[string]string{".": "a.h", "one": "a.h"}, []string{"sys/a.h"}, false},
		{"linked folder whose files are named by where they are", map[string]string{"k.cu": "#include <a.h>\n", "sys": "-> v1", "v1/a.h": "x"},
			folders{{"system", "sys"}}, []string{"v1/a.h"}, map[string]string{}, []string{"sys/a.h"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.unix && runtime.GOOS == "windows" {
				t.Skip("the layout made here is that of Unix")
			}
			m := project(t, tt.files, tt.search, tt.enter...)
			c, refusal := m.read(t)
			if refusal != nil {
				t.Fatalf("refused: %v", refusal)
			}
			want := append(append([]string{"k.cu"}, tt.enter...), tt.also...)
			slices.Sort(want)
			if diff := cmp.Diff(want, paths(c)); diff != "" {
				t.Errorf("files: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, absents(m, c)); diff != "" {
				t.Errorf("absent: -want +got\n%s", diff)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		files      map[string]string
		enter      []string
		then       func(t *testing.T, m *made)
	}{
		{"file that is gone", "vanished: a.h", map[string]string{"k.cu": ""}, []string{"a.h"}, nil},
		{"folder as a file", "vanished: a", map[string]string{"k.cu": "", "a/": ""}, []string{"a"}, nil},
		{"changed since", "changed-meanwhile: a.h", map[string]string{"k.cu": "", "a.h": ""}, []string{"a.h"}, func(t *testing.T, m *made) { m.write(t, "a.h", "new") }},
		{"changed in the same moment", "changed-meanwhile: a.h", map[string]string{"k.cu": ""}, []string{"a.h"}, func(t *testing.T, m *made) { m.write(t, "a.h", "new"); m.Began = time.Now() }},
		{"came since and would be taken", "changed-meanwhile: one/a.h", map[string]string{"k.cu": "#include <a.h>\n", "two/a.h": ""}, []string{"two/a.h"},
			func(t *testing.T, m *made) { m.write(t, "one/a.h", "new") }},
		{"date", "uses-date: a.h", map[string]string{"k.cu": "", "a.h": "__DATE__"}, []string{"a.h"}, nil},
		{"date that is declared", onWindows("uses-date: k.cu"), map[string]string{"k.cu": "__TIME__"}, nil, func(_ *testing.T, m *made) { m.Epoch = true }},
		{"date on the command line", "uses-date: -DX=__TIME__", map[string]string{"k.cu": ""}, nil, func(_ *testing.T, m *made) { m.Recipe.Words = []string{"-c", "-DX=__TIME__"} }},
		{"date on the command line that is declared", onWindows("uses-date: -DX=__TIME__"), map[string]string{"k.cu": ""}, nil,
			func(_ *testing.T, m *made) { m.Epoch, m.Recipe.Words = true, []string{"-DX=__TIME__"} }},
		{"assembly on the command line", "embeds-file: -DX=\".incbin\": .incbin", map[string]string{"k.cu": ""}, nil, func(_ *testing.T, m *made) { m.Recipe.Words = []string{"-DX=\".incbin\""} }},
		{"time in the preprocessed text", "uses-date: k.cpp4.ii", map[string]string{"k.cu": ""}, nil,
			func(t *testing.T, m *made) {
				m.keep(t, "k.cpp4.ii", "# 1 \"k.cu\"\n"+time.Now().Format(`s = "15:04:05";`))
			}},
		{"date in the preprocessed text", "uses-date: k.cpp4.ii", map[string]string{"k.cu": ""}, nil,
			func(t *testing.T, m *made) {
				m.keep(t, "k.cpp4.ii", "# 1 \"k.cu\"\n"+time.Now().Format(`s = "Jan _2 2006";`))
			}},
		{"other times in the preprocessed text", "", map[string]string{"k.cu": ""}, nil,
			func(t *testing.T, m *made) {
				m.keep(t, "k.cpp4.ii", "# 1 \"k.cu\"\n"+time.Now().Add(-time.Hour).Format(`s = "15:04:05", "Jan _2 2005";`))
			}},
		{"assembly put together", "embeds-file: .incbin", map[string]string{"k.cu": ""}, nil,
			func(t *testing.T, m *made) { m.keep(t, "k.cudafe1.cpp", "__asm__(\".incbin \\\"x\\\"\");\n") }},
		{"lines of another file", "lines-of-another-file: t.tpl", map[string]string{"k.cu": ""}, nil,
			func(t *testing.T, m *made) {
				m.Recipe.Lines = true
				m.keep(t, "k.cpp4.ii", "# 1 \"k.cu\"\n# 2 \"t.tpl\"\n")
			}},
		{"lines of another file that nobody wants", "", map[string]string{"k.cu": ""}, nil,
			func(t *testing.T, m *made) { m.keep(t, "k.cpp4.ii", "# 1 \"k.cu\"\n# 2 \"t.tpl\"\n") }},
		{"lines of a file that was read", "", map[string]string{"k.cu": "", "a.h": ""}, []string{"a.h"},
			func(t *testing.T, m *made) {
				m.Recipe.Lines = true
				m.keep(t, "k.cpp4.ii", "# 1 \"k.cu\"\n# 2 \"a.h\"\n")
			}},
		{"old spelling of #", "trigraphs: k.cu", map[string]string{"k.cu": "??=if 1\n"}, nil, nil},
		{"asked for and removed since", "changed-meanwhile: ./", map[string]string{"k.cu": "#if __has_include(\"a.h\")\n#endif\n", "a.h": ""}, nil,
			func(t *testing.T, m *made) { m.remove(t, "a.h") }},
		{"asked for and found elsewhere, beside results", "", map[string]string{"k.cu": "#if __has_include(\"a.h\")\n#endif\n", "two/a.h": ""}, nil,
			func(t *testing.T, m *made) { m.write(t, "k.o", "new") }},
		{"folder renamed", "changed-meanwhile: one/a.h, through one", map[string]string{"k.cu": "", "one/a.h": "", "other/a.h": "x"}, []string{"one/a.h"},
			func(t *testing.T, m *made) { m.rename(t, "one", "old"); m.rename(t, "other", "one") }},
		{"folder above renamed", "changed-meanwhile: x/y/a.h, through x", map[string]string{"k.cu": "", "x/y/a.h": "", "other/y/a.h": "x"}, []string{"x/y/a.h"},
			func(t *testing.T, m *made) { m.rename(t, "x", "old"); m.rename(t, "other", "x") }},
		{"folder renamed that holds an earlier one now", "changed-meanwhile: one/a.h, through one", map[string]string{"k.cu": "#include <a.h>\n", "one/": "", "other/a.h": "", "two/a.h": "x"}, []string{"two/a.h"},
			func(t *testing.T, m *made) { m.rename(t, "one", "old"); m.rename(t, "other", "one") }},
		{"file renamed", "changed-meanwhile: a.h", map[string]string{"k.cu": "", "a.h": "", "b.h": "x"}, []string{"a.h"}, func(t *testing.T, m *made) { m.rename(t, "b.h", "a.h") }},
		{"result beside the headers", "", map[string]string{"k.cu": "#include <a.h>\n", "one/a.h": ""}, []string{"one/a.h"}, func(t *testing.T, m *made) { m.write(t, "one/k.o", "new") }},
		{"result beside the source", "", map[string]string{"k.cu": "#include <a.h>\n", "one/a.h": ""}, []string{"one/a.h"}, func(t *testing.T, m *made) { m.write(t, "k.o", "new") }},
		{"time of the file", "uses-timestamp: k.cu", map[string]string{"k.cu": "__TIMESTAMP__"}, nil, func(_ *testing.T, m *made) { m.Epoch = true }},
		{"takes in a file", "embeds-file: k.cu: .incbin", map[string]string{"k.cu": "asm(\".incbin \\\"x\\\"\");"}, nil, nil},
		{"asks for a macro", "asks-for-macro: k.cu: #if __has_include(X)", map[string]string{"k.cu": "#if __has_include(X)\n"}, nil, nil},
		{"asks through another file", "asks-for-macro: b.h: #if HAS2(X)",
			map[string]string{"k.cu": "", "a.h": "#define HAS(x) __has_include(x)\n", "b.h": "#define HAS2(x) HAS(x)\n#if HAS2(X)\n"}, []string{"a.h", "b.h"}, nil},
		{"asks on the command line", "asks-for-macro: -DHAS=__has_include", map[string]string{"k.cu": ""}, nil, func(_ *testing.T, m *made) { m.Recipe.Words = []string{"-DHAS=__has_include"} }},
		{"same macro that asks nothing", "", map[string]string{"k.cu": "", "b.h": "#define HAS2(x) HAS(x)\n#if HAS2(X)\n"}, []string{"b.h"}, nil},
		{"name of a macro that was a link", "included-name-unknown: v1/a1.h", map[string]string{"k.cu": "#include \"sub/x.h\"\n", "sub/x.h": "#include NAME\n", "two/a.h": "-> ../v1/a1.h", "v1/a1.h": "x"},
			[]string{"sub/x.h", "v1/a1.h"}, nil},
		{"known name that was a link", "", map[string]string{"k.cu": "#include \"sub/x.h\"\n#include <a.h>\n", "sub/x.h": "#include NAME\n", "two/a.h": "-> ../v1/a1.h", "v1/a1.h": "x"},
			[]string{"sub/x.h", "v1/a1.h"}, nil},
		{"name of a macro on the command line", "", map[string]string{"k.cu": "#include \"sub/x.h\"\n", "sub/x.h": "#include NAME\n", "v1/a1.h": "x"},
			[]string{"sub/x.h"}, func(t *testing.T, m *made) {
				whole := filepath.Join(m.Dir, "v1", "a1.h")
				m.Recipe.Words = []string{"-DNAME=\"" + whole + "\""}
				m.keep(t, "more.cpp4.ii", "# 1 \""+strings.ReplaceAll(whole, `\`, `\\`)+"\"\n")
			}},
		{"precompiled headers in a folder", "precompiled-folder: pre.h.gch", map[string]string{"k.cu": "", "pre.h": "", "pre.h.gch/x": ""}, []string{"pre.h"},
			func(_ *testing.T, m *made) { m.Recipe.Included = []string{"pre.h"} }},
		{"nothing preprocessed", "nothing-kept: nvcc left no preprocessed file", map[string]string{"k.cu": ""}, nil, func(t *testing.T, m *made) { m.Keep = t.TempDir() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := project(t, tt.files, folders{{"user", "one"}, {"user", "two"}}, tt.enter...)
			if windows && strings.Contains(tt.name, "renamed") {
				tt.want = "" // times of change are not gone by there: see turnedLast and renamed
			}
			if tt.then != nil {
				tt.then(t, m)
			}
			got := ""
			if _, refusal := m.read(t); refusal != nil {
				got = strings.ReplaceAll(filepath.ToSlash(refusal.Error()), filepath.ToSlash(m.Dir)+"/", "")
			}
			if got != tt.want {
				t.Errorf("refused with %q, want %q", got, tt.want)
			}
		})
	}
}

// TestBefore: a folder that changed is no trouble when the name that was asked for was not in it before either.
func TestBefore(t *testing.T) {
	files := map[string]string{"k.cu": "#if __has_include(\"maybe.h\")\n#endif\n", "one/x.h": "", "v1/x.h": "", "v2/x.h": "", "two": "-> v1",
		"sub/a.h": "#if __has_include(\"its.h\")\n#endif\n"}
	for _, tt := range []struct {
		name, want string
		then       func(t *testing.T, m *made)
	}{
		{"nothing", "", func(*testing.T, *made) {}},
		{"result beside the source", "", func(t *testing.T, m *made) { m.write(t, "k.o", "new") }},
		{"result in a folder of headers too", "", func(t *testing.T, m *made) { m.write(t, "k.o", "new"); m.write(t, "one/k.o", "new") }},
		{"result in a linked folder", "", func(t *testing.T, m *made) { m.write(t, "v1/k.o", "new") }},
		{"folder that came", "changed-meanwhile: gen/", func(t *testing.T, m *made) { m.write(t, "gen/k.o", "new") }},
		{"name that came", "changed-meanwhile: maybe.h", func(t *testing.T, m *made) { m.write(t, "maybe.h", "new") }},
		{"name that went", "changed-meanwhile: ./", func(t *testing.T, m *made) {
			m.write(t, "maybe.h", "old")
			m.Before = Look(m.Dir, m.Recipe, m.Includes)
			m.remove(t, "maybe.h")
		}},
		{"name in other letters that went", "changed-meanwhile: ./", func(t *testing.T, m *made) {
			m.write(t, "Maybe.h", "old")
			m.Before = Look(m.Dir, m.Recipe, m.Includes)
			m.remove(t, "Maybe.h")
		}},
		{"link that was turned", "changed-meanwhile: two/", func(t *testing.T, m *made) {
			m.remove(t, "two")
			m.write(t, "two", "-> v2")
		}},
		{"folder that was replaced", "changed-meanwhile: one/", func(t *testing.T, m *made) {
			m.rename(t, "one", "old")
			m.write(t, "one/x.h", "new")
		}},
		{"folder that was not listed", "changed-meanwhile: sub/", func(t *testing.T, m *made) { m.write(t, "sub/k.o", "new") }},
		{"folder that is too large", "changed-meanwhile: ./", func(t *testing.T, m *made) {
			delete(m.Before.held, keyOf(m.Dir))
			m.write(t, "k.o", "new")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := maps.Clone(files)
			if !strings.Contains(tt.name, "link") { // not every system has them
				files["two"] = "a file"
			}
			m := project(t, files, folders{{"user", "one/"}, {"user", "two"}, {"user", "gen/sub"}}, "sub/a.h")
			was := stampOf(t, m.Dir)
			tt.then(t, m)
			want := tt.want
			if now := stampOf(t, m.Dir); now.Number != was.Number && want != "changed-meanwhile: maybe.h" {
				want = "changed-meanwhile: ./" // a changed folder has another time of creation (wine 8): it counts as another one
			}
			c, refusal := m.read(t)
			got := ""
			if refusal != nil {
				got = filepath.ToSlash(refusal.Error())
			}
			if got != want {
				t.Errorf("refused with %q, want %q", got, want)
			}
			for _, a := range c.Absent {
				if a.Dir == "." && tt.name == "result beside the source" && a.Settled {
					t.Errorf("%s has just changed and is taken for settled: %+v", a.Dir, a)
				}
			}
		})
	}
}

func stampOf(t *testing.T, path string) stamp.Stamp {
	t.Helper()
	s, err := stamp.Of(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNamesIn(t *testing.T) {
	m := project(t, map[string]string{"k.cu": "", "a.h": "", "B.h": ""}, nil)
	for _, tt := range []struct {
		name, dir string
		most      int
		want      map[string]bool // nil: not listed
	}{
		{"as many as there may be", "", 3, map[string]bool{"k.cu": true, "a.h": true, "b.h": true}},
		{"too many", "", 2, nil},
		{"a file", "k.cu", 3, nil},
		{"not there", "none", 3, nil},
	} {
		got, ok := namesIn(filepath.Join(m.Dir, tt.dir), tt.most)
		if ok != (tt.want != nil) || !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %v, %v, want %v", tt.name, got, ok, tt.want)
		}
	}
}

// TestTurnedLinks: what a link leads to now may be old, and was not what was read.
func TestTurnedLinks(t *testing.T) {
	files := map[string]string{"k.cu": "#include <a.h>\n", "v1/a.h": "", "v2/a.h": "", "cur": "-> v1", "dir/x.h": "", "dir/y.h": "", "b.h": "-> dir/x.h"}
	for _, tt := range []struct {
		name, want, enter string
		then              func(t *testing.T, m *made)
	}{
		{"nothing", "", "cur/a.h", nil},
		{"folder", "changed-meanwhile: cur/a.h, through cur", "cur/a.h", func(t *testing.T, m *made) { m.remove(t, "cur"); m.write(t, "cur", "-> v2") }},
		{"file", "changed-meanwhile: b.h", "b.h", func(t *testing.T, m *made) { m.remove(t, "b.h"); m.write(t, "b.h", "-> dir/y.h") }},
		{"folder that one leads to", "changed-meanwhile: cur/a.h, through v1", "cur/a.h", func(t *testing.T, m *made) { m.rename(t, "v1", "v3"); m.rename(t, "v2", "v1") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := project(t, files, folders{{"user", "cur"}}, tt.enter)
			if tt.then != nil {
				tt.then(t, m)
			}
			got := ""
			if _, refusal := m.read(t); refusal != nil {
				got = strings.ReplaceAll(filepath.ToSlash(refusal.Error()), filepath.ToSlash(m.Dir)+"/", "")
			}
			if got != tt.want {
				t.Errorf("refused with %q, want %q", got, tt.want)
			}
		})
	}
}

// TestClockBorders: a mark is seen wherever the pieces end in which a text is read.
func TestClockBorders(t *testing.T) {
	now := time.Now()
	text := strings.Repeat("x", 20) + now.Format(`"Jan _2 2006"`) + strings.Repeat("y", 20)
	for size := 1; size < len(text); size++ {
		c := newClock(strings.NewReader(text), now, now)
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, c, make([]byte, size)); err != nil || c.seen == "" {
			t.Errorf("%q in pieces of %d bytes: not seen, %v", text, size, err)
		}
	}
}

// TestClockOfUnknownZone: Go does not read a rule in TZ, and gcc does.
func TestClockOfUnknownZone(t *testing.T) {
	for _, tt := range []struct{ zone, text, want string }{
		{"CST-8", `a "01:02:03" b`, `"01:02:03"`},
		{"XYZ-7:23", `"x""23:59:59"`, `"23:59:59"`},
		{"CST-8", `"1:02:03" "01:02:03 " "01:02" "`, ""},
		{"CST-8", time.Now().UTC().AddDate(0, 0, 1).Format(`x"Jan _2 2006"`), time.Now().UTC().AddDate(0, 0, 1).Format(`"Jan _2 2006"`)},
		{"UTC", `"01:02:03"`, ""},
	} {
		t.Setenv("TZ", tt.zone)
		then := time.Date(2020, 1, 1, 12, 30, 0, 0, time.UTC)
		if strings.Contains(tt.text, "20") {
			then = time.Now()
		}
		c := newClock(strings.NewReader(tt.text), then, then)
		if _, err := io.Copy(io.Discard, c); err != nil || c.seen != tt.want {
			t.Errorf("TZ=%s: %q in %q, want %q, %v", tt.zone, c.seen, tt.text, tt.want, err)
		}
	}
}

// TestReadAgain: what one reading learned does not stand in for a file that changed before the next.
func TestReadAgain(t *testing.T) {
	m := project(t, map[string]string{"k.cu": "#include \"a.h\"\n", "a.h": "one", "inc/": ""}, folders{{"user", "inc"}}, "a.h")
	before, refusal := m.read(t)
	if refusal != nil {
		t.Fatal(refusal)
	}
	m.write(t, "a.h", "#include <b.h> ")
	m.write(t, "inc/c.h", "")
	m.settle()
	after, refusal := m.read(t)
	if refusal != nil {
		t.Fatal(refusal)
	}
	if before.Files[1].Known.Digest == after.Files[1].Known.Digest {
		t.Errorf("%s has the digest of its old content", after.Files[1].Path)
	}
	if got := absents(m, after)["inc"]; got != "b.h" {
		t.Errorf("absent in inc: %q, want b.h", got)
	}
	if i := len(before.Absent) - 1; before.Absent[i].Stamp == after.Absent[len(after.Absent)-1].Stamp {
		t.Errorf("the folder has its old stamp: %+v", after.Absent)
	}
}

// TestOnceCopies: a copy of a file that looks the same may have been skipped for #pragma once, and counts.
func TestOnceCopies(t *testing.T) {
	m := project(t, map[string]string{"k.cu": "#include \"a/x.h\"\n#include \"b/x.h\"\n", "a/x.h": "#pragma once\n", "b/x.h": "#pragma once\n"}, nil, "a/x.h")
	at := time.Now().Add(-time.Hour)
	for _, name := range []string{"a/x.h", "b/x.h"} {
		if err := os.Chtimes(filepath.Join(m.Dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	m.settle()
	c, refusal := m.read(t)
	if want := []string{"a/x.h", "b/x.h", "k.cu"}; refusal != nil || !slices.Equal(paths(c), want) {
		t.Errorf("files %q, %v, want %q", paths(c), refusal, want)
	}
}

// TestHostPart: headers of the code that nvcc wrote are found and followed, though no preprocessed text names them.
func TestHostPart(t *testing.T) {
	m := project(t, map[string]string{"k.cu": "", "inc/": "", "tools/crt/host_runtime.h": "#include \"b.h\"\n#include <c.h>\n", "tools/crt/b.h": "", "tools/c.h": "",
		"tools/fatbinary_section.h": "#define F\n"}, folders{{"user", "inc"}, {"tools", "tools"}})
	for name, text := range map[string]string{
		"k.cudafe1.cpp":    "# 1 \"k.cu\"\n#include \"k.cudafe1.stub.c\"\n",
		"k.cudafe1.stub.c": "#include \"crt/host_runtime.h\"\n#include \"k.fatbin.c\"\n",
		"k.fatbin.c":       "#include \"fatbinary_section.h\"\n",
	} {
		if err := os.WriteFile(filepath.Join(m.Keep, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m.write(t, "pre.h", "#ifndef __CUDACC__\n#include \"only.h\"\n#endif\n")
	m.write(t, "only.h", "")
	m.Recipe.HostFirst = []string{"pre.h"}
	m.settle()
	c, refusal := m.read(t)
	if refusal != nil {
		t.Fatal(refusal)
	}
	tools := filepath.ToSlash(filepath.Join(m.Dir, "tools"))
	if want := []string{tools + "/c.h", tools + "/crt/b.h", tools + "/crt/host_runtime.h", tools + "/fatbinary_section.h", "k.cu", "only.h", "pre.h"}; !cmp.Equal(paths(c), want) {
		t.Errorf("files %q, want %q", paths(c), want)
	}
	if got, want := absents(m, c)["inc"], "c.h crt fatbinary_section.h"; got != want {
		t.Errorf("absent in inc: %q, want %q", got, want)
	}
	if last := c.Files[0].Path; last != "k.cu" {
		t.Errorf("the first file is %s, want the source", last)
	}
	m.write(t, "only.h", "#include NAME\n")
	m.settle()
	if _, refusal := m.read(t); refusal == nil || refusal.Error() != "includes-macro: only.h" {
		t.Errorf("a header whose name only the host compiler knows: refused with %v", refusal)
	}
}
