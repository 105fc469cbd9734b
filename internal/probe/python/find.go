package python

import (
	"errors"
	"fmt"
	"strings"

	"cupel/internal/probe/look"
)

// named turns what the user asked for into candidates. A name that leads nowhere stays, with the reason.
func named(at *look.At, opt Options) []candidate {
	var out []candidate
	for _, name := range opt.Interpreters {
		out = append(out, interpreter(at, name))
	}
	for _, name := range opt.CondaEnvs {
		out = append(out, condaEnv(at, name))
	}
	return out
}

func interpreter(at *look.At, name string) candidate {
	if !strings.ContainsAny(name, `/\`) {
		for _, p := range at.WhichAll(name) {
			if c := followShim(at, p); c.path != "" {
				return c
			}
		}
	}
	path := name
	if !at.Path.Abs(path) {
		path = at.Path.Join(at.System.Cwd, name)
	}
	info, err := at.Stat(path)
	switch {
	case err != nil:
		return candidate{path: path, err: errors.New(look.Reason(err))}
	case !info.Dir:
		if c := followShim(at, path); c.path != "" {
			return c
		}
		return candidate{path: path, err: errors.New("a pyenv shim, and pyenv is set to the system's Python")}
	}
	if p := inPrefix(at, path); p != "" {
		return candidate{path: p}
	}
	return candidate{path: path, err: errors.New("a folder without a python program in it")}
}

// inPrefix is the interpreter of an environment's folder.
func inPrefix(at *look.At, prefix string) string {
	if at.Path.Windows() {
		return at.FirstFile(at.Path.Join(prefix, "Scripts", "python.exe"), at.Path.Join(prefix, "python.exe"))
	}
	return at.FirstFile(at.Path.Join(prefix, "bin", "python3"), at.Path.Join(prefix, "bin", "python"))
}

// active is what a build started here would use: the environment that was entered, the first on PATH and, on
// Windows, what the py launcher starts.
func active(at *look.At) []candidate {
	out := entered(at, "VIRTUAL_ENV", Venv)
	out = append(out, entered(at, "CONDA_PREFIX", Conda)...)
	if c, ok := onPath(at); ok {
		out = append(out, c)
	}
	if at.Path.Windows() {
		out = append(out, launched(at)...)
	}
	return out
}

func entered(at *look.At, variable, kind string) []candidate {
	prefix := at.Env(variable)
	if prefix == "" {
		return nil
	}
	if p := inPrefix(at, prefix); p != "" {
		return []candidate{{path: p, kind: kind}}
	}
	// conda makes environments without Python too; a virtual environment without it is broken.
	if kind == Conda && at.IsDir(at.Path.Join(prefix, "conda-meta")) {
		return nil
	}
	return []candidate{{path: prefix, kind: kind, err: fmt.Errorf("%s names this folder; there is no python in it", variable)}}
}

// onPath is the first python3 or python of PATH, whichever folder comes first.
func onPath(at *look.At) (candidate, bool) {
	for _, dir := range at.SearchDirs() {
		for _, name := range []string{"python3", "python"} {
			p := at.Path.Join(dir, at.Path.Program(name))
			if isStoreAlias(at, dir) {
				continue
			}
			info, err := at.Stat(p)
			if err != nil || info.Dir || !info.Exec {
				continue
			}
			if c := followShim(at, p); c.path != "" {
				return c, true
			}
		}
	}
	return candidate{}, false
}

// isStoreAlias: Windows puts an empty python.exe there that opens the Store.
func isStoreAlias(at *look.At, dir string) bool {
	return at.Path.Windows() && strings.HasSuffix(at.Path.Key(dir), `\microsoft\windowsapps`)
}
