// Package probe gathers everything about a machine into one fact.Machine: it knows which part of the survey
// needs which, and runs what is independent at the same time. It reads through a host.Host only and judges
// nothing.
package probe

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/compiler"
	"cupel/internal/probe/driver"
	"cupel/internal/probe/gpus"
	"cupel/internal/probe/library"
	"cupel/internal/probe/look"
	"cupel/internal/probe/msvc"
	"cupel/internal/probe/project"
	"cupel/internal/probe/python"
	"cupel/internal/probe/rust"
	"cupel/internal/probe/system"
	"cupel/internal/probe/toolkit"
	"cupel/internal/probe/tools"
	"cupel/internal/probe/windriver"
	"cupel/internal/probe/winroots"
)

// Options say what to look at besides the machine itself.
type Options struct {
	Helper  string // path of cupel-gpu; "" when it is not there
	Dir     string // project folder; "" is the current one
	Pythons []string
	Conda   []string
	Root    string // a toolkit root that was named; looked at first

	Contract *contract.Contract // names variables, pins and sources to look up; nil: none
}

// Survey gathers the machine and the project in dir.
func Survey(ctx context.Context, h host.Host, opt Options) (fact.Machine, fact.Project) {
	a := look.New(h)
	m := fact.Machine{Format: fact.Format, System: system.Survey(a), Env: variables(a, opt.Contract.Variables()), StoredEnv: stored(a), Path: pathDirs(a)}
	dir := opt.Dir
	if dir == "" {
		dir = a.System.Cwd
	}
	var p fact.Project
	var wg sync.WaitGroup
	wg.Go(func() { p = project.Survey(ctx, a, dir); m.Rust = rust.Survey(ctx, a, p.Root) })
	wg.Go(func() { surveyDriver(ctx, a, &m, opt.Helper) })
	wg.Go(func() { surveyCompilers(ctx, a, &m) })
	wg.Go(func() { surveyToolkits(ctx, a, &m, opt) })
	wg.Go(func() { m.Tools = tools.Survey(a); m.MPS = tools.MPS(a) })
	wg.Wait()
	places(a, &m, p)
	m.Troubles = a.Troubles()
	return m, p
}

func surveyDriver(ctx context.Context, a *look.At, m *fact.Machine, helper string) {
	var files []fact.GPU
	switch m.System.OS {
	case "windows":
		m.Driver, files = windriver.Survey(ctx, a)
	case "linux":
		m.Driver = driver.Survey(a, m.System.Platform)
	default:
		return
	}
	m.GPUs = gpus.Survey(ctx, a, &m.Driver, helper, files)
}

func surveyCompilers(ctx context.Context, a *look.At, m *fact.Machine) {
	switch m.System.OS {
	case "windows":
		m.VS, m.SDKs, m.Compilers = msvc.Survey(ctx, a)
	case "linux":
		m.Compilers = compiler.Survey(ctx, a)
	}
}

// surveyToolkits comes after the interpreters, since their packages hold roots, and before the libraries,
// which may lie in a toolkit.
func surveyToolkits(ctx context.Context, a *look.At, m *fact.Machine, opt Options) {
	m.Pythons = python.Survey(ctx, a, python.Options{Interpreters: opt.Pythons, CondaEnvs: opt.Conda})
	candidates := toolkit.Candidates(a)
	if opt.Root != "" {
		candidates = append(candidates, toolkit.Asked(a, opt.Root, "--toolkit"))
	}
	for _, r := range python.Roots(a, m.Pythons) {
		candidates = append(candidates, toolkit.Candidate{Root: r.Path, How: r.How, Env: r.Env})
	}
	for _, r := range winroots.Roots(a) {
		candidates = append(candidates, toolkit.Candidate{Root: r.Path, How: r.How})
	}
	m.Toolkits = toolkit.Survey(ctx, a, candidates)
	var roots []string
	for _, t := range m.Toolkits {
		roots = append(roots, t.Home())
	}
	m.Libraries = library.Survey(ctx, a, roots, m.Pythons)
}

// variables keeps the ones that the table or the contract names, and no other: a snapshot is made to be shown
// around.
func variables(a *look.At, asked []string) map[string]string {
	out := map[string]string{}
	for _, name := range a.EnvNames() {
		if row, known := data.VariableByName(name, a.System.OS); known && !row.Private || slices.Contains(asked, name) {
			out[name] = a.Env(name)
		}
	}
	return out
}

// Known says whether a variable may go into a recording: the table names it, or the probe itself is led by it.
func Known(name, os string) bool {
	row, ok := data.VariableByName(name, os)
	return ok && !row.Private || slices.Contains(python.Variables, name)
}

const (
	systemEnv = `HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment`
	userEnv   = `HKCU\Environment`
)

// stored reads what Windows would give a new shell; the user's part wins.
func stored(a *look.At) map[string]string {
	if !a.Path.Windows() {
		return nil
	}
	out := map[string]string{}
	for _, key := range []string{systemEnv, userEnv} {
		values, err := a.RegistryValues(key)
		if err != nil {
			a.Note("the stored environment", key, err)
			continue
		}
		for name, value := range values {
			if row, ok := data.VariableByName(name, "windows"); ok && row.Kind == "toolkit-root" {
				out[name] = value
			}
		}
	}
	return out
}

func pathDirs(a *look.At) []fact.PathDir {
	var out []fact.PathDir
	for _, dir := range a.PathDirs() {
		out = append(out, pathDir(a, dir))
	}
	return out
}

// pathDir keeps the spelling of PATH; a relative folder is the one below the current folder.
func pathDir(a *look.At, dir string) fact.PathDir {
	d := fact.PathDir{Dir: dir}
	full := a.FromCwd(dir)
	if full == "" {
		return d
	}
	info, err := a.Stat(full)
	switch {
	case err == nil:
		d.Exists = info.Dir
	case !errors.Is(err, fs.ErrNotExist):
		d.Why = look.Reason(err)
	}
	if real := a.Real(full); d.Exists && !a.Path.Same(real, dir) {
		d.Real = real
	}
	return d
}
