package build

import (
	"slices"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/gpu"
	"cupel/internal/nvcc"
)

// own is what the rows of per-file say of one source.
type own struct {
	defines, flags []string
	archs          []gpu.Arch
	min            []*contract.CC
	optional       bool
}

// perFile adds up the rows that name a file; of several lists of targets the last counts.
func (s set) perFile(source string) own {
	var o own
	for _, row := range s.PerFile {
		if !names(row, source) {
			continue
		}
		o.defines, o.flags = append(o.defines, row.Defines...), append(o.flags, row.Flags...)
		if len(row.Archs) > 0 {
			o.archs = archsOf(row.Archs)
		}
		if row.MinArch != nil {
			o.min = append(o.min, row.MinArch)
		}
		o.optional = o.optional || row.Optional
	}
	return o
}

// oneValue is a value that nvcc does not take apart: it reads commas as the ends of values, but for those with a backslash and
// those between quotes (11.8, 12.4, 13.0).
func oneValue(text string) string {
	if strings.ContainsAny(text, `"\\`) {
		return text
	}
	return strings.ReplaceAll(text, ",", `\,`)
}

// oneFolder: in lists of folders a comma is part of a name between double quotes alone, and nvcc takes them away (11.8, 12.4, 13.0).
func oneFolder(dir string) string {
	if strings.Contains(dir, ",") {
		return `"` + dir + `"`
	}
	return dir
}

// names: the row is about a file.
func names(row contract.KernelFile, source string) bool {
	return slices.ContainsFunc(row.Sources, func(g contract.Glob) bool { return g.Has(source) })
}

// nvcc is the part of a call that is alike for every kind of output.
func (p *planner) nvcc(s *set, o own) []string {
	argv := p.driver()
	flags := slices.Concat(s.Flags, o.flags)
	if std := p.job.Requirements.Host.Std; std != "" && !slices.ContainsFunc(flags, isStd) {
		argv = append(argv, "-std="+std)
	}
	for _, dir := range s.Includes {
		argv = append(argv, "-I"+oneFolder(p.style.Clean(string(dir))))
	}
	for _, d := range slices.Concat(s.Defines, o.defines) {
		argv = append(argv, "-D"+oneValue(d))
	}
	argv = append(argv, flags...)
	return slices.Concat(argv, passed(p.hostFlags(s)), s.relocatable())
}

// driver is nvcc with the host compiler it is to use.
func (p *planner) driver() []string {
	argv := []string{p.job.Tools.Nvcc}
	if p.job.Tools.Compiler != "" {
		argv = append(argv, "-ccbin", p.job.Tools.Compiler)
	}
	if p.style.Windows() && p.job.Tools.LocalEnv {
		argv = append(argv, "--use-local-env")
	}
	return argv
}

func isStd(flag string) bool {
	return strings.HasPrefix(flag, "-std") || strings.HasPrefix(flag, "--std")
}

// hostFlags are those for the host compiler's family.
func (p *planner) hostFlags(s *set) []string {
	flags := p.familyFlags(s)
	if slices.Contains(flags, "-fPIC") {
		return flags
	}
	return append(p.anywhere(s), flags...)
}

func (p *planner) familyFlags(s *set) []string {
	return map[string][]string{"gcc": s.FlagsGCC, "clang": s.FlagsClang, "msvc": s.FlagsMSVC}[p.job.Tools.Family]
}

// linkFlags are those that the host compiler heeds when it links. cl is not the linker.
func (p *planner) linkFlags(s *set) []string {
	if p.style.Windows() {
		return nil
	}
	return aboutLinking(p.familyFlags(s))
}

// anywhere: a library is linked into shared ones too, so its code can lie anywhere. On Windows all code does.
func (p *planner) anywhere(s *set) []string {
	if p.style.Windows() || !s.has("static", "shared") {
		return nil
	}
	return []string{"-fPIC"}
}

// passed hands options on; nvcc would take a comma as the end of one.
func passed(flags []string) []string {
	var out []string
	for _, f := range flags {
		out = append(out, "-Xcompiler", strings.ReplaceAll(f, ",", `\,`))
	}
	return out
}

// link puts the objects of a kernel together.
func (p *planner) link(s set) {
	base := PlannedCall{Kernel: s.Name, Inputs: s.objects, Archs: s.code.names(""), Library: p.library(s), RDC: s.RDC || s.DeviceLink, Optional: s.Optional}
	if s.DeviceLink && s.has("static", "object") {
		call := base
		call.Kind, call.Stage, call.Asked = "device-link", stageDeviceLink, s.has("object")
		folder := []string{s.Name}
		if !call.Asked {
			folder = append(folder, "objects")
		}
		call.Out = p.out(append(folder, p.library(s)+"-device-link"+p.ending("object"))...)
		call.Argv = slices.Concat(p.driver(), []string{"-dlink"}, s.code.linked(), s.linking(), passed(p.anywhere(&s)), []string{"-o", call.Out}, s.objects)
		p.calls = append(p.calls, call)
	}
	if s.has("static") {
		call := base
		call.Kind, call.Stage, call.Asked = "static", stageLibrary, true
		if s.DeviceLink {
			call.Inputs = append(slices.Clone(s.objects), p.calls[len(p.calls)-1].Out)
		}
		call.Out = p.out(s.Name, p.prefix()+p.library(s)+p.ending("static"))
		call.Argv = slices.Concat(p.driver(), []string{"-lib", "-o", call.Out}, call.Inputs)
		p.calls = append(p.calls, call)
	}
	if s.has("shared") {
		call := base
		call.Kind, call.Stage, call.Asked = "shared", stageLibrary, true
		call.Out = p.out(s.Name, p.prefix()+p.library(s)+p.ending("shared"))
		call.Argv = slices.Concat(p.driver(), []string{"-shared"}, s.code.linked(), s.relocatable(), s.linking(), passed(p.linkFlags(&s)), p.importLibrary(s, call.Out), []string{"-o", call.Out}, s.objects)
		p.calls = append(p.calls, call)
	}
}

// linking are the words among a kernel's options that a link heeds: libraries and their folders, the run time, what host compiler
// and linkers are told about linking, and what nvcc is told to pass on without knowing it.
func (s set) linking() (words []string) {
	read := nvcc.Parse(s.Flags)
	for _, g := range read.Given {
		switch role := g.Role(); {
		case g.Name == "compiler-options":
			words = append(words, passed(aboutLinking(g.Values))...)
		case role == nvcc.Link || role == nvcc.HostCompiler:
			words = append(words, s.Flags[g.At:g.At+g.N]...)
		}
	}
	if read.Has("forward-unknown-to-host-compiler", "forward-unknown-to-host-linker", "forward-unknown-opts") {
		words = append(words, read.Unknown...)
	}
	return words
}

// importLibrary gives the import library of a DLL a name of its own where the static library has the usual one.
func (p *planner) importLibrary(s set, dll string) []string {
	if !p.style.Windows() || !s.has("static") {
		return nil
	}
	return []string{"-Xlinker", "/IMPLIB:" + dll + ".lib"}
}

func (p *planner) library(s set) string {
	if s.LinkName != "" {
		return s.LinkName
	}
	return s.Name
}

func (p *planner) prefix() string {
	if p.style.Windows() {
		return ""
	}
	return "lib"
}

var endings = map[bool]map[string]string{
	false: {"object": ".o", "static": ".a", "shared": ".so"},
	true:  {"object": ".obj", "static": ".lib", "shared": ".dll"},
}

func (p *planner) ending(kind string) string { return endings[p.style.Windows()][kind] }
