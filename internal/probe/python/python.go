// Package python finds Python interpreters and the CUDA packages inside them: torch, bitsandbytes and NVIDIA's
// wheels. It reads folder layouts and small text files through the host and never starts an interpreter, which
// would take longer than the rest of the probe together. What it finds is not judged here.
package python

import (
	"context"

	"cupel/internal/fact"
	"cupel/internal/probe/look"
)

// Kinds of interpreters.
const (
	System = "system"
	Venv   = "venv"
	Conda  = "conda"
	Pyenv  = "pyenv"
)

// Options name the interpreters to look at. With none named, the active ones are taken.
type Options struct {
	Interpreters []string // paths, program names, or folders of virtual environments
	CondaEnvs    []string // names or prefixes
}

// Variables lead to an interpreter or its packages and stand in no table: a recording needs them to answer as
// the machine did.
var Variables = []string{
	"PYENV_ROOT", "PYENV_VERSION", "PY_PYTHON", "PYTHONUSERBASE", "PYTHONNOUSERSITE",
	"CONDA_EXE", "CONDA_ENVS_PATH", "CONDA_ENVS_DIRS", "MAMBA_ROOT_PREFIX",
}

// candidate is an interpreter that was named or met, before anything in it is read.
type candidate struct {
	path string
	kind string // "" when only its folder can tell
	err  error  // why it cannot be looked at
}

// Survey looks at the named interpreters, or else at the active ones, each once.
func Survey(ctx context.Context, at *look.At, opt Options) []fact.Python {
	candidates := named(at, opt)
	if len(opt.Interpreters)+len(opt.CondaEnvs) == 0 {
		candidates = active(at)
	}
	var out []fact.Python
	seen := map[string]bool{}
	for _, c := range candidates {
		if ctx.Err() != nil {
			break
		}
		p, key := survey(at, c)
		if !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
}

// survey also returns what makes the interpreter the same as another one: python and python3 of one
// environment are one, python3.11 and python3.12 below /usr are not.
func survey(at *look.At, c candidate) (fact.Python, string) {
	if c.err != nil {
		return fact.Python{Path: c.path, Kind: c.kind, Version: fact.Bad[string](c.path, c.err)}, c.path
	}
	in := layoutOf(at, c)
	p := fact.Python{Path: c.path, Kind: in.kind, Version: in.version}
	p.Site = sites(at, in)
	readPackages(at, &p)
	return p, at.Path.Key(in.prefix) + " " + in.short
}
