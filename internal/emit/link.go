package emit

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/ospath"
)

// library is what a program links of one kernel.
type library struct {
	kernel Kernel
	name   string // without prefix and ending
	file   string // the archive or the shared library, whole
	link   string // the file that is given to the linker: on Windows the import library of a shared one
	digest string // of the archive
	shared bool
}

// libraries are one of each kernel that has any. Where it has both kinds the static one is meant: it has to be found only once.
func (b Build) libraries() []library {
	var out []library
	for _, k := range b.built() {
		if all := b.librariesOf(k); len(all) > 0 {
			out = append(out, all[0])
		}
	}
	return out
}

// librariesOf are those of one kernel, the static one first.
func (b Build) librariesOf(k Kernel) []library {
	var out []library
	for _, f := range slices.Concat(k.files("static"), k.files("shared")) {
		l := library{kernel: k, name: k.LinkName, file: f.Path, link: f.Path, digest: f.Digest, shared: f.Kind == "shared"}
		if l.name == "" {
			l.name = k.Name
		}
		if l.shared && b.OS == "windows" {
			l.link = importLibrary(k, f)
			l.name = strings.TrimSuffix(b.style().Base(l.link), ".lib")
		}
		out = append(out, l)
	}
	return out
}

// Warnings are about libraries that a program cannot link as a format says it. Only cargo's own has words for them.
func Warnings(format string, b Build) []string {
	var out []string
	if !slices.Contains([]string{"cargo", "cmake", "cgo", "pkg-config"}, format) {
		return nil
	}
	libs := b.libraries()
	if format == "cgo" {
		libs, _ = b.cgoLibraries()
	}
	for _, l := range libs {
		if k := l.kernel; k.RDC && !k.Linked && !l.shared {
			out = append(out, fmt.Sprintf("the device code of kernel %s is not linked, and only nvcc can do that: add device-link = true to it in cupel.toml", k.Name))
		}
	}
	return out
}

// importLibrary is NAME.lib, or beside a static library of that name NAME.dll.lib: so package build names it.
func importLibrary(k Kernel, f File) string {
	if len(k.files("static")) > 0 {
		return f.Path + ".lib"
	}
	if stem, ok := strings.CutSuffix(f.Path, ".dll"); ok {
		return stem + ".lib"
	}
	return f.Path
}

// need is a library of the toolkit or of the system, by its name.
type need struct {
	name    string
	static  bool
	toolkit bool // it lies in the toolkit's folders
}

// needs are what libraries want behind them, in the linker's order. nvcc puts all of it into a shared library itself. cargo
// is told of libm too: std brings it, but a crate without std has no other.
func (b Build) needs(list []library) []need {
	var out []need
	add := func(n ...need) {
		for _, one := range n {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	linked := slices.DeleteFunc(slices.Clone(list), func(l library) bool { return l.shared })
	for _, l := range linked {
		if l.kernel.RDC {
			add(need{"cudadevrt", true, true})
		}
	}
	for _, l := range linked {
		add(b.runtime(l.kernel)...)
	}
	if len(linked) > 0 && b.OS != "windows" {
		add(need{name: "stdc++"}, need{name: "m"}) // host code of .cu files is C++; nvcc and g++ add both by themselves
	}
	return out
}

// runtime is cudart with what it needs, in the order in which nvcc -dryrun of 12.4 and 13.0 ends its link on Linux. On Windows
// it is the import library: cudart_static.lib (read in 13.0) asks for LIBCMT, and most programs use the C library's DLL.
func (b Build) runtime(k Kernel) []need {
	switch {
	case k.Cudart == "none":
		return nil
	case k.Cudart == "shared" || k.Cudart == "" && b.OS == "windows":
		return []need{{"cudart", false, true}}
	case b.OS == "windows":
		return []need{{"cudart_static", true, true}}
	}
	return []need{{"cudart_static", true, true}, {name: "rt"}, {name: "pthread"}, {name: "dl"}}
}

// folders are where libraries lie, each once, then those of the toolkit if it is needed.
func (b Build) folders(list []library) []string {
	var out []string
	for _, l := range list {
		if dir := b.style().Dir(l.link); !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	if slices.ContainsFunc(b.needs(list), func(n need) bool { return n.toolkit }) {
		out = append(out, b.Toolkit.LibDirs...)
	}
	return out
}

// name is the project's.
func (b Build) name() string {
	if b.Name != "" {
		return b.Name
	}
	return b.style().Base(b.Project)
}

func (b Build) style() ospath.Style { return ospath.For(b.OS) }

// slashed is a path as tools that come from Unix take it on Windows too: to them a backslash is an escape.
func (b Build) slashed(path string) string {
	if b.OS == "windows" {
		return strings.ReplaceAll(path, `\`, "/")
	}
	return path
}
