package mirror

import (
	"fmt"
	"slices"
	"strings"

	"cupel/internal/environ"
	"cupel/internal/fact"
)

const (
	hostDir   = "host" // compilers that a variable names; host2 … where two of them have one name
	studioDir = "vs"   // what nvcc.exe takes for Visual Studio
)

// families are host compilers that belong together: nvcc compiles with gcc and links with g++ (dry runs of 11.8 … 13.4).
var families = [][]string{{"g++", "gcc"}, {"clang++", "clang"}, {"c++", "cc"}, {"cl"}}

// cudaTools are nvcc's own.
var cudaTools = []string{fact.PartPtxas, fact.PartCicc, "cudafe++", "fatbinary", "nvlink"}

// KnownTools are the names that Options.Tools may have on a system: nvcc's own tools, then host compilers. (Any other program
// in the bin of a toolkit is taken, too.)
func KnownTools(os string) []string {
	out := slices.Clone(cudaTools)
	for _, f := range hostFamilies(os) {
		out = append(out, f...)
	}
	return out
}

func hostFamilies(os string) [][]string {
	if os == "windows" {
		return families
	}
	return slices.DeleteFunc(slices.Clone(families), func(f []string) bool { return f[0] == "cl" })
}

// UnknownTool is the error of For for a name that no toolkit and no system has a tool for.
type UnknownTool struct {
	Tool  string
	Known []string // what could be meant
}

func (e *UnknownTool) Error() string {
	return fmt.Sprintf("%s is neither a tool of this toolkit nor a host compiler: %s can be recorded", e.Tool, strings.Join(e.Known, ", "))
}

// asked is what a person asked for, sorted and each once.
type asked struct{ cuda, hosts []string }

func (w *planner) sort(tools []string) (asked, error) {
	var a asked
	families := hostFamilies(w.os)
	for _, tool := range tools {
		tool = strings.TrimSuffix(tool, ".exe")
		family := slices.IndexFunc(families, func(f []string) bool { return slices.Contains(f, tool) })
		switch {
		case tool == "nvcc":
		case family >= 0:
			a.hosts = append(a.hosts, families[family]...)
		case w.real(tool) != "":
			a.cuda = append(a.cuda, tool)
		case slices.Contains(cudaTools, tool):
			return asked{}, fmt.Errorf("it has no %s", tool)
		default:
			return asked{}, &UnknownTool{Tool: tool, Known: KnownTools(w.os)}
		}
	}
	slices.Sort(a.cuda)
	slices.Sort(a.hosts)
	a.cuda, a.hosts = slices.Compact(a.cuda), slices.Compact(a.hosts)
	return a, nil
}

// real is a tool of the toolkit.
func (w *planner) real(tool string) string {
	if p := w.t.Parts[tool]; p != "" {
		return p
	}
	if p := w.style.Join(w.Root, "bin", w.style.Program(tool)); w.look.program(p) {
		return p
	}
	return ""
}

// compilerVariables name a host compiler; nvcc itself, CMake and make read them.
var compilerVariables = []string{"CUDAHOSTCXX", "NVCC_CCBIN", "CXX", "CC"}

// hostCompilers are the shims of host compilers: those that a name means on PATH, and those that variables name.
func (w *planner) hostCompilers(m fact.Machine, names []string, set environ.Set) []Shim {
	var out []Shim
	dirs := w.pathOf(m, set)
	for _, n := range names {
		file := w.style.Program(n)
		for _, dir := range dirs {
			if p := w.style.Join(dir, file); w.look.program(p) {
				out = append(out, w.hostShim(toolsDir, p))
				break
			}
		}
	}
	for _, name := range compilerVariables {
		p := w.value(m, set, name)
		if p == "" || !w.style.Abs(p) || !slices.Contains(names, family(w.style.Base(p))) || !w.look.program(p) {
			continue
		}
		if slices.ContainsFunc(out, func(h Shim) bool { return w.style.Same(h.Real, p) }) {
			continue
		}
		out = append(out, w.hostShim(w.free(out, w.style.Base(p)), p))
	}
	return out
}

// free is a folder in which no other compiler has the name: what a name means in it is told by one map.
func (w *planner) free(have []Shim, base string) string {
	dir := hostDir + "/bin"
	for i := 2; slices.ContainsFunc(have, func(h Shim) bool { return h.At == dir+"/"+base }); i++ {
		dir = fmt.Sprintf("%s%d/bin", hostDir, i)
	}
	return dir
}

// family is a compiler's name without version and target: x86_64-linux-gnu-g++-12 is a g++.
func family(base string) string {
	base = strings.ToLower(strings.TrimSuffix(base, ".exe"))
	for _, f := range families {
		for _, n := range f {
			for part := base; ; {
				if rest, ok := strings.CutPrefix(part, n); ok && (rest == "" || rest[0] == '-' && strings.Trim(rest, "-.0123456789") == "") {
					return n
				}
				_, after, more := strings.Cut(part, "-")
				if !more {
					break
				}
				part = after
			}
		}
	}
	return ""
}

// pathOf is PATH as the command will have it, without mirrors: exec inside of exec would find itself.
func (w *planner) pathOf(m fact.Machine, set environ.Set) []string {
	var dirs []string
	for _, v := range set.Vars {
		if v.Kind == environ.Prepend && strings.EqualFold(v.Name, "PATH") {
			dirs = append(dirs, v.Dirs...)
		}
	}
	for _, d := range m.Path {
		dirs = append(dirs, d.Dir)
	}
	return slices.DeleteFunc(dirs, func(d string) bool {
		_, mirrored := w.look.text(w.style.Join(w.style.Dir(d), rootFile))
		return mirrored == nil || !w.style.Abs(d)
	})
}

// value is what a variable will hold.
func (w *planner) value(m fact.Machine, set environ.Set, name string) string {
	for _, v := range set.Vars {
		if v.Name == name {
			return v.Value
		}
	}
	return m.Env[name]
}
