package review

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/finding"
)

// otherToolkit: calls that were recorded, and made with another toolkit than the run's, through its shim.
func (j *judge) otherToolkit() []finding.Finding {
	var out []finding.Finding
	for _, path := range j.otherPaths() {
		var ids []string
		for _, w := range j.works {
			if j.elsewhereFrom(w) && j.path.Same(w.Begin.Path, path) {
				ids = append(ids, w.id())
			}
		}
		f := finding.Finding{ID: OtherToolkit, Severity: finding.Warning, Subject: path, What: fmt.Sprintf("%s used %s, not the toolkit of this run", amount(len(ids), "call"), path), Where: "call " + list(ids)}
		f.Why = fmt.Sprintf("the build calls the shim of another toolkit, which an earlier cupel exec gave it; this run's is CUDA %s in %s", j.Run.Toolkit.Release, j.Run.Toolkit.Root)
		f.Next = []finding.Step{{Note: "configure the build anew under cupel exec, in an empty build folder"}, {Command: j.show()}}
		if v, ok := j.kept(); ok {
			f.Why = fmt.Sprintf("%s keeps %s=%s, the shim of another toolkit, from the time when it was configured; this run's toolkit is CUDA %s in %s", place(v), v.Name, v.Value, j.Run.Toolkit.Release, j.Run.Toolkit.Root)
			f.Next, f.Evidence = j.obey(v), setting(v)
		} else if dir := j.cmakeFolder(path); dir != "" {
			f.Why = fmt.Sprintf("CMAKE_CUDA_COMPILER in CMakeCache.txt of %s is the shim of another toolkit, from the time when it was configured; this run's toolkit is CUDA %s in %s", dir, j.Run.Toolkit.Release, j.Run.Toolkit.Root)
			f.Next = j.obey(fact.FileValue{File: j.path.Join(dir, "CMakeCache.txt")})
		}
		out = append(out, f)
	}
	return out
}

func (j *judge) otherPaths() []string {
	var out []string
	for _, w := range j.works {
		if j.elsewhereFrom(w) && !slices.ContainsFunc(out, func(o string) bool { return j.path.Same(o, w.Begin.Path) }) {
			out = append(out, w.Begin.Path)
		}
	}
	return out
}

// kept is a setting of a file that leads to the shim of another toolkit.
func (j *judge) kept() (fact.FileValue, bool) {
	for _, v := range j.settings() {
		if j.shim(v.Value) && !j.path.Within(v.Value, j.Run.Toolkit.Mirror) {
			return v, true
		}
	}
	return fact.FileValue{}, false
}

// cmakeFolder is the build folder of CMake whose calls used a program: the one that the command names, else the folder of the
// calls, whose objects CMake puts below CMakeFiles.
func (j *judge) cmakeFolder(path string) string {
	for _, w := range j.works {
		if !j.elsewhereFrom(w) || !j.path.Same(w.Begin.Path, path) || !slices.ContainsFunc(w.outputs(), func(f string) bool { return cmakeTarget(strings.ReplaceAll(f, `\\`, "/")) != "" }) {
			continue
		}
		if at := slices.Index(j.Run.Command, "--build"); at >= 0 && at+1 < len(j.Run.Command) {
			return j.Run.Command[at+1]
		}
		return w.Begin.Dir
	}
	return ""
}
