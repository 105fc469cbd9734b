package build

import (
	"slices"
	"strings"

	"cupel/internal/nvcc"
)

// untold is a word of a link that may make it read a file which is in no account of it, or look elsewhere than cupel knows: a
// linker script, a list of versions, another linker. What is listed here reads none (manuals of ld, gcc and nvlink).
func untold(c PlannedCall) string {
	read := nvcc.Parse(c.Argv[1:])
	if len(read.Unknown) > 0 {
		return read.Unknown[0]
	}
	if own := read.All("library"); c.Kind == "device-link" && len(own) > 0 { // nvlink gives no account
		return "-l" + own[0]
	}
	linker := read.All("linker-options")
	for _, word := range read.All("compiler-options") {
		if rest, ok := strings.CutPrefix(word, "-Wl,"); ok {
			linker = append(linker, strings.Split(rest, ",")...)
		} else if !startsWith(word, plainCompiler) || startsWith(word, notPlain) {
			return word
		}
	}
	named := false
	for _, word := range linker {
		if !named && !startsWith(word, plainLinker) {
			return word
		}
		named = !named && slices.Contains(takesName, word)
	}
	if at := slices.IndexFunc(read.All("nvlink-options"), func(word string) bool { return !startsWith(word, plainNvlink) }); at >= 0 {
		return read.All("nvlink-options")[at]
	}
	return ""
}

func startsWith(word string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(word, p) })
}

var (
	plainCompiler = []string{"-f", "-m", "-O", "-g", "-W", "-std=", "-D", "-U", "-pthread", "-pipe", "-w", "-ansi", "-static-lib"}
	notPlain      = []string{"-fuse-ld", "-fplugin", "-fprofile", "-fauto-profile", "-fsanitize", "-flto", "-Wp,", "-Wa,", "-fdump", "-fopenmp-targets", "-foffload", "-mllvm", "-gsplit", "-gcc-toolchain"}
	plainLinker   = []string{"-soname", "--soname", "-h", "-rpath", "--rpath", "--enable-new-dtags", "--disable-new-dtags", "-z", "--as-needed", "--no-as-needed", "--no-undefined", "--allow-shlib-undefined", "-s", "-S", "--strip-all", "--strip-debug", "-Bsymbolic", "--gc-sections", "--build-id", "--exclude-libs", "--hash-style", "-E", "--export-dynamic", "--whole-archive", "--no-whole-archive", "--start-group", "--end-group"}
	plainNvlink   = []string{"--suppress", "-suppress", "--verbose", "-v", "-w", "--disable-warnings", "-Werror", "--maxrregcount", "-maxrregcount", "-O"}
	takesName     = []string{"-soname", "--soname", "-h", "-rpath", "--rpath", "-z", "--exclude-libs"}
)
