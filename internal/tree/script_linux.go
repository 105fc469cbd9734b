package tree

import (
	"slices"
	"strings"
)

// interpreters run scripts: behind one of these a wrapper called nvcc hides (Debian's nvidia-cuda-toolkit and conda
// packages have such). A python3.11 counts as python.
var interpreters = []string{"sh", "bash", "dash", "ash", "busybox", "ksh", "zsh", "python", "perl"}

func interpreter(path string) bool {
	return slices.Contains(interpreters, strings.TrimRight(base(path), "0123456789."))
}

// script is the file that an interpreter was started with; empty when it runs words of its command line. The kernel puts
// at most one option before the file: "#!/bin/bash -e".
func script(argv []string) string {
	if len(argv) > 1 && base(argv[0]) == "busybox" { // busybox sh FILE
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return ""
	}
	for _, a := range argv[1:] {
		switch {
		case !strings.HasPrefix(a, "-"):
			return a
		case !strings.HasPrefix(a, "--") && strings.ContainsAny(a, "cmo"): // -c WORDS, -m MODULE, -o OPTION, -ec WORDS
			return ""
		}
	}
	return ""
}
