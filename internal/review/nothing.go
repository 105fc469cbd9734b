package review

import (
	"fmt"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/nvcc"
)

// nothing: the build is done and nvcc compiled nothing for it.
func (j *judge) nothing(a Answer) []finding.Finding {
	if len(j.Run.Tools) == 0 && j.Run.Toolkit.Mirror == "" || j.failed() || a.Total.Compiles > 0 || a.Total.PassedBy > 0 || a.Total.Checks > 0 || a.Total.Unfinished > 0 {
		return nil
	}
	if len(j.Run.Command) > 0 && j.isCupel(j.Run.Command[0]) {
		return nil // it has a record of its own
	}
	tool := j.buildTool()
	if tool != "" && !j.builds(tool) {
		return nil // it configures, cleans or asks
	}
	f := finding.Finding{ID: NothingCompiled, Severity: finding.Info, What: "the command compiled nothing with nvcc", Where: nvcc.Paste(j.Run.Command, j.path.Windows())}
	f.Why = "everything was up to date, the part of the build that compiles CUDA code is switched off, or a cache answered (a wheel of pip, sccache)"
	if shows := j.shows(); shows != "" && tool != "" && !j.upToDate() {
		f.Severity = finding.Warning
		f.Why = shows + "; " + f.Why
	}
	f.Next = j.rebuild(tool)
	return []finding.Finding{f}
}

// upToDate says that the build tool's own words say that nothing was left to do: those of Ninja and make, or CMake's and cargo's
// last line without one of work before it.
func (j *judge) upToDate() bool {
	done, worked := false, false
	for _, line := range j.log.lines {
		worked = worked || strings.Contains(line, "] Building ") || strings.Contains(line, "   Compiling ")
		done = done || strings.Contains(line, "] Built target ") || strings.Contains(line, "    Finished ") ||
			strings.Contains(line, "ninja: no work to do") || strings.Contains(line, ": Nothing to be done for ") || strings.HasSuffix(line, " is up to date.")
	}
	return done && !worked
}

// building are the words with which the tools that have several jobs are told to build; the others build unless told otherwise.
var building = map[string][]string{
	"cargo":    {"build", "b", "run", "r", "test", "t", "bench", "install", "check", "c", "clippy", "rustc", "doc"},
	"maturin":  {"build", "develop"},
	"cmake":    {"--build"},
	"meson":    {"compile", "install", "test"},
	"pip":      {"install", "wheel"},
	"pip3":     {"install", "wheel"},
	"uv":       {"install", "build", "sync", "run", "add"},
	"setup.py": {"build", "build_ext", "install", "develop", "bdist_wheel", "bdist_egg", "editable_wheel"},
}

// resting are words with which the others are told to do something else.
var resting = []string{"clean", "distclean", "mrproper", "--version", "--help", "-h", "-n", "--dry-run", "help"}

// builds says that the command tells the tool to build.
func (j *judge) builds(tool string) bool {
	has := func(words []string) bool {
		return slices.ContainsFunc(j.Run.Command, func(arg string) bool {
			return slices.ContainsFunc(strings.Fields(arg), func(word string) bool { return slices.Contains(words, word) })
		})
	}
	if words, ok := building[tool]; ok {
		return has(words)
	}
	return !has(resting)
}

// shows says what in the project speaks of CUDA code that is compiled.
func (j *judge) shows() string {
	if c, ok := j.kernelCrate(); ok {
		return fmt.Sprintf("%s line %d locks %s %s, which starts nvcc", c.File, c.Line, c.Name, c.Version)
	}
	for _, v := range j.Project.Cache {
		if v.Name == "CMAKE_CUDA_COMPILER" && j.buildTool() == "cmake" {
			return v.File + " has a CUDA compiler"
		}
	}
	if len(j.Project.Kernels) > 0 || j.Run.Project != "" {
		return "the project has a cupel.toml"
	}
	return ""
}

// kernelCrate is a crate of the lock file that is known to start nvcc: those of the table that lose its output.
func (j *judge) kernelCrate() (fact.Crate, bool) {
	for _, c := range j.Project.Crates {
		if slices.ContainsFunc(data.Builders(), func(b data.Builder) bool { return b.Name == c.Name && b.LosesOutput }) {
			return c, true
		}
	}
	return fact.Crate{}, false
}

// buildTools are the programs that build, by their names.
var buildTools = []string{"cargo", "maturin", "cmake", "ninja", "make", "gmake", "nmake", "msbuild", "meson", "pip", "pip3", "uv", "setup.py"}

// buildTool is the first word of the command that names one, also inside of a shell's line.
func (j *judge) buildTool() string {
	for _, arg := range j.Run.Command {
		for word := range strings.FieldsSeq(arg) {
			name := strings.TrimSuffix(strings.ToLower(j.path.Base(word)), ".exe")
			if slices.Contains(buildTools, name) {
				return name
			}
		}
	}
	return ""
}

// direct says that the command is the build tool itself, so that words can be added to it.
func (j *judge) direct(tool string) bool {
	c := j.Run.Command
	return len(c) > 0 && strings.TrimSuffix(strings.ToLower(j.path.Base(c[0])), ".exe") == tool && !slices.Contains(c, "--")
}

// rebuild are the steps that make the tool compile again.
func (j *judge) rebuild(tool string) []finding.Step {
	direct := j.direct(tool)
	switch {
	case tool == "cargo" || tool == "maturin":
		return j.rebuildCargo(direct)
	case tool == "cmake" && direct:
		return []finding.Step{{Command: j.again("--clean-first"), Note: "builds everything anew"}}
	case (tool == "make" || tool == "gmake") && direct:
		return []finding.Step{{Command: j.again("-B"), Note: "builds everything anew (GNU make)"}}
	case tool == "ninja" && direct:
		return []finding.Step{{Command: nvcc.Paste(append(slices.Clone(j.Run.Command), "-t", "clean"), j.path.Windows())}, {Command: j.again()}}
	case (tool == "pip" || tool == "pip3") && direct:
		return []finding.Step{{Command: j.again("--no-cache-dir", "--force-reinstall"), Note: "takes no wheel of an earlier build"}}
	}
	return []finding.Step{{Note: "remove what the build made before, and run it again: " + j.again()}}
}

// rebuildCargo cleans the crate that has the kernels, and switches on the feature that leads to it.
func (j *judge) rebuildCargo(direct bool) []finding.Step {
	c, ok := j.kernelCrate()
	if !ok {
		return []finding.Step{{Command: "cargo clean"}, {Command: j.again()}}
	}
	crate := c.Name
	if n := len(c.Chain); n > 1 { // the one above the builder has the kernels
		crate = c.Chain[n-2]
	}
	out := []finding.Step{{Command: "cargo clean -p " + crate, Note: "cargo compiles this crate's kernels anew"}, {Command: j.again()}}
	feature, _, _ := strings.Cut(c.Feature, ",")
	if feature == "" || !direct || strings.Contains(strings.Join(j.Run.Command, " "), feature) || slices.Contains(j.Run.Command, "--all-features") {
		return out
	}
	return append(out, finding.Step{Command: j.again("--features", feature), Note: "the feature that brings " + c.Name + " in"})
}
