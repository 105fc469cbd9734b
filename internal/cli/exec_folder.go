package cli

import (
	"strings"

	"cupel/internal/call"
	"cupel/internal/fact"
	"cupel/internal/probe/look"
	"cupel/internal/probe/project"
)

// folderFlags stand before the build folder on the command lines of CMake, Ninja and make.
var folderFlags = []string{"--build", "-B", "-C"}

// buildFolders are the folders that a command names as its own.
func buildFolders(at *look.At, run call.Run) []string {
	var out []string
	for i, word := range run.Command {
		for _, flag := range folderFlags {
			dir := ""
			switch {
			case word == flag && i+1 < len(run.Command):
				dir = run.Command[i+1]
			case strings.HasPrefix(word, flag+"="):
				dir = word[len(flag)+1:]
			case !strings.HasPrefix(flag, "--") && strings.HasPrefix(word, flag):
				dir = word[len(flag):]
			}
			if dir != "" && !at.Path.Abs(dir) {
				dir = at.Path.Join(run.Dir, dir)
			}
			if dir != "" && at.IsDir(dir) {
				out = append(out, at.Path.Clean(dir))
			}
		}
	}
	return out
}

// ownCaches leaves the CMake caches of the folders that the command names alone, where it names any: another folder's
// cache decides nothing.
func ownCaches(at *look.At, run call.Run, p fact.Project) fact.Project {
	folders := buildFolders(at, run)
	if len(folders) == 0 {
		return p
	}
	p.Cache = nil
	for _, dir := range folders {
		p.Cache = append(p.Cache, project.Cache(at, dir)...)
	}
	return p
}
