package environ

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// libraries names cuDNN, libclang and MKL where they are known. A LIBCLANG_PATH or MKLROOT that a person
// set is kept: that person knew more.
func (w *writer) libraries() {
	if c := w.cudnn(); c != nil {
		root := w.rootOf(*c)
		w.assign("CUDNN_PATH", root, "cuDNN "+c.Version.Value)
		w.assign("CUDNN_LIB", root, "cuDNN "+c.Version.Value+"; its readers take it for a root")
		w.assign("CUDNN_LIB_DIR", w.libraryDir(c), "folder of the cuDNN libraries")
	}
	if clang := w.newestLibrary("libclang"); clang != nil && w.free("LIBCLANG_PATH") {
		w.assign("LIBCLANG_PATH", w.libraryDir(clang), "libclang "+clang.Version.Value)
	}
	if mkl := w.newestLibrary("mkl"); mkl != nil && w.free("MKLROOT") {
		w.assign("MKLROOT", w.rootOf(*mkl), "MKL "+mkl.Version.Value)
	}
}

func (w *writer) newestLibrary(name string) (best *fact.Library) {
	for i := range w.m.Libraries {
		l := &w.m.Libraries[i]
		// An entry that the probe keeps for a LIBCLANG_PATH that leads nowhere is no library.
		if l.Name == name && l.Version.Source != "LIBCLANG_PATH" && (best == nil || libraryVersion(l).Compare(libraryVersion(best)) > 0) {
			best = l
		}
	}
	return best
}

func libraryVersion(l *fact.Library) version.V {
	v, found := version.Find(l.Version.Value)
	if !found { // libclang 14: a number without a point is not looked for in a text
		v, _ = version.Parse(l.Version.Value)
	}
	return v
}

// origins orders copies of cuDNN by how sure it is that a build may use them: a Python package's copy belongs
// to its interpreter and often has no link names.
var origins = []string{"toolkit", "system", "windows", "conda", "pip"}

// cudnn is the best copy that is built for the toolkit's CUDA major; nil when none is known to be.
func (w *writer) cudnn() (best *fact.Library) {
	major := choice.Release(w.t).Major()
	seen := 0
	for i := range w.m.Libraries {
		l := &w.m.Libraries[i]
		if l.Name != "cudnn" {
			continue
		}
		seen++
		if w.builtFor(*l, major) && (best == nil || w.firstOf(l, best)) {
			best = l
		}
	}
	if seen > 0 && best == nil {
		w.note(fmt.Sprintf("no cuDNN here is known to be built for CUDA %d: none is named", major))
	}
	return best
}

func (w *writer) builtFor(l fact.Library, major int) bool {
	if l.CUDAMajor != 0 {
		return l.CUDAMajor == major
	}
	if w.path.Within(l.Path, w.t.Home()) && len(w.outside([]string{w.libraryDir(&l)})) > 0 {
		return true
	}
	majors := compat.CuDNNFor(libraryVersion(&l))
	return len(majors) == 1 && majors[0] == major
}

func (w *writer) firstOf(a, b *fact.Library) bool {
	rank := func(l *fact.Library) int {
		if w.path.Within(l.Path, w.t.Home()) {
			return -1
		}
		if i := slices.Index(origins, l.Origin); i >= 0 {
			return i
		}
		return len(origins)
	}
	if ra, rb := rank(a), rank(b); ra != rb {
		return ra < rb
	}
	return libraryVersion(a).Compare(libraryVersion(b)) > 0
}

// libraryDir is the folder of a library given by its file or folder.
func (w *writer) libraryDir(l *fact.Library) string {
	if l == nil || l.Path == "" {
		return ""
	}
	base := strings.ToLower(w.path.Base(l.Path))
	for _, mark := range []string{".so", ".dll", ".lib", ".dylib", ".a"} {
		if strings.HasSuffix(base, mark) || strings.Contains(base, mark+".") {
			return w.path.Dir(l.Path)
		}
	}
	if strings.HasSuffix(base, ".h") {
		return ""
	}
	return l.Path
}

// rootOf goes up from the headers, or else from the library, to the folder that holds include and lib:
// /usr for /usr/include/x86_64-linux-gnu, C:\…\v9.14 for C:\…\v9.14\include\13.0.
func (w *writer) rootOf(l fact.Library) string {
	for _, start := range []string{l.Include, w.libraryDir(&l)} {
		for dir := start; dir != "" && dir != w.path.Dir(dir); dir = w.path.Dir(dir) {
			if slices.Contains([]string{"include", "lib", "lib64", "bin"}, strings.ToLower(w.path.Base(dir))) {
				return w.path.Dir(dir)
			}
		}
	}
	return w.libraryDir(&l)
}
