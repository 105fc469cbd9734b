// Package recipe says what the result of a compiler call depends on: the options that matter, in order, the source, the
// folders in which headers are looked for, the variables that are read. Or why that cannot be said: then the call is made
// and nothing is remembered. It reads no file. The shim uses it, so it leans on little.
package recipe

import (
	"cupel/internal/digest"
	"cupel/internal/nvcc"
)

// Recipe is one compiler call whose result may be remembered: one source, compiled.
type Recipe struct {
	Kind       string   // ptx, cubin, fatbin, object
	Source     string   // as it was written
	Outputs    []Output // what it writes: the file it was asked for first
	Words      []string // options that matter, as they were written, without names of outputs that change nothing
	Search     []Folder // where headers are looked for, in order, as far as options and variables say
	Included   []string // names of -include, cuda_runtime.h first: looked for in the working folder, then as "quoted" ones are
	HostFirst  []string // those of them that the host compiler reads once more, before the code that nvcc wrote for it (-Xcompiler -include)
	Ccbin      string   // of -ccbin, the last one; empty: NVCC_CCBIN or what nvcc finds
	Archs      []string // as they were written, each once
	DirMatters string   // why the working folder is part of the result (-g, -rdc=true …); empty: it is not, but see Private
	NameInside bool     // the name of the folder for files on the way gets into the output (-g)
	Lines      bool     // the files that lines of code are said to be of are read or looked at (-lineinfo, -G)
	OwnName    bool     // the name of an output gets into one, so it must be written where it is to be, or TargetName says otherwise
	TargetName bool     // it gets into a file for make alone, as the target, and -MT can say it
	Variables  []string // whose values are part of the key
}

// Output is a file that the call writes.
type Output struct {
	Role string // main, depfile
	Path string // as it was written, or nvcc's default
}

// Folder is one place where headers are looked for. Those that nvcc and the host compiler add by themselves are not among
// them: on Linux the toolkit's include stands behind the last -I and its include/cccl behind the last -isystem.
type Folder struct {
	Path string
	Kind string // quote (-iquote), user (-I), system (-isystem), after (-idirafter)
}

// Refusal is why a call is not remembered. Reason is a slug that is counted: unknown-option, links, several-sources.
type Refusal struct {
	Reason string
	Detail string // what exactly: the option
}

func (r Refusal) Error() string {
	if r.Detail == "" {
		return r.Reason
	}
	return r.Reason + ": " + r.Detail
}

// For reads a call: all words, response files in their place, NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS put in. env gives the
// value of a variable, empty where it is not set. windows says for which system nvcc is.
func For(i nvcc.Invocation, env func(name string) string, windows bool) (Recipe, *Refusal) {
	b := reading{call: i, env: env, windows: windows}
	for _, step := range []func() *Refusal{b.phase, b.source, b.outputs, b.options, b.variables} {
		if refused := step(); refused != nil {
			return Recipe{}, refused
		}
	}
	b.folders()
	return b.Recipe, nil
}

// Walk tells what the options say, in order.
func (r Recipe) Walk(w digest.Writer) {
	w.Field("kind", r.Kind)
	w.Field("source", r.Source)
	w.Field("options", r.Words...)
}

// Kept are the arguments with which a call leaves all files on the way in a folder, which must be there. Ask Keepable
// about its name first.
//
// What of them tells the files that were read, for a source k.cu (11.8 to 13.4, nvcc.exe 13.0 too):
//
//	-ptx, -cubin, -fatbin, one architecture: k.cpp1.ii
//	the same with several, one virtual architecture each: k.compute_80.cpp1.ii, k.compute_90.cpp1.ii …
//	objects: those, and k.cpp4.ii, the host's
//
// The results are those of the call without it, but for three names. Objects have k.cudafe1.cpp inside, where plain nvcc
// writes tmpxft_PID_…: only with --keep are two runs alike. So have cubins of -G. And messages that name a file on the way
// (ptxas on a line of PTX) name it in that folder; cl prints k.cudafe1.cpp.
func Kept(args []string, dir string) []string {
	return append([]string{"--keep", "--keep-dir", dir}, args...)
}
