package library

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// libclang is found as the crate clang-sys 1.9.1 finds it (build/common.rs and build/dynamic.rs), for that is
// what bindgen uses: it loads the library at run time, so libclang-14.so.1 without any other name counts.
var (
	clangFile    = pattern.New(`^libclang(-[^/]*)?\.so(\.[^/]*)?$`)
	clangDLL     = pattern.New(`(?i)^(lib)?clang\.dll$`)
	clangDylib   = pattern.New(`^libclang\.dylib$`)
	clangNumber  = pattern.New(`^libclang(?:-(\d+(?:\.\d+)*))?\.so(?:\.(\d+(?:\.\d+)*))?$`)
	llvmFolder   = pattern.New(`^llvm`)
	llvmNumber   = pattern.New(`^llvm-?(\d+(?:\.\d+)*)$`)
	resourceName = pattern.New(`^\d+(\.\d+)*$`)
)

// clang lists every libclang; the one clang-sys would load is first.
func clang(at *shelf) []fact.Library {
	var out []fact.Library
	var dirs []string
	if path := at.Env("LIBCLANG_PATH"); path != "" {
		if found := clangNamed(at, path); len(found) > 0 {
			return clangFacts(at, found)
		}
		// clang-sys looks nowhere else while the variable is set, so the others are told after it.
		out = append(out, fact.Library{Name: "libclang", Path: path, Origin: own(at),
			Version: fact.Bad[string]("LIBCLANG_PATH", errors.New("no libclang is there, and bindgen looks nowhere else while LIBCLANG_PATH is set"))})
	}
	dirs = append(dirs, llvmConfig(at)...)
	dirs = append(dirs, at.Path.List(at.Env("LD_LIBRARY_PATH"))...)
	dirs = append(dirs, at.Path.List(at.Env("LIBRARY_PATH"))...)
	dirs = append(dirs, clangDirs(at)...)
	out = append(out, clangFacts(at, clangIn(at, dirs))...)
	return append(out, ownClang(at)...)
}

// ownClang are the copies that cupel brought. clang-sys finds them by LIBCLANG_PATH alone, which cupel env sets.
func ownClang(at *shelf) []fact.Library {
	var out []fact.Library
	for _, o := range look.Owned(at.At, "libraries") {
		for _, dir := range []string{at.Path.Join(o.Dir, o.Command), at.Path.Join(o.Dir, "lib")} {
			if found := clangIn(at, []string{dir}); len(found) > 0 {
				out = append(out, fact.Library{Name: "libclang", Path: found[0].path, Origin: "cupel", Version: fact.Of(o.Release, at.Path.Join(o.Dir, look.ManifestName))})
				break
			}
		}
	}
	return out
}

// clangNamed: the variable may be a folder or the library itself.
func clangNamed(at *shelf, path string) []clangCopy {
	if at.IsFile(path) && clangName(at).MatchString(at.Path.Base(path)) {
		return []clangCopy{{path: path}}
	}
	return clangIn(at, []string{path})
}

func clangName(at *shelf) *pattern.Pattern {
	switch at.System.OS {
	case "windows":
		return clangDLL
	case "darwin":
		return clangDylib
	}
	return clangFile
}

// llvmConfig: clang-sys runs llvm-config --prefix; the program lies in the prefix's bin, so its place tells.
func llvmConfig(at *shelf) []string {
	path := at.Env("LLVM_CONFIG_PATH")
	if path == "" {
		path = at.Which("llvm-config")
	}
	if path == "" || !at.Exists(path) {
		return nil
	}
	prefix := at.Path.Dir(at.Path.Dir(at.Real(path)))
	return []string{at.Path.Join(prefix, "bin"), at.Path.Join(prefix, "lib"), at.Path.Join(prefix, "lib64")}
}

// clangDirs are clang-sys's folders in its order. Of its /usr/lib*/*/* only the folders that LLVM packages
// use are looked at: the pattern matches thousands.
func clangDirs(at *shelf) []string {
	switch at.System.OS {
	case "windows":
		return windowsClang(at)
	case "darwin":
		return []string{"/Library/Developer/CommandLineTools/usr/lib",
			"/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib", "/usr/local/opt/llvm/lib"}
	}
	var out []string
	for _, d := range at.List("/usr/local", llvmFolder) {
		out = append(out, at.Path.Join(d, "lib"), at.Path.Join(d, "lib64"))
	}
	out = append(out, "/usr/local/lib", "/usr/local/lib64")
	for _, lib := range []string{"/usr/lib", "/usr/lib64"} {
		for _, d := range at.List(lib, llvmFolder) {
			out = append(out, at.Path.Join(d, "lib"), at.Path.Join(d, "lib64"))
		}
	}
	return append(out, "/usr/lib/"+triple(at), "/usr/lib", "/usr/lib64")
}

type clangCopy struct {
	path string
	rank []int
}

func clangIn(at *shelf, dirs []string) []clangCopy {
	var out []clangCopy
	for _, dir := range dirs {
		if !at.Path.Abs(dir) {
			continue
		}
		for _, n := range at.files(dir, clangName(at)) {
			if p := at.Path.Join(dir, n); !strings.Contains(n, "-cpp.") && at.IsFile(p) {
				out = append(out, clangCopy{p, clangRank(n)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b clangCopy) int { return slices.Compare(b.rank, a.rank) })
	return out
}

// clangRank is the number clang-sys reads out of a name to take the newest: it cuts three bytes off the end
// of libclang-14.so and of libclang-14.so.1 alike, and what is no number counts as 0.
func clangRank(name string) []int {
	text, ok := strings.CutPrefix(name, "libclang.so.")
	if !ok {
		text, ok = strings.CutPrefix(name, "libclang-")
		if !ok || len(text) < 3 {
			return nil
		}
		text = text[:len(text)-3]
	}
	var out []int
	for _, f := range strings.Split(text, ".") {
		n, err := strconv.ParseUint(f, 10, 31)
		if err != nil {
			n = 0
		}
		out = append(out, int(n))
	}
	return out
}

func clangFacts(at *shelf, found []clangCopy) []fact.Library {
	var out []fact.Library
	seen := map[string]bool{}
	for _, c := range found {
		if key := at.Path.Key(at.Real(c.path)); !seen[key] {
			seen[key] = true
			out = append(out, fact.Library{Name: "libclang", Path: c.path, Version: clangVersion(at, c.path), Origin: own(at)})
		}
	}
	return out
}

// clangVersion takes the longest number the names on the way to the file carry.
func clangVersion(at *shelf, path string) fact.Fact[string] {
	real := at.Real(path)
	best := ""
	for _, p := range []string{path, real} {
		if m := clangNumber.FindStringSubmatch(at.Path.Base(p)); m != nil {
			for _, v := range m[1:] {
				// libclang.so.1 is an interface number, not a version.
				if v != "1" && len(v) > len(best) {
					best = v
				}
			}
		}
	}
	if m := llvmNumber.FindStringSubmatch(at.Path.Base(at.Path.Dir(at.Path.Dir(real)))); m != nil && best == "" {
		best = m[1]
	}
	if best != "" {
		return fact.Of(best, real)
	}
	return resourceVersion(at, real)
}

// resourceVersion: clang keeps its own headers in lib/clang/18 beside the library.
func resourceVersion(at *shelf, real string) fact.Fact[string] {
	dir := at.Path.Join(at.Path.Dir(at.Path.Dir(real)), "lib", "clang")
	names, err := at.Names(dir, resourceName)
	if err != nil || len(names) != 1 {
		return fact.Bad[string](real, errors.New("neither its name nor the folders beside it tell the version"))
	}
	return fact.Of(names[0], at.Path.Join(dir, names[0]))
}
