package emit

import (
	"fmt"
	"slices"
	"strings"
)

// depfile says in make's syntax that every output depends on every input, as make, ninja and others read it. Each input is
// also a target that needs nothing, as gcc -MP writes it: make goes on when a header is gone. Paths are whole: nobody says from
// where make or ninja will look. A second, relative target would help a rule of make's, but ninja without deps = gcc refuses a file
// with targets that its edge does not have.
func depfile(b Build) ([]byte, error) {
	var targets []string
	for _, k := range b.built() {
		for _, f := range k.Files {
			targets = append(targets, f.Path)
		}
	}
	if len(targets) == 0 { // all is excluded here, or optional and failed; ninja wants to know what that depends on
		targets = []string{b.Out}
	}
	inputs := slices.DeleteFunc(slices.Clone(b.Inputs), func(s string) bool { return slices.Contains(targets, s) })
	left, err := b.makeNames(targets, refused+"%") // in a target % makes a pattern
	if err != nil {
		return nil, err
	}
	right, err := b.makeNames(inputs, refused)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	out.WriteString(strings.Join(left, " \\\n  ") + ":")
	for _, name := range right {
		out.WriteString(" \\\n  " + name)
	}
	out.WriteString("\n")
	for _, name := range right {
		if !strings.Contains(name, "%") {
			out.WriteString("\n" + name + ":\n")
		}
	}
	return []byte(out.String()), nil
}

// refused are characters that make 4.3 gives a meaning and knows no escape for. Of the others, ninja 1.11 does not read
// & * ? ' " ` < > ^ in any form (also not in the files of gcc): there the build is run once too often, never too seldom.
const refused = ";=|\t\\"

// makeNames writes file names with the escapes that make and ninja share.
func (b Build) makeNames(files []string, refused string) ([]string, error) {
	var out []string
	for _, f := range files {
		name := b.slashed(f)
		if at := strings.IndexAny(name, refused); at >= 0 {
			return nil, fmt.Errorf("%q holds %q, which make cannot read in a file name", f, name[at])
		}
		drive := ""
		if b.OS == "windows" && len(name) > 1 && name[1] == ':' {
			drive, name = name[:2], name[2:]
		}
		out = append(out, drive+strings.NewReplacer(" ", `\ `, "#", `\#`, "$", "$$", ":", `\:`).Replace(name))
	}
	return out, nil
}
