package driver

import (
	"bytes"
	"debug/elf"
	"io"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

const (
	soname  = "libcuda.so.1"
	wslLibs = "/usr/lib/wsl/lib"
)

// place is a folder in which a libcuda may lie, and whether the loader looks there.
type place struct {
	dir, from string
	loader    bool
}

// libraries finds every libcuda in the order the loader would: LD_LIBRARY_PATH, the loader's cache, its
// default folders; then those it does not see, which a person may take for the driver.
func libraries(a *look.At, platform string) (libs []fact.DriverLibrary, compat []string) {
	seen := map[string]bool{}
	rank := 0
	for _, p := range places(a, platform) {
		for _, name := range []string{soname, "libcuda.so"} {
			path := a.Path.Join(p.dir, name)
			if !a.IsFile(path) || seen[path] {
				continue
			}
			real := a.Real(path)
			if seen[real] {
				continue
			}
			seen[path], seen[real] = true, true
			l, ok := library(a, path)
			if !ok {
				continue
			}
			l.From = p.from
			if p.loader {
				rank++
				l.Rank = rank
			}
			libs = append(libs, l)
			if p.loader && strings.Contains(p.dir, "/compat") {
				compat = append(compat, p.dir)
			}
			break
		}
	}
	return libs, compat
}

func places(a *look.At, platform string) []place {
	var out []place
	for _, dir := range a.Path.List(a.Env("LD_LIBRARY_PATH")) {
		if a.Path.Abs(dir) {
			out = append(out, place{dir, "LD_LIBRARY_PATH", true})
		}
	}
	for _, dir := range cachedDirs(a) {
		out = append(out, place{dir, "loader cache", true})
	}
	for _, dir := range []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"} {
		out = append(out, place{dir, "default folder", true})
	}
	if platform == fact.WSL2 {
		out = append(out, place{wslLibs, "wsl", false})
	}
	for _, dir := range []string{"/usr/lib/x86_64-linux-gnu/nvidia/current", "/usr/local/cuda/compat", "/usr/lib/aarch64-linux-gnu/tegra", "/usr/lib/aarch64-linux-gnu/nvidia"} {
		out = append(out, place{dir, "not on the loader path", false})
	}
	return out
}

// cached are the entries of the loader's cache, those that can only be of 64 bits first: it holds the 32-bit
// libraries too, and a loader passes those over.
var cached = []*pattern.Pattern{
	pattern.New(`^/(?:.*/)?(?:x86_64-linux-gnu|aarch64-linux-gnu|lib64)/(?:.*/)?libcuda\.so\.1$`),
	pattern.New(`^/.*/libcuda\.so\.1$`),
}

// cachedDirs asks the loader's cache, in which every library stands with its full path.
func cachedDirs(a *look.At) []string {
	const path = "/etc/ld.so.cache"
	var out []string
	for _, want := range cached {
		text, err := a.Search(path, want)
		if err != nil {
			a.Note("the loader's cache", path, err)
			return nil
		}
		if dir := a.Path.Dir(text); text != "" && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

var libVersion = pattern.New(`\.so\.(\d{3,4}\.\d+(?:\.\d+)?)$`)

func versionOf(real string) string {
	if m := libVersion.FindStringSubmatch(real); m != nil {
		return m[1]
	}
	return ""
}

// library reads one libcuda; ok is false for one of 32 bits, which no program of this machine's kind loads.
func library(a *look.At, path string) (l fact.DriverLibrary, ok bool) {
	l = fact.DriverLibrary{Path: path, Real: a.RealIfOther(path), Version: versionOf(a.Real(path))}
	if folder32.MatchString(a.Real(path)) {
		return l, false
	}
	b, err := a.Open(path)
	if err != nil {
		a.Note("whether "+path+" is a stub", path, err)
		return l, true
	}
	defer b.Close()
	info, err := a.Stat(path)
	head := make([]byte, 5)
	_, _ = b.ReadAt(head, 0) // a file shorter than that is no ELF
	switch {
	case err == nil && info.Size == 0:
		l.Broken = "the file is empty"
	case string(head[:4]) == elf.ELFMAG && elf.Class(head[4]) == elf.ELFCLASS32:
		return l, false
	case l.Version != "" && bytes.Equal(head, make([]byte, 5)):
		// A recording made by hand holds no more than the name of a driver's library: stand-ins carry no version in theirs.
	case string(head[:4]) != elf.ELFMAG:
		l.Broken = "not an ELF library"
	case l.Version == "":
		l.Stub, l.Broken = isStub(b)
	}
	return l, true
}

// folder32 are the folders distributions keep 32-bit libraries in.
var folder32 = pattern.New(`/(i386-linux-gnu|lib32|arm-linux-gnueabihf)/`)

// isStub tells NVIDIA's link-time stand-in from a driver: the stand-in needs no other library at all, while
// every driver (WSL's small one too) needs the C library at least.
func isStub(r io.ReaderAt) (stub bool, broken string) {
	needs, err := dynamicNeeds(r)
	if err != nil {
		return false, "not a whole ELF library"
	}
	return needs == 0, ""
}

// dynamicNeeds counts the libraries an ELF shared object asks for.
func dynamicNeeds(r io.ReaderAt) (int, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return 0, err
	}
	needed, err := f.DynValue(elf.DT_NEEDED)
	return len(needed), err
}

func userMode(libs []fact.DriverLibrary) fact.Fact[string] {
	for _, l := range libs {
		if l.Rank == 0 || l.Stub || l.Broken != "" {
			continue
		}
		if l.Version == "" {
			return fact.Fact[string]{State: fact.Absent, Source: l.Path}
		}
		return fact.Of(l.Version, l.Path)
	}
	return fact.None[string](soname)
}
