package build

import (
	"slices"
	"strings"

	"cupel/internal/nvcc"
)

// aboutLinking are the words for a host compiler that it heeds when it links (gcc's manual, "Options for Linking", and those that
// bring libraries). The others stay with the sources: a link has no folders of includes, and nvcc compiles a stub for it.
func aboutLinking(words []string) (some []string) {
	for _, word := range words {
		if startsWith(word, hostLinks) {
			some = append(some, word)
		}
	}
	return some
}

var hostLinks = []string{"-fopenmp", "-pthread", "-fsanitize", "-fprofile", "--coverage", "-pg", "-flto", "-fuse-ld", "-Wl,", "-static-lib", "-L", "-l", "-B", "--sysroot", "-stdlib=", "-m32", "-m64", "-rdynamic", "-nostdlib", "-nodefaultlibs", "-nostartfiles"}

// untold is a word of a link that may make it read a file which is in no account of it, or look elsewhere than cupel knows: a
// linker script, a list of versions, another linker. What is listed here reads none (manuals of ld, gcc and nvlink).
func untold(c PlannedCall) string {
	read := nvcc.Parse(c.Argv[1:])
	if len(read.Unknown) > 0 {
		return read.Unknown[0]
	}
	linker := read.All("linker-options")
	for _, word := range read.All("compiler-options") {
		if rest, ok := strings.CutPrefix(word, "-Wl,"); ok {
			linker = append(linker, strings.Split(rest, ",")...)
		} else if !slices.Contains(plainCompiler, word) {
			return word
		}
	}
	named := false
	for _, word := range linker {
		name, _, whole := strings.Cut(word, "=")
		if !named && !slices.Contains(plainLinker, name) {
			return word
		}
		named = !named && !whole && slices.Contains(takesName, word)
	}
	for _, word := range read.All("nvlink-options") {
		if name, _, _ := strings.Cut(word, "="); !slices.Contains(plainNvlink, name) {
			return word
		}
	}
	for _, name := range read.All("library") {
		if strings.ContainsAny(name, ":/") { // a file, which nvlink may look for in another way
			return "-l" + name
		}
	}
	return ""
}

func startsWith(word string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(word, p) })
}

// Whole words, or what stands before =: ld takes long options with one dash, and -script=FILE begins like -s.
var (
	plainCompiler = []string{"-fPIC", "-fpic", "-fopenmp", "-pthread", "-m64", "-static-libgcc", "-static-libstdc++", "-rdynamic"}
	plainLinker   = []string{"-soname", "--soname", "-h", "-rpath", "--rpath", "--enable-new-dtags", "--disable-new-dtags", "-z", "--as-needed", "--no-as-needed", "--no-undefined", "--allow-shlib-undefined", "-s", "-S", "--strip-all", "--strip-debug", "-Bsymbolic", "-Bsymbolic-functions", "--gc-sections", "--build-id", "--exclude-libs", "--hash-style", "-E", "--export-dynamic", "--whole-archive", "--no-whole-archive", "--start-group", "--end-group"}
	plainNvlink   = []string{"--suppress-stack-size-warning", "-suppress-stack-size-warning", "--suppress-arch-warning", "-suppress-arch-warning", "--suppress-debug-info", "-suppress-debug-info", "--verbose", "-v", "-w", "--disable-warnings", "--maxrregcount", "-maxrregcount"}
	takesName     = []string{"-soname", "--soname", "-h", "-rpath", "--rpath", "-z", "--exclude-libs"}
)
