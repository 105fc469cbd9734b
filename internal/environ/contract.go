package environ

import (
	"maps"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
)

const fromContract = "cupel.toml"

// contract adds the names the project's contract asks for. A name that the set has already keeps its place and
// takes the contract's value.
func (w *writer) contract() {
	r := w.opt.Contract
	if r == nil {
		return
	}
	facts := Facts{Machine: w.m, Toolkit: &w.t, Compiler: w.opt.Compiler, Archs: w.opt.Archs, Arch: r.Contract.Arch, Root: w.opt.Root}
	table := contract.EnvTable{Names: r.Names, Vars: r.Vars}
	if w.opt.Runtime {
		table = r.Runtime
	}
	for _, word := range slices.Sorted(maps.Keys(table.Names)) {
		for _, name := range table.Names[word] {
			w.demand(name, "{"+word+"}", facts)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(table.Vars)) {
		w.demand(name, table.Vars[name], facts)
	}
	if !w.opt.Runtime {
		for _, name := range r.Contract.Arch.Env {
			w.demand(name, "{arch.list}", facts)
		}
	}
}

// demand sets a variable to a template's value, or puts it in front where the variable is a list of folders.
func (w *writer) demand(name, template string, facts Facts) {
	value, missing := facts.Fill(name, template)
	if len(missing) > 0 {
		w.note(name + " is left out: there is no value here for " + strings.Join(missing, ", ") + ", which cupel.toml asks for")
		return
	}
	i := slices.IndexFunc(w.set.Vars, func(v Var) bool { return v.Name == name })
	switch row, ok := data.VariableByName(name, w.m.System.OS); {
	case ok && row.List:
		w.front(i, name, w.path.List(value))
	case i >= 0:
		w.set.Vars[i].Value, w.set.Vars[i].Why = value, fromContract
	default:
		w.assign(name, value, fromContract)
	}
}

// front puts folders before those the set puts there already.
func (w *writer) front(i int, name string, dirs []string) {
	if i < 0 {
		w.prepend(name, dirs, fromContract)
		return
	}
	v := &w.set.Vars[i]
	for _, d := range v.Dirs {
		if !contains(w.path, dirs, d) {
			dirs = append(dirs, d)
		}
	}
	v.Dirs, v.Value = dirs, strings.Join(dirs, w.path.ListSeparator())
}

// Archs are the targets a project is built for on a machine. Where the contract says to detect them: for each GPU
// the highest of its targets that runs there (the GPU's own without targets), and its fallback without a GPU. Else
// all its targets for this release. Without a toolkit, which is one without a release, they are those of arch.targets,
// and a GPU's own is taken to be known.
func Archs(m fact.Machine, t fact.Toolkit, r contract.Requirements) []gpu.Arch {
	a := r.Contract.Arch
	targets, _ := r.Targets(choice.Release(t))
	if !a.Detect {
		return targets
	}
	if list := detected(m, t, targets); len(list) > 0 {
		return list
	}
	if a.Fallback != nil {
		return []gpu.Arch{a.Fallback.Arch}
	}
	return targets
}

func detected(m fact.Machine, t fact.Toolkit, targets []gpu.Arch) []gpu.Arch {
	if len(targets) == 0 {
		return (&writer{m: m, t: t}).gpuArchs()
	}
	var list []gpu.Arch
	for _, g := range m.GPUs {
		cc, err := gpu.ParseCC(g.CC.Value)
		if err != nil || !g.CC.Known() {
			continue
		}
		if best, ok := highest(targets, cc); ok && !slices.Contains(list, best) {
			list = append(list, best)
		}
	}
	return list
}

// highest is the target nearest to a device of those whose machine code or PTX runs on it.
func highest(targets []gpu.Arch, device gpu.CC) (best gpu.Arch, found bool) {
	for _, a := range targets {
		runs, _ := compat.Runs(a, device)
		if ptx, _ := compat.Runs(a.PTX(), device); (runs || ptx) && (!found || a.Compare(best) > 0) {
			best, found = a, true
		}
	}
	return best, found
}
