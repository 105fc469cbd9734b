package bundle

import (
	"slices"
	"strings"

	"cupel/internal/nvcc"
)

// preprocessing are the options of a call that stay when its sources are only preprocessed, by their long names (nvcc 13.4
// --help): what the preprocessor sees or what makes its macros. Any other may write a file (--keep, -MF, --time) or ask
// for another phase.
var preprocessing = []string{
	"define-macro", "undefine-macro", "include-path", "system-include", "pre-include",
	"x", "std", "stdlib", "utf-8", "no-exceptions", "machine", "m64",
	"gpu-architecture", "gpu-code", "generate-code", "relocatable-device-code", "device-debug", "debug", "optimize", "profile",
	"use_fast_math", "ftz", "prec-div", "prec-sqrt", "fmad", "default-stream",
	"expt-relaxed-constexpr", "extended-lambda", "expt-extended-lambda", "enable-tile", "tile-only", "simt-only",
	"compiler-bindir", "allow-unsupported-compiler", "use-local-env", "force-cl-env-setup", "target-directory", "dont-use-profile",
	"forward-unknown-to-host-compiler", "forward-unknown-to-host-linker", "forward-unknown-opts",
	"disable-warnings", "Wno-deprecated-gpu-targets", "input-drive-prefix",
}

// Options of the host compiler that write files beside the output, or do something else than to preprocess into it: whole
// words, and beginnings of words.
var (
	// gcc: "Overall Options", "Preprocessor Options", "Developer Options", "Instrumentation Options"; -ftime-trace is clang's.
	unixWords  = []string{"-c", "-S", "-E", "-coverage"}
	unixBegins = []string{"-M", "-Wp,-M", "-o", "-save-temps", "-fdump", "-dump", "-ftime-trace", "-fprofile", "-ftest-coverage", "--coverage", "-fopt-info"}
	// cl: "Compiler options listed by category", output files and preprocessor. /MD is the runtime library here, /FI an include.
	clWords  = []string{"/c", "/E", "/EP", "/P", "/Zs"}
	clBegins = []string{"/Fo", "/Fd", "/Fa", "/FA", "/Fe", "/Fm", "/FR", "/Fr", "/Fp", "/Fi", "/Yc", "/doc", "/sourceDependencies", "/scanDependencies", "/ifcOutput", "/analyze:log"}
)

func writes(option string, windows bool) bool {
	words, begins := unixWords, unixBegins
	if windows {
		words, begins = clWords, clBegins
		if rest, ok := strings.CutPrefix(option, "-"); ok {
			option = "/" + rest // cl reads both
		}
	}
	return slices.Contains(words, option) || slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(option, begin) })
}

// preprocessed are the options with which the call's sources are preprocessed; left are those that were left out.
func preprocessed(args []string, windows bool) (options, left []string) {
	i := nvcc.Parse(args)
	for _, g := range i.Given {
		words := i.Args[g.At : g.At+g.N]
		switch {
		case g.Name == "compiler-options":
			keep := slices.DeleteFunc(slices.Clone(g.Values), func(o string) bool { return writes(o, windows) })
			if len(keep) > 0 {
				options = append(options, "-Xcompiler", strings.Join(keep, ","))
			}
			if len(keep) < len(g.Values) {
				left = append(left, words...)
			}
		case slices.Contains(preprocessing, g.Name):
			options = append(options, words...)
		default:
			left = append(left, words...)
		}
	}
	// What nvcc hands on to the host compiler as it is (--forward-unknown-to-host-compiler).
	for _, u := range i.Unknown {
		if writes(u, windows) {
			left = append(left, u)
		} else {
			options = append(options, u)
		}
	}
	return options, left
}

// sourceEndings are those of files that are compiled; others (objects, libraries) are only named in the call.
var sourceEndings = []string{".cu", ".c", ".cc", ".cpp", ".cxx", ".c++", ".i", ".ii", ".ptx", ".cup", ".cui", ".gpu", ".h", ".cuh", ".hpp"}

func isSource(path string) bool {
	at := strings.LastIndexByte(path, '.')
	return at >= 0 && slices.Contains(sourceEndings, strings.ToLower(path[at:]))
}

// canPreprocess: PTX has nothing to preprocess.
func canPreprocess(path string) bool {
	return slices.ContainsFunc([]string{".cu", ".c", ".cc", ".cpp", ".cxx", ".c++"}, func(end string) bool { return strings.HasSuffix(strings.ToLower(path), end) })
}
