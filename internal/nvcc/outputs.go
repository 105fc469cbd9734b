package nvcc

import (
	"slices"
	"strings"
)

// Suffixes that nvcc knows, in their exact case (a.CU is refused). With -x every input is a source of that language.
var (
	cudaSuffixes   = []string{".cu"}
	deviceSuffixes = []string{".ptx", ".cubin", ".fatbin", ".gpu", ".ltoir"}
	sourceSuffixes = []string{".cu", ".c", ".cc", ".cxx", ".cpp", ".i", ".ii", ".s", ".S"}
)

// step is a phase and what it makes: one file for each input that it takes, or one for all of them.
type step struct {
	option string
	suffix string
	takes  []string // suffixes; nil: it makes one file of all inputs
	whole  string   // the name of that file
}

// steps are the phases in the order in which nvcc heeds them: of several options the first of this list counts, whatever
// their order on the command line.
var steps = []step{
	{option: "optix-ir", suffix: ".optixir", takes: cudaSuffixes},
	{option: "ltoir", suffix: ".ltoir", takes: cudaSuffixes},
	{option: "ptx", suffix: ".ptx", takes: cudaSuffixes},
	{option: "cubin", suffix: ".cubin", takes: []string{".cu", ".gpu", ".ptx"}},
	{option: "fatbin", suffix: ".fatbin", takes: []string{".cu", ".gpu", ".ptx", ".cubin"}},
	{option: "cuda", suffix: ".cu.cpp.ii", takes: cudaSuffixes},
	{option: "compile", takes: sourceSuffixes},
	{option: "device-c", takes: []string{".cu", ".c", ".cc", ".cxx", ".cpp", ".i", ".ii", ".s", ".S", ".ptx"}},
	{option: "device-w", takes: sourceSuffixes},
	{option: "device-link", whole: "a_dlink"},
	{option: "lib", whole: "a"},
}

// Outputs are the files that the call writes, as far as its options tell: what it was asked for, the file of dependencies,
// the file of --time. Files on the way (--keep) are not among them. windows says which suffixes are the defaults; what cl and
// link add to a name without one is not known here.
func (i Invocation) Outputs(windows bool) []string {
	if i.Queries() || i.Has("clean-targets") {
		return nil
	}
	out, named := i.Last("output-file")
	if out == "-" { // standard output
		out, named = "", true
	}
	var list []string
	switch {
	case i.Has("generate-dependencies", "generate-nonsystem-dependencies"):
		if file, ok := i.Last("dependency-output"); ok && !named { // with both, -o is the one that is written
			out = file
		}
		list = append(list, out)
	case i.Has("preprocess"):
		list = append(list, out)
	case len(i.Inputs) == 0: // but --host-linker-script=gen-lcs writes without one
		list = append(list, out)
	default:
		if named {
			list = append(list, i.named(out)...)
		} else {
			list = append(list, i.defaults(windows)...)
		}
		list = append(list, i.depfiles(out, windows)...)
	}
	if file, ok := i.Last("time"); ok {
		list = append(list, file)
	}
	list = slices.DeleteFunc(list, func(name string) bool { return name == "" })
	slices.Sort(list)
	return slices.Compact(list)
}

// named is -o, unless nothing among the inputs leads to it: nvcc -ptx m.cpp makes no file.
func (i Invocation) named(out string) []string {
	s := i.step()
	if s.takes != nil && !slices.ContainsFunc(i.Inputs, func(in string) bool { return i.taken(s, in) }) {
		return nil
	}
	return []string{out}
}

func (i Invocation) defaults(windows bool) (list []string) {
	s := i.step()
	object := ".o"
	if windows {
		object = ".obj"
	}
	if s.suffix == "" {
		s.suffix = object
	}
	if s.takes != nil {
		for _, in := range i.Inputs {
			if i.taken(s, in) {
				list = append(list, i.place(stem(base(in, windows))+s.suffix))
			}
		}
		return list
	}
	switch {
	case s.option == "lib" && windows:
		s.suffix = ".lib"
	case s.option == "lib":
		s.suffix = ".a"
	case s.option == "" && windows:
		s.suffix = ".exe" // of a shared library too
	case s.option == "":
		s.suffix = ".out"
	}
	return append(list, i.place(s.whole+s.suffix))
}

// step is the phase that counts. Device linking gives a cubin, a fatbin or, of link-time optimisation, PTX when asked to.
func (i Invocation) step() step {
	linked := i.Has("device-link")
	for _, s := range steps {
		switch {
		case !i.Has(s.option):
		case linked && (s.option == "cubin" || s.option == "fatbin"):
			return step{option: "device-link", whole: "a_dlink", suffix: s.suffix}
		case linked && s.option == "ptx" && i.Has("dlink-time-opt", "lto"):
			return step{option: "device-link", whole: "a_dlink.dlto", suffix: s.suffix} // --help on -dlto
		default:
			return s
		}
	}
	return step{whole: "a"}
}

func (i Invocation) taken(s step, input string) bool {
	return i.Has("x") || slices.Contains(s.takes, suffix(input))
}

// depfiles are those of -MD and -MMD.
func (i Invocation) depfiles(out string, windows bool) (list []string) {
	if !i.Has("generate-dependencies-with-compile", "generate-nonsystem-dependencies-with-compile") {
		return nil
	}
	if file, ok := i.Last("dependency-output"); ok {
		return []string{file}
	}
	if out != "" {
		name := base(out, windows)
		return []string{out[:len(out)-len(name)] + stem(name) + ".d"}
	}
	for _, in := range i.Inputs {
		if i.source(in) {
			list = append(list, i.place(stem(base(in, windows))+".d"))
		}
	}
	return list
}

// place puts a default name into the output folder; a name given with -o stays where it is.
func (i Invocation) place(name string) string {
	dir, ok := i.Last("output-directory")
	if !ok || dir == "" {
		return name
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}

// Source is the first source file, for naming a call; without one the first file for the device, then the first input.
func (i Invocation) Source() string {
	for _, fits := range []func(string) bool{i.source, func(in string) bool { return slices.Contains(deviceSuffixes, suffix(in)) }, func(string) bool { return true }} {
		if at := slices.IndexFunc(i.Inputs, fits); at >= 0 {
			return i.Inputs[at]
		}
	}
	return ""
}

func (i Invocation) source(input string) bool {
	return i.Has("x") || slices.Contains(sourceSuffixes, suffix(input))
}

func base(path string, windows bool) string {
	if windows {
		return path[strings.LastIndexAny(path, `/\:`)+1:]
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

func stem(name string) string { return strings.TrimSuffix(name, suffix(name)) }

// suffix is the last dot of a name and what follows it.
func suffix(name string) string {
	at := strings.LastIndexByte(name, '.')
	if at < 0 || strings.ContainsAny(name[at:], `/\`) {
		return ""
	}
	return name[at:]
}
