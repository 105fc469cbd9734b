package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/build"
	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/contract"
	"cupel/internal/environ"
	"cupel/internal/fact"
	"cupel/internal/gpu"
	"cupel/internal/host"
	"cupel/internal/probe/look"
	"cupel/internal/probe/project"
	"cupel/internal/verify"
	"cupel/internal/version"
)

// planned is a job with what it was decided from.
type planned struct {
	job    build.Job
	choice chosenEnv
	plan   build.Plan
}

// plan asks the machine, chooses toolkit and compiler, and says what is to be built.
func (b *building) plan() (planned, error) {
	var p planned
	p.plan = build.Plan{Request: b.request(), Began: time.Now(), Machine: machineWord()}
	noting := host.Note(host.Here())
	p.plan.Way = b.way(noting)
	w, err := openWorkspace(noting, "", shown)
	if broken := (brokenContract{}); errors.As(err, &broken) {
		return p, showBroken(b.cmd, broken)
	}
	if err == nil {
		err = b.asked(w.contract)
	}
	if err != nil {
		return p, err // wishes goes on without a contract that cannot be read; a build must not
	}
	p.choice, err = chooseEnvOn(b.cmd, noting, envFlags{machineFlags: b.flags.machineFlags, compiler: b.flags.compiler})
	if none := (noToolkit{}); errors.As(err, &none) {
		return p, fmt.Errorf("build: %s (see: cupel doctor, %s)", none.reason, none.install)
	}
	if err != nil {
		return p, err
	}
	p.plan.Toolkit = choice.Name(p.choice.toolkit) + " in " + p.choice.toolkit.Root
	a := look.New(noting)
	project.Ask(b.ctx, a, b.root, p.choice.contract, &p.choice.project)
	if err := b.jobOf(a, &p); err != nil {
		return p, err
	}
	if noting.Registry() || b.searched(p.choice.contract) {
		p.plan.Request = [32]byte{} // the registry, or the folder of outputs, may change unseen: the next build plans again
	}
	read, seen := noting.Paths()
	p.plan.Seen = b.notOurs(b.onDisk(seen), p.plan.Way)
	p.plan.Paths = append(b.notOurs(b.onDisk(read), p.plan.Way), filepath.Join(b.root, contractFile), filepath.Join(b.root, lockFile), filepath.Join(b.root, filepath.FromSlash(choiceFile)))
	return p, nil
}

// way are the folders from the project to the outputs, which change when those are made or deleted.
func (b *building) way(noting *host.Noting) (way []build.Folder) {
	rel, err := filepath.Rel(b.root, b.out)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return nil
	}
	dir := b.out
	for range strings.Split(rel, string(filepath.Separator)) {
		dir = filepath.Dir(dir)
		names, err := noting.List(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			way = append(way, build.FolderOn(dir, names, b.out))
		}
	}
	return way
}

// searched: sources are looked for where outputs are written, so that what comes there may be either.
func (b *building) searched(c *contract.Contract) bool {
	if c == nil || b.named() {
		return false
	}
	out, err := filepath.Rel(b.root, b.out)
	if err != nil || below(b.out, b.root) {
		return true
	}
	return filepath.IsLocal(out) && slices.ContainsFunc(c.Kernels, func(k contract.Kernel) bool {
		return slices.ContainsFunc(k.Sources, func(g contract.Glob) bool { return g.Reaches(filepath.ToSlash(out), project.Entered) })
	})
}

// notOurs leaves out the folder of outputs, which every build changes, and the way to it.
func (b *building) notOurs(paths []string, way []build.Folder) []string {
	return slices.DeleteFunc(paths, func(p string) bool {
		return below(b.out, p) || slices.ContainsFunc(way, func(f build.Folder) bool { return f.Path == p })
	})
}

// jobOf puts the job together: that of the contract, or of the files that are named.
func (b *building) jobOf(a *look.At, p *planned) error {
	c := p.choice
	platform, _ := verify.PlatformOf(c.machine, "")
	source := c.contract
	p.job = build.Job{Root: b.root, Out: b.out, Sources: c.project.Kernels, Resources: b.flags.resources, Narrowed: len(b.flags.archs) > 0, Tools: toolsOf(c.machine, c.toolkit, c.compiler, c.set)}
	if rel, err := filepath.Rel(b.root, b.out); err == nil && filepath.IsLocal(rel) {
		p.job.Out = rel // short command lines, and the same ones in every folder
	}
	if b.named() {
		source = b.contractOf(source)
		p.job.Sources = []fact.Sources{{Kernel: source.Kernels[0].Name, Files: b.files()}}
		p.job.Named = true
		p.job.Only = []string{source.Kernels[0].Name} // what is known of the contract's own stays
	} else {
		p.job.Only = b.names
	}
	p.job.Requirements = source.For(platform)
	p.job.Targets = environ.Archs(c.machine, c.toolkit, p.job.Requirements)
	p.plan.Notes = append(p.plan.Notes, families(a, c.machine, &p.job)...)
	return b.targets(p)
}

// asked: the files that are named are there, or the contract has the kernels. The machine need not be known for that, and
// what was asked wrongly is told first.
func (b *building) asked(c *contract.Contract) error {
	switch {
	case b.named():
		for _, name := range b.names {
			info, err := os.Stat(name)
			if err != nil {
				return usage("build %s: %v", name, err)
			}
			if info.IsDir() {
				return usage("build %s: that is a folder: name the files in it", name)
			}
		}
		return nil
	case c == nil:
		return usage("there is no cupel.toml here or above: name files (cupel build k.cu), or write one with cupel init")
	case len(c.Kernels) == 0:
		return usage("cupel.toml has no [[kernels]]: name files (cupel build k.cu), or add some (cupel init --dry-run shows what it finds)")
	}
	var have []string
	for _, k := range c.Kernels {
		have = append(have, k.Name)
	}
	for _, name := range b.names {
		if !slices.Contains(have, name) {
			return usage("cupel.toml has no kernel %q; it has %s", name, strings.Join(have, ", "))
		}
	}
	return nil
}

// contractOf is a contract with one kernel: the files that are named. What else a contract says, it says too.
func (b *building) contractOf(old *contract.Contract) *contract.Contract {
	made := contract.Contract{}
	if old != nil {
		made = *old
	}
	k := contract.Kernel{Name: b.flags.name, Defines: b.flags.defines, Flags: b.nvcc, Kinds: b.flags.kinds}
	if k.Name == "" {
		base := filepath.Base(b.names[0])
		k.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	for _, dir := range b.flags.includes {
		k.Includes = append(k.Includes, contract.Path(dir))
	}
	for _, f := range b.files() {
		k.Sources = append(k.Sources, contract.Glob(f))
	}
	made.Kernels = []contract.Kernel{k}
	return &made
}

func (b *building) files() []string {
	var out []string
	for _, n := range b.names {
		out = append(out, filepath.ToSlash(n))
	}
	return out
}

// targets are those of --arch, which replace the contract's, else what is in their place.
func (b *building) targets(p *planned) error {
	if len(b.flags.archs) > 0 {
		list, notes, err := archsOf(b.flags.archs, p.choice.machine, p.job.Tools.Release, p.job.Requirements.Contract.Arch)
		if err != nil {
			return err
		}
		p.plan.Notes = append(p.plan.Notes, notes...)
		p.job.Targets, p.job.Requirements = list, withoutArchs(p.job.Requirements)
	}
	p.plan.Notes = append(p.plan.Notes, stoodIn(&p.job, p.choice.machine)...)
	return nil
}

// stoodIn gives a job the targets that nobody named, with a note on each: what is built where no GPU is seen, or the toolkit's own
// default.
func stoodIn(j *build.Job, m fact.Machine) (notes []string) {
	arch, release := j.Requirements.Contract.Arch, j.Tools.Release
	if !slices.ContainsFunc(j.Requirements.Contract.Kernels, func(k contract.Kernel) bool { return len(k.Archs) == 0 }) {
		return nil
	}
	if !j.Narrowed && arch.Detect && len(gpusOf(m)) == 0 {
		var note string
		j.Targets, note = unseen(arch, j.Targets, release)
		notes = append(notes, "arch.detect: "+note)
	}
	if a := compat.DefaultArch(release); len(j.Targets) == 0 && !a.IsZero() {
		j.Targets = []gpu.Arch{a}
		notes = append(notes, fmt.Sprintf("no architecture is named: %s, the default of CUDA %s (--arch, or [arch] targets)", a, release.Short()))
	}
	return notes
}

// withoutArchs: what the command line says counts for every kernel.
func withoutArchs(r contract.Requirements) contract.Requirements {
	c := *r.Contract
	c.Kernels = slices.Clone(c.Kernels)
	for i := range c.Kernels {
		c.Kernels[i].Archs, c.Kernels[i].ArchsByToolkit = nil, nil
		c.Kernels[i].PerFile = slices.Clone(c.Kernels[i].PerFile)
		for k := range c.Kernels[i].PerFile {
			c.Kernels[i].PerFile[k].Archs = nil
		}
	}
	r.Contract = &c
	return r
}

// archsOf reads --arch: targets, native for the GPUs here, all-major and all for what the toolkit knows.
func archsOf(words []string, m fact.Machine, release version.V, arch contract.Arch) (list []gpu.Arch, notes []string, err error) {
	add := func(a gpu.Arch) {
		if !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	for _, w := range words {
		switch w {
		case "native":
			found := gpusOf(m)
			if len(found) == 0 {
				var note string
				found, note = unseen(arch, nil, release)
				notes = append(notes, "--arch native: "+note)
			}
			for _, a := range found {
				add(a)
			}
		case "all", "all-major":
			// --help of nvcc: all-major is sm_*0, and the earliest that is supported.
			for i, a := range compat.ArchsOf(release) {
				if a.Suffix == "" && (w == "all" || a.CC.Minor == 0 || i == 0) {
					add(a)
				}
			}
		default:
			a, err := gpu.ParseArch(w)
			if several := strings.FieldsFunc(w, func(r rune) bool { return r == ';' || r == ' ' }); err != nil && len(several) > 1 {
				return nil, nil, usage("--arch %q: commas separate targets: --arch %s", w, strings.Join(several, ","))
			}
			if err != nil {
				return nil, nil, usage("--arch: %v; or native, all-major, all", err)
			}
			add(a)
			if strings.HasSuffix(strings.ToLower(w), "+ptx") {
				add(a.PTX())
			}
		}
	}
	return list, notes, nil
}

// unseen is what is built for where no GPU is found, and a word on it: the contract's fallback, else its targets where they are
// to be asked, else the toolkit's default.
func unseen(arch contract.Arch, targets []gpu.Arch, release version.V) ([]gpu.Arch, string) {
	const none = "no GPU is seen here: "
	if arch.Fallback != nil {
		return []gpu.Arch{arch.Fallback.Arch}, fmt.Sprintf(none+"%s is built, the fallback of cupel.toml", arch.Fallback.Arch)
	}
	if len(targets) > 0 {
		return targets, none + "all targets of cupel.toml are built, which has no fallback"
	}
	a := compat.DefaultArch(release)
	if a.IsZero() {
		return nil, none + "nothing is named that could be built instead"
	}
	return []gpu.Arch{a}, fmt.Sprintf(none+"%s is built, the default of CUDA %s", a, release.Short())
}

func gpusOf(m fact.Machine) []gpu.Arch {
	var out []gpu.Arch
	for _, g := range m.GPUs {
		cc, err := gpu.ParseCC(g.CC.Value)
		if a := (gpu.Arch{CC: cc}); err == nil && g.CC.Known() && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}
