package emit

import (
	"fmt"
	"strings"
)

// pkgConfig writes one .pc file for all kernels of the project: a file for each would be several answers to one question, and
// programs link the kernels of a project together.
func pkgConfig(b Build) ([]byte, error) {
	var names []string
	for _, k := range b.built() {
		names = append(names, k.Name)
	}
	var flags []string
	if b.Toolkit.Include != "" {
		flags = append(flags, "-I"+b.slashed(b.Toolkit.Include))
	}
	cflags, err := pcFlags(flags)
	if err != nil {
		return nil, err
	}
	libs, err := pcFlags(b.flags(b.libraries()))
	if err != nil {
		return nil, err
	}
	// A version must be there; kernels have none.
	return fmt.Appendf(nil, "# Made by cupel build --emit pkg-config; do not edit.\nName: %s\nDescription: CUDA kernels: %s\nVersion: 0\nLibs:%s\nCflags:%s\n",
		pcWord(b.name()), pcWord(strings.Join(names, ", ")), libs, cflags), nil
}

// pcFlags writes arguments as pkgconf 1.8 splits them. It quotes for the shell what it says then, all but parentheses;
// variables and comments are taken out before, and quotes have no escape that other programs share.
func pcFlags(flags []string) (string, error) {
	var out strings.Builder
	for _, flag := range flags {
		if at := strings.IndexAny(flag, "()$#\"'"); at >= 0 {
			return "", fmt.Errorf("%q holds %q, which pkg-config files cannot: put the project or the toolkit elsewhere", flag, flag[at])
		}
		out.WriteByte(' ')
		for _, r := range flag {
			if strings.ContainsRune(" \t\\", r) {
				out.WriteByte('\\')
			}
			out.WriteRune(r)
		}
	}
	return out.String(), nil
}

// pcWord is text for people; a backslash at its end would take the next line in.
func pcWord(s string) string { return strings.NewReplacer("$", "_", "#", "_", `\`, "_").Replace(s) }
