package review

import (
	"slices"
	"strings"

	"cupel/internal/diagnose"
	"cupel/internal/finding"
)

// here fits a finding to a call of this very run: it was made on this machine and in exec's environment.
func (j *judge) here(w *work, f *diagnose.Finding) {
	onThisMachine(f)
	if compiler, ok := w.read.Last("compiler-bindir"); ok && slices.Contains(ofCompiler, f.Label) && w.Begin.Changes == nil {
		f.Why = "The call itself names its host compiler (-ccbin " + compiler + "), which counts before NVCC_CCBIN and PATH. " + strings.ReplaceAll(f.Why, " nvcc starts plain gcc from PATH, whatever CC and CXX say.", "")
		step := finding.Step{Note: "take -ccbin " + compiler + " out of the flags that the project gives nvcc: cupel exec names a compiler that fits"}
		installs := func(s finding.Step) bool { return strings.HasPrefix(s.Command, "sudo ") } // the plain one is there: it is not asked
		f.Next = append([]finding.Step{step}, slices.DeleteFunc(slices.Clone(f.Next), installs)...)
	}
}

// ofCompiler are the causes that a host compiler is.
var ofCompiler = []string{"host-compiler-too-new", "host-compiler-too-old", "host-compiler-missing", "host-compiler-not-accepted"}

// noNvcc: exec put the shim first on PATH, so a build that finds no nvcc has a PATH of its own.
func (j *judge) noNvcc(f *diagnose.Finding) {
	if f.Label != "nvcc-not-found" || j.Run.Toolkit.Mirror == "" {
		return
	}
	shim := j.path.Join(j.Run.Toolkit.Mirror, "bin", j.path.Program("nvcc"))
	f.Why = "cupel exec puts " + j.path.Dir(shim) + " first on PATH: a program on the way (env -i, sudo, a container, a script that sets PATH) put another PATH in its place."
	f.Machine = nil
	f.Next = []finding.Step{{Note: "find what sets PATH anew and let it keep what it was given, or give the build the program itself: " + shim}}
}

// onThisMachine takes out what only helps with a log from elsewhere, and steps that exec has taken already.
func onThisMachine(f *diagnose.Finding) {
	if f.Machine != nil && f.Machine.State == diagnose.NotSeen {
		f.Machine = nil
	}
	taken := func(s finding.Step) bool {
		return strings.HasPrefix(s.Command, `eval "$(cupel env`) || strings.HasPrefix(s.Command, "cupel env ") || strings.Contains(s.Command, "command -v nvcc") || strings.Contains(s.Command, "Get-Command nvcc")
	}
	if slices.ContainsFunc(f.Next, func(s finding.Step) bool { return !taken(s) }) {
		f.Next = slices.DeleteFunc(slices.Clone(f.Next), taken)
	}
}

// killed: the output says that a tool was killed, which mostly means that memory ran out; what the call had of it says that
// it did not.
func (w *work) killed(f diagnose.Finding) bool {
	return f.Label == "compile-resources-exhausted" && w.signal() == "SIGKILL" && w.End.Peak > 0 && w.End.Peak < muchMemory
}
