package emit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// nasty are parts of file names that have a meaning somewhere.
var nasty = []string{"plain", "a b", "two  blanks", "ü核", "a;b", "a$b", "${x}", "$(x)", "$<x>", "@x@", "#", `"`, "'", "]=]", "[[", `\`, `a\ b`, "(", "!", "~", "^", "&", "a=b", ":", "%", "*", "?", ",", "|", "\t"}

// libraryIn is a build with one archive and one PTX file, in a folder of that name.
func libraryIn(dir string) Build {
	return Build{Project: dir, Out: dir, OS: "linux", Toolkit: Toolkit{Include: dir + "/include"}, Inputs: []string{dir + "/k.cu"},
		Kernels: []Kernel{{Name: "k", Cudart: "none", Files: []File{{Kind: "static", Path: dir + "/libk.a"}, {Kind: "ptx", Path: dir + "/k.ptx"}}}}}
}

// TestRealNamesCMake: CMake reads every name as it is, in a list and in a property.
func TestRealNamesCMake(t *testing.T) {
	program(t, "cmake")
	dir := t.TempDir()
	kernel := Kernel{Name: "k"}
	for _, n := range append(nasty, "[a]", "[[a];b]") {
		if strings.Count(n, "[") == strings.Count(n, "]") { // others are refused: see TestRefused
			kernel.Files = append(kernel.Files, File{Kind: "ptx", Path: "/p/" + n + ".ptx"})
		}
	}
	emitted(t, "cmake", Build{OS: "linux", Kernels: []Kernel{kernel}}, filepath.Join(dir, "k.cmake"))
	put(t, filepath.Join(dir, "show.cmake"), "include(k.cmake)\nforeach(one IN LISTS CUPEL_K_PTX)\nexecute_process(COMMAND printf \"%s\\n\" \"${one}\")\nendforeach()\n")
	var want strings.Builder
	for _, f := range kernel.Files {
		fmt.Fprintln(&want, f.Path)
	}
	if diff := cmp.Diff(want.String(), run(t, dir, nil, "cmake", "-P", "show.cmake")); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// TestRealNamesRust: rustc finds the file of every name, and no constant twice.
func TestRealNamesRust(t *testing.T) {
	program(t, "rustc")
	dir := t.TempDir()
	kernel := Kernel{Name: "k"}
	for i, n := range nasty {
		file := filepath.Join(dir, n+".ptx")
		put(t, file, fmt.Sprint(i))
		kernel.Files = append(kernel.Files, File{Kind: "ptx", Path: file})
	}
	for _, name := range []string{"add.ptx", "add.cubin", "add_cubin.ptx"} {
		file := filepath.Join(dir, name)
		put(t, file, fmt.Sprint(len(kernel.Files)))
		kernel.Files = append(kernel.Files, File{Kind: strings.TrimPrefix(filepath.Ext(name), "."), Path: file})
	}
	b := Build{OS: "linux", Kernels: []Kernel{kernel}}
	emitted(t, "rust", b, filepath.Join(dir, "k.rs"))
	source := `#![deny(warnings)]` + "\n" + `mod k { include!("k.rs"); }` + "\nfn main() {\n"
	for i, c := range b.constants() {
		kind := map[string]string{"cubin": "b"}[c.Kind]
		source += fmt.Sprintf("assert_eq!(k::%s, %s\"%d\");\n", c.rust(), kind, i)
	}
	put(t, filepath.Join(dir, "main.rs"), source+"}\n")
	run(t, dir, nil, "rustc", "-o", "main", "main.rs")
	run(t, dir, nil, filepath.Join(dir, "main"))
}

// TestRealNamesCgo: the go command splits the flags back into what they were, whenever they were written.
func TestRealNamesCgo(t *testing.T) {
	written := 0
	for _, n := range append(nasty, "+-.,=_:$@%! ~^") {
		b := libraryIn("/p/" + n)
		text, err := Write("cgo", b)
		if err != nil {
			continue
		}
		written++
		dir := t.TempDir()
		put(t, filepath.Join(dir, "go.mod"), "module m\n\ngo 1.26\n")
		put(t, filepath.Join(dir, "k.go"), string(text))
		var got struct{ CgoCFLAGS, CgoLDFLAGS []string }
		if err := json.Unmarshal([]byte(run(t, dir, []string{"CGO_ENABLED=1", "GOFLAGS="}, "go", "list", "-json=CgoCFLAGS,CgoLDFLAGS")), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"-I/p/" + n + "/include", "/p/" + n + "/libk.a", "-lstdc++", "-lm"}, append(got.CgoCFLAGS, got.CgoLDFLAGS...)); diff != "" {
			t.Errorf("%q: flags (-want +got):\n%s\n%s", n, diff, text)
		}
	}
	if written < 10 {
		t.Errorf("only %d of %d names were written", written, len(nasty))
	}
}

// TestRealNamesPkgConfig: what pkg-config says is what was meant once a shell has read it, whenever it was written.
func TestRealNamesPkgConfig(t *testing.T) {
	program(t, "pkg-config")
	written := 0
	for _, n := range nasty {
		text, err := Write("pkg-config", libraryIn("/p/"+n))
		if err != nil {
			continue
		}
		written++
		dir := t.TempDir()
		put(t, filepath.Join(dir, "k.pc"), string(text))
		got := run(t, dir, []string{"PKG_CONFIG_PATH=" + dir}, "sh", "-c", `eval "set -- $(pkg-config --cflags --libs k)"; printf '%s\n' "$@"`)
		if want := "-I/p/" + n + "/include\n/p/" + n + "/libk.a\n-lstdc++\n-lm\n"; got != want {
			t.Errorf("%q: got\n%swant\n%s%s", n, got, want, text)
		}
	}
	if written < 20 {
		t.Errorf("only %d of %d names were written", written, len(nasty))
	}
}

// TestRealDepfile: make and ninja read every name that is written: nothing runs without a change, and a change or the loss of
// an input does.
func TestRealDepfile(t *testing.T) {
	// ninja has no way to say these; it builds once too often then.
	notNinja := "&*?'\"`<>^"
	for _, tool := range []string{"make", "ninja"} {
		t.Run(tool, func(t *testing.T) {
			program(t, tool)
			for _, n := range nasty {
				for _, where := range []string{"input", "output"} {
					d := depCase{t: t, tool: tool, dir: t.TempDir(), lazy: tool == "make" || !strings.ContainsAny(n, notNinja)}
					d.input, d.output = filepath.Join(d.dir, "in.h"), filepath.Join(d.dir, "k.out")
					if where == "input" {
						d.input = filepath.Join(d.dir, "a"+n+"b.h")
					} else {
						d.output = filepath.Join(d.dir, "a"+n+"b.out")
					}
					d.try(where, n)
				}
			}
		})
	}
}

// TestRealDepfileNinja: with deps = gcc ninja takes the inputs alone, whatever it calls its output, and whether one was built.
func TestRealDepfileNinja(t *testing.T) {
	program(t, "ninja")
	for _, tt := range []struct {
		name  string
		files []File
	}{{"built", []File{{Kind: "ptx", Path: "/elsewhere/k.ptx"}}}, {"nothing is built", nil}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			d := depCase{t: t, tool: "ninja", dir: dir, input: filepath.Join(dir, "k.cu"), output: "k.out"}
			emitted(t, "depfile", Build{OS: "linux", Out: dir, Inputs: []string{d.input}, Kernels: []Kernel{{Files: tt.files}}}, filepath.Join(dir, "dep.d"))
			put(t, filepath.Join(dir, "build.ninja"), "rule r\n  command = echo run; touch $$T; cp dep.d copy.d\n  depfile = copy.d\n  deps = gcc\nbuild k.out: r\n")
			put(t, d.input, "")
			d.age(d.input, 100)
			first, again := d.ran(), d.ran()
			d.age(d.input, -100)
			if changed := d.ran(); !first || again || !changed {
				t.Errorf("ninja ran the step: %t, again %t, after a change %t; want true, false, true", first, again, changed)
			}
		})
	}
}

// depCase is one input and one output.
type depCase struct {
	t                        *testing.T
	tool, dir, input, output string
	lazy                     bool // it must not run when nothing changed
}

func (d depCase) try(where, name string) {
	t := d.t
	t.Helper()
	b := Build{OS: "linux", Inputs: []string{d.input}, Kernels: []Kernel{{Files: []File{{Kind: "object", Path: d.output}}}}}
	text, err := Write("depfile", b)
	if err != nil {
		return
	}
	put(t, d.input, "")
	put(t, filepath.Join(d.dir, "dep.d"), string(text))
	d.age(d.input, 100)
	d.age(filepath.Join(d.dir, "dep.d"), 100)
	put(t, filepath.Join(d.dir, "Makefile"), "include dep.d\n%.out:\n\t@echo run; touch \"$$T\"\n")
	quoted := strings.NewReplacer("$", "$$", " ", "$ ", ":", "$:").Replace(d.output)
	put(t, filepath.Join(d.dir, "build.ninja"), "rule r\n  command = echo run; touch \"$$T\"; cp dep.d copy.d\n  depfile = copy.d\nbuild "+quoted+": r\n")
	check := func(when string, want bool) {
		t.Helper()
		if got := d.ran(); got != want && (want || d.lazy) {
			t.Errorf("%s %q, %s: %s ran the step: %t, want %t\n%s", where, name, when, d.tool, got, want, text)
		}
	}
	check("first", true)
	d.age(d.output, 50)
	check("again", false)
	d.age(d.input, 0)
	check("after a change", true)
	d.age(d.input, 200)
	check("again", false)
	if err := os.Remove(d.input); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(d.input, "%") || d.tool == "ninja" { // of such an input make says that it is gone
		check("after it is gone", true)
	}
}

func (d depCase) age(file string, seconds int) {
	d.t.Helper()
	at := time.Now().Add(-time.Duration(seconds) * time.Second)
	if err := os.Chtimes(file, at, at); err != nil {
		d.t.Fatal(err)
	}
}

func (d depCase) ran() bool {
	d.t.Helper()
	argv := []string{"ninja"}
	if d.tool == "make" {
		argv = []string{"make", d.output}
	}
	return strings.Contains(run(d.t, d.dir, []string{"T=" + d.output, "MAKEFLAGS="}, argv...), "run\n")
}
