package emit

import (
	"fmt"
	"strings"
)

// cmake writes a file for include(): an imported target cupel::NAME for each library, and lists of the other outputs. A project
// that has found CUDAToolkit before gets its targets, so that one program does not hold two runtimes.
func cmake(b Build) ([]byte, error) {
	out := cmakeFile{b: b}
	out.line("# Made by cupel build --emit cmake; do not edit. Use: include(THIS-FILE) and target_link_libraries(… cupel::NAME)")
	for _, k := range b.built() {
		libs := b.librariesOf(k)
		for i, l := range libs {
			name := "cupel::" + cmakeName(k.Name)
			if i > 0 {
				name += "-shared"
			}
			out.target(name, l)
		}
		out.lists(k)
	}
	return []byte(out.text.String()), out.err
}

// cmakeFile is the file while it is written.
type cmakeFile struct {
	b    Build
	text strings.Builder
	err  error // the first thing that could not be said
}

func (f *cmakeFile) line(format string, args ...any) { fmt.Fprintf(&f.text, format+"\n", args...) }

func (f *cmakeFile) target(name string, l library) {
	kind := "STATIC"
	if l.shared {
		kind = "SHARED"
	}
	f.line("\nif(NOT TARGET %s)", name) // the file may be included in several folders: lists belong to each, targets to all
	f.line("add_library(%s %s IMPORTED GLOBAL)", name, kind)
	set := func(property, value string) { f.line("set_property(TARGET %s PROPERTY %s %s)", name, property, value) }
	set("IMPORTED_LOCATION", f.path(l.file))
	if l.link != l.file {
		set("IMPORTED_IMPLIB", f.path(l.link))
	}
	if l.shared && f.b.OS != "windows" {
		set("IMPORTED_NO_SONAME", "ON") // nvcc -shared sets none
	}
	for _, n := range f.b.needs([]library{l}) {
		f.need(name, n)
	}
	f.line("endif()")
}

// need: CMake's own target stands for the toolkit's library and brings what that one needs.
func (f *cmakeFile) need(target string, n need) {
	property := func(in, name, value string) {
		f.line("%sset_property(TARGET %s APPEND PROPERTY %s %s)", in, target, name, value)
	}
	if !n.toolkit {
		// stdc++ and m too: IMPORTED_LINK_INTERFACE_LANGUAGES CXX does nothing in a project of C alone.
		property("", "INTERFACE_LINK_LIBRARIES", n.name)
		return
	}
	f.line("if(TARGET CUDA::%s)", n.name)
	property("  ", "INTERFACE_LINK_LIBRARIES", "CUDA::"+n.name)
	f.line("else()")
	property("  ", "INTERFACE_LINK_LIBRARIES", n.name)
	for _, dir := range f.b.Toolkit.LibDirs {
		property("  ", "INTERFACE_LINK_DIRECTORIES", f.element(dir))
	}
	f.line("endif()")
}

// lists are variables: CUPEL_NAME_PTX and so on. Objects whose device code is linked need the object that this made, and cudadevrt.
func (f *cmakeFile) lists(k Kernel) {
	for _, kinds := range [][]string{{"ptx"}, {"cubin"}, {"fatbin"}, {"object", "device-link"}} {
		files := k.files(kinds...)
		if len(files) == 0 {
			continue
		}
		f.line("\nset(CUPEL_%s_%s", strings.TrimPrefix(identifier(k.Name), "_"), strings.ToUpper(kinds[0]))
		for _, one := range files {
			f.line("  %s", f.element(one.Path))
		}
		f.line(")")
	}
}

// path is an argument in brackets: nothing inside means anything.
func (f *cmakeFile) path(path string) string {
	path = f.b.slashed(path)
	equals := "="
	for strings.Contains(path+"]", "]"+equals+"]") {
		equals += "="
	}
	return "[" + equals + "[" + path + "]" + equals + "]"
}

// element is a path in a list, where a semicolon would part it. A bracket that nothing closes keeps the list together instead,
// and has no escape.
func (f *cmakeFile) element(path string) string {
	open := 0
	for _, c := range path {
		switch c {
		case '[':
			open++
		case ']':
			open--
		}
		if open < 0 {
			break
		}
	}
	if open != 0 && f.err == nil {
		f.err = fmt.Errorf("%q holds a bracket without its other half, which has no place in a list of CMake", path)
	}
	return f.path(strings.ReplaceAll(path, ";", `\;`))
}

// cmakeName keeps what a target's name may hold.
func cmakeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.+-", r)) {
			return r
		}
		return '_'
	}, name)
}
