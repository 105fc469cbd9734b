package driver

import (
	"debug/elf"
	"io"
	"regexp"
	"strings"

	"cupel/internal/fact"
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
			l := fact.DriverLibrary{Path: path, Real: a.RealIfOther(path), From: p.from, Version: versionOf(real), Stub: isStub(a, path)}
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
	cached := cachedDir(a)
	if cached != "" {
		out = append(out, place{cached, "loader cache", true})
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

var cachedLib = regexp.MustCompile(`^/.*/libcuda\.so\.1$`)

// cachedDir asks the loader's cache, in which every library stands with its full path.
func cachedDir(a *look.At) string {
	const path = "/etc/ld.so.cache"
	text, err := a.Search(path, cachedLib)
	if err != nil {
		a.Note("the loader's cache", path, err)
		return ""
	}
	if text == "" {
		return ""
	}
	return a.Path.Dir(text)
}

var libVersion = regexp.MustCompile(`\.so\.(\d{3,4}\.\d+(?:\.\d+)?)$`)

func versionOf(real string) string {
	if m := libVersion.FindStringSubmatch(real); m != nil {
		return m[1]
	}
	return ""
}

// isStub tells NVIDIA's link-time stand-in from a driver: the stand-in needs no other library at all, while
// every driver (WSL's small one too) needs the C library at least.
//
// A file named for a driver version is a driver: stand-ins carry none.
func isStub(a *look.At, path string) bool {
	if versionOf(a.Real(path)) != "" {
		return false
	}
	b, err := a.Open(path)
	if err != nil {
		a.Note("whether "+path+" is a stub", path, err)
		return false
	}
	defer b.Close()
	needs, err := dynamicNeeds(b)
	// Not ELF at all: an empty or text file put there to make a link step pass.
	return err != nil || needs == 0
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
		if l.Rank == 0 || l.Stub {
			continue
		}
		if l.Version == "" {
			return fact.Fact[string]{State: fact.Absent, Source: l.Path}
		}
		return fact.Of(l.Version, l.Path)
	}
	return fact.None[string](soname)
}
