package cli

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/build"
	"cupel/internal/choice"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/nvcc"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

// toolsOf are nvcc, its host compiler and their environment. Where the call names the compiler, what names one besides is taken out:
// nvcc would warn of it, or take that one.
func toolsOf(m fact.Machine, t fact.Toolkit, named *fact.Compiler, set environ.Set) build.Tools {
	env := set.Apply(asMap(os.Environ()))
	tools := build.Tools{Nvcc: t.Parts[fact.PartNvcc], Release: choice.Release(t), Platform: platformHere()}
	if c := choice.DefaultFor(m, t); c != nil {
		tools.Family = c.Family
	}
	c := compilerOf(m, t, named)
	if named == nil && c != nil && settles(m, t, ccbinOf(env), *c) {
		c = nil
	}
	if c != nil {
		tools.Family, tools.Compiler = c.Family, c.Path
		delete(env, keyIn(env, ccbinVariable))
		for _, name := range []string{prependFlags, appendFlags} {
			withoutCcbin(env, name)
		}
	}
	tools.LocalEnv = slices.ContainsFunc(set.Vars, func(v environ.Var) bool { return strings.EqualFold(v.Name, "INCLUDE") })
	tools.Env = asList(env)
	return tools
}

// compilerOf is the compiler that nvcc must be told; nil: it takes a fitting one by itself.
func compilerOf(m fact.Machine, t fact.Toolkit, named *fact.Compiler) *fact.Compiler {
	if named != nil {
		return named
	}
	best, fits, _ := choice.FittingCompiler(m, t)
	if fits {
		return nil
	}
	return best
}

// Options that nvcc puts before and behind those of every call.
const (
	prependFlags = "NVCC_PREPEND_FLAGS"
	appendFlags  = "NVCC_APPEND_FLAGS"
	ccbinOption  = "compiler-bindir"

	ccbinVariable = "NVCC_CCBIN" // counts where no option says it
)

// keyIn is a variable as an environment spells it.
func keyIn(env map[string]string, name string) string {
	for key := range env {
		if sameName(key, name) {
			return key
		}
	}
	return name
}

// ccbinOf is the host compiler that a call's options name, with those of the environment around them: of several nvcc takes the last
// (tried with 11.8, 12.4, 13.0, 13.4).
func ccbinOf(env map[string]string, options ...string) string {
	ccbin, _ := nvcc.Parse(nvcc.WithEnv(options, env[keyIn(env, prependFlags)], env[keyIn(env, appendFlags)])).Last(ccbinOption)
	return ccbin
}

// settles: the environment names another compiler than the one that would be put in its place, and it is not known not to fit.
func settles(m fact.Machine, t fact.Toolkit, ccbin string, best fact.Compiler) bool {
	if ccbin == "" || ccbin == best.Path { // cupel env says it so
		return false
	}
	c, err := compilerNamed(m, ccbin)
	if err != nil {
		return true
	}
	fits, known, _ := choice.CompilerFits(t, *c)
	return fits || !known
}

// withoutCcbin takes the host compiler out of a variable with options, and nothing else.
func withoutCcbin(env map[string]string, name string) {
	key := keyIn(env, name)
	words := nvcc.WithEnv(nil, env[key], "")
	read := nvcc.Parse(words)
	if !read.Has(ccbinOption) {
		return
	}
	for _, g := range slices.Backward(read.Given) {
		if g.Name == ccbinOption {
			words = slices.Delete(words, g.At, g.At+g.N)
		}
	}
	if env[key] = strings.Join(words, " "); env[key] == "" {
		delete(env, key)
	}
}

// families leaves each kernel the options of one family: that of the host compiler which nvcc takes for its calls. They then stand under
// every family's name, since a job knows one.
func families(a *look.At, m fact.Machine, j *build.Job) (notes []string) {
	env, byDefault := asMap(j.Tools.Env), j.Tools.Family
	c := *j.Requirements.Contract
	c.Kernels = slices.Clone(c.Kernels)
	j.Requirements.Contract = &c
	for i := range c.Kernels {
		k := &c.Kernels[i]
		if len(k.FlagsGCC)+len(k.FlagsClang)+len(k.FlagsMSVC) == 0 {
			continue
		}
		of := func(flags []string) (family, ccbin string) {
			ccbin = hostOf(j.Tools, env, flags)
			if ccbin == "" || ccbin == j.Tools.Compiler {
				return byDefault, ccbin
			}
			return familyOf(a, m, j.Root, ccbin), ccbin
		}
		family, ccbin := of(k.Flags)
		if family == "" && ccbin != "" {
			notes = append(notes, fmt.Sprintf("kernel %s: the name of the host compiler, %s, does not tell its family: no flags-gcc, flags-clang or flags-msvc are passed on", k.Name, ccbin))
		}
		for _, row := range k.PerFile {
			if other, ccbin := of(slices.Concat(k.Flags, row.Flags)); other != family {
				notes = append(notes, fmt.Sprintf("kernel %s: per-file names another host compiler, %s: what it is passed are the flags of the kernel's own", k.Name, ccbin))
			}
		}
		own := map[string][]string{"gcc": k.FlagsGCC, "clang": k.FlagsClang, "msvc": k.FlagsMSVC}[family]
		k.FlagsGCC, k.FlagsClang, k.FlagsMSVC = own, own, own
		if j.Tools.Family == "" {
			j.Tools.Family = family
		}
	}
	return notes
}

// hostOf is the host compiler that is named for a call with those options; empty: nvcc takes its default.
func hostOf(t build.Tools, env map[string]string, options []string) string {
	if t.Compiler != "" {
		options = slices.Concat([]string{"-ccbin", t.Compiler}, options)
	}
	ccbin := ccbinOf(env, options...)
	if ccbin == "" && readsCcbin(t.Release) {
		ccbin = env[keyIn(env, ccbinVariable)]
	}
	return ccbin
}

// readsCcbin: the table says up to which release nvcc does not look at the variable.
func readsCcbin(release version.V) bool {
	row, _ := data.VariableByName(ccbinVariable, runtime.GOOS)
	last, err := version.Parse(row.NotIn)
	return err != nil || last.Less(release.Short())
}

var familyNames = []struct {
	family string
	is     *pattern.Pattern
}{
	{"clang", pattern.New(`clang`)}, // before g++: clang++ ends like it
	{"gcc", pattern.New(`(^|-)(gcc|g\+\+)(-\d+(\.\d+)*)?$`)},
	{"msvc", pattern.New(`(?i)^cl(\.exe)?$`)},
}

// familyOf is the family of what nvcc starts for a -ccbin: a program, one on PATH, or the default one in a folder. It is told by the names
// of the program and of what it is a link to; empty: they tell none.
func familyOf(a *look.At, m fact.Machine, root, ccbin string) string {
	if c, err := compilerNamed(m, ccbin); err == nil {
		return c.Family
	}
	path := ccbin
	if !a.Path.Abs(path) {
		path = a.Path.Join(root, path) // where calls run
	}
	switch {
	case a.IsDir(path):
		path = a.Path.Join(path, map[bool]string{true: "cl.exe", false: "gcc"}[a.Path.Windows()])
	case !strings.ContainsAny(ccbin, `/\`):
		path = cmp.Or(a.Which(ccbin), ccbin)
	}
	for _, name := range []string{a.Path.Base(a.Real(path)), a.Path.Base(path)} {
		for _, f := range familyNames {
			if f.is.MatchString(name) {
				return f.family
			}
		}
	}
	return ""
}
