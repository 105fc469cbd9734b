package trial

import (
	"fmt"
	"os"
	"path/filepath"

	"cupel/internal/contract"
)

// reach bounds the walk of one pattern: the folders of a large build are many, and one file is enough.
var reach = contract.Reach{Files: 1, Listings: 50_000}

// missing are the patterns that match no file below the project's folder.
func missing(dir string, globs []contract.Glob) []string {
	var out []string
	for _, g := range globs {
		switch files, cut := g.Files(built(dir), reach); {
		case len(files) > 0:
		case cut:
			out = append(out, fmt.Sprintf("%s (not every folder was looked at: there are too many, or too deep)", g))
		default:
			out = append(out, string(g))
		}
	}
	return out
}

// built is the project's folder as a build left it: outputs and hidden folders are entered too, and links out of the
// project followed where the pattern names them, for a folder of outputs may lie on another disk.
type built string

func (b built) at(rel string) string { return filepath.Join(string(b), filepath.FromSlash(rel)) }

func (b built) Names(dir string) (names []string) {
	entries, _ := os.ReadDir(b.at(dir))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Kind: a pipe, a device or a link that leads nowhere is nothing that was built.
func (b built) Kind(rel string) contract.Kind {
	info, err := os.Stat(b.at(rel))
	switch {
	case err != nil:
		return contract.Nothing
	case info.IsDir():
		return contract.Folder
	case info.Mode().IsRegular():
		return contract.File
	}
	return contract.Nothing
}

func (b built) Enters(rel string) bool {
	info, err := os.Lstat(b.at(rel))
	return err == nil && info.IsDir()
}
