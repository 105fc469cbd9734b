package emit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// check refuses what no format of lines can hold. File names of Linux are bytes: they need not be UTF-8, and may hold line breaks.
func check(format string, b Build) error {
	lines := !slices.Contains([]string{"json", "compile-commands"}, format)
	for _, s := range b.words(format) {
		if lines && strings.ContainsAny(s, "\n\r\x00") {
			return fmt.Errorf("%q holds a line break", s)
		}
		if format != "depfile" && !utf8.ValidString(s) {
			return fmt.Errorf("%q is not UTF-8", s)
		}
	}
	return nil
}

// words are the strings of a build that formats write.
func (b Build) words(format string) []string {
	out := slices.Concat([]string{b.Name, b.Project, b.Out, b.Toolkit.Root, b.Toolkit.Include}, b.Toolkit.LibDirs, b.Inputs, b.Variables)
	for _, k := range b.Kernels {
		out = append(out, k.Name, k.LinkName)
		for _, f := range k.Files {
			out = append(out, f.Path, f.Source)
		}
	}
	if format == "compile-commands" {
		for _, c := range b.Calls {
			out = append(append(out, c.Dir, c.Source, c.Output), c.Argv...)
		}
	}
	return out
}
