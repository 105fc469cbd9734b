package mirror

import (
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/environ"
	"cupel/internal/ospath"
)

// nvccNames lead builders to nvcc, whatever they think of PATH. A CMake launcher that a person set stays: it is put in front
// of CUDACXX, and the call is recorded once all the same.
var nvccNames = []struct{ name, why string }{
	{"CUDACXX", "CMake compiles through cupel's nvcc"},
	{"NVCC", "cudaforge, CuPy and makefiles compile through cupel's nvcc"},
	{"PYTORCH_NVCC", "PyTorch extensions compile through cupel's nvcc"},
}

// Redirect is an environment in which the mirror stands in the place of the real root, with the variables besides that
// lead a builder to nvcc. Folders of libraries stay the real ones: nothing that is built should hold the mirror's place.
// It is asked after Make: on Windows a name without blanks is looked for on the disk.
func (p Plan) Redirect(set environ.Set) environ.Set {
	p = p.unblanked()
	r := redirect{Plan: p, style: ospath.For(p.os)}
	out := set
	out.Vars = nil
	// environ says this where it found the toolkit's own bin on PATH; here the mirror's comes before it.
	out.Notes = slices.DeleteFunc(slices.Clone(set.Notes), func(n string) bool { return strings.HasPrefix(n, "PATH is left alone") })
	for _, v := range set.Vars {
		out.Vars = append(out.Vars, r.variable(v))
	}
	for _, n := range nvccNames {
		if n.name != "PYTORCH_NVCC" || !r.launched(p.user[n.name]) {
			out.Vars = assign(out.Vars, environ.Var{Name: n.name, Value: p.Nvcc, Kind: environ.Assign, Why: n.why, Readers: r.readers(n.name)})
		}
	}
	if major, minor, ok := strings.Cut(p.release, "."); ok && r.style.Windows() {
		minor, _, _ = strings.Cut(minor, ".")
		out.Vars = assign(out.Vars, environ.Var{Name: "CUDA_PATH_V" + major + "_" + minor, Value: p.Dir, Kind: environ.Assign,
			Why: "Visual Studio's CUDA rules take nvcc from here", Readers: r.readers("CUDA_PATH_V*")})
	}
	if !slices.ContainsFunc(out.Vars, r.isPath) {
		out.Vars = append(out.Vars, r.variable(environ.Var{Name: "PATH", Kind: environ.Prepend, Readers: r.readers("PATH")}))
	}
	return out
}

type redirect struct {
	Plan
	style ospath.Style
}

func assign(vars []environ.Var, v environ.Var) []environ.Var {
	for i := range vars {
		if vars[i].Name == v.Name {
			vars[i] = v
			return vars
		}
	}
	return append(vars, v)
}

func (r redirect) isPath(v environ.Var) bool {
	return v.Kind == environ.Prepend && strings.EqualFold(v.Name, "PATH")
}

func (r redirect) variable(v environ.Var) environ.Var {
	switch {
	case r.isPath(v):
		return r.pathList(v)
	case v.Kind == environ.Prepend, strings.HasPrefix(v.Name, "CUDNN"): // cuDNN's own root is the real one, also inside the toolkit
		return v
	case v.Name == "NVCC_PREPEND_FLAGS":
		if compiler, ok := strings.CutPrefix(v.Value, "-ccbin="); ok {
			v.Value = "-ccbin=" + r.compiler(compiler)
		}
		return v
	case slices.Contains(compilerVariables, v.Name):
		v.Value = r.compiler(v.Value)
		return v
	}
	v.Value = r.place(v.Value)
	return v
}

// pathList puts the mirror first. The real bin stays behind it where more than CUDA lies in it; DLLs are loaded from
// their real folders.
func (r redirect) pathList(v environ.Var) environ.Var {
	bin := r.style.Join(r.Root, "bin")
	dirs := slices.Clone(r.path)
	for _, d := range v.Dirs {
		if r.shared || !r.style.Same(d, bin) {
			dirs = append(dirs, d)
		}
	}
	v.Dirs, v.Value = dirs, strings.Join(dirs, r.style.ListSeparator())
	v.Why = "cupel's nvcc first"
	return v
}

// compiler is the shim of a host compiler, where it has one.
func (r redirect) compiler(path string) string {
	for _, s := range r.Shims {
		if r.style.Same(s.Real, path) && !strings.HasPrefix(s.At, ownDir) {
			return r.at(s.At)
		}
	}
	return path
}

// place is where the mirror has what lies in the real root.
func (r redirect) place(value string) string {
	switch {
	case r.style.Same(value, r.Root):
		return r.Dir
	case slices.ContainsFunc(r.fronts, func(f string) bool { return r.style.Same(value, f) }):
		return r.Nvcc
	case r.shared || !r.style.Abs(value) || !r.style.Within(value, r.Root):
		return value
	}
	return r.style.Join(r.Dir, r.style.Clean(value)[len(r.style.Clean(r.Root)):])
}

// launched: a command such as "ccache nvcc", which finds nvcc on PATH.
func (r redirect) launched(command string) bool {
	return strings.ContainsAny(command, " \t") && !r.style.Within(command, r.Root)
}

func (r redirect) readers(name string) []string {
	row, ok := data.VariableByName(name, r.os)
	if !ok {
		return nil
	}
	var tools []string
	for _, reader := range row.Readers {
		tools = append(tools, reader.Tool)
	}
	return tools
}
