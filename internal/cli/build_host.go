package cli

import (
	"os"
	"slices"
	"strings"

	"cupel/internal/build"
	"cupel/internal/choice"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/nvcc"
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
		delete(env, keyIn(env, "NVCC_CCBIN"))
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

// ccbinOf is the host compiler that an environment's options name: of several nvcc takes the last (tried with 11.8 to 13.4).
func ccbinOf(env map[string]string) string {
	ccbin, _ := nvcc.Parse(nvcc.WithEnv(nil, env[keyIn(env, prependFlags)], env[keyIn(env, appendFlags)])).Last(ccbinOption)
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
