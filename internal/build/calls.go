package build

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cupel/internal/contract"
	"cupel/internal/gpu"
	"cupel/internal/ospath"
)

// PlannedCall is one compiler call that is to be made in the project's folder.
type PlannedCall struct {
	Kernel   string
	Kind     string // ptx, cubin, fatbin, object, static, shared; device-link for what goes between
	Argv     []string
	Out      string   // the file it makes, as it stands in Argv
	Inputs   []string // files that other calls make; those of optional calls may be missing
	Source   string   // the file it compiles; empty: it links
	Arch     string   // of a file for one target alone
	Archs    []string // targets of all code in it
	Library  string   // name that programs link with
	RDC      bool     // its device code is linked: programs need cudadevrt
	Optional bool     // a failure is a notice
	Asked    bool     // the contract asks for the file
	Stage    int      // calls of one stage need nothing of each other
}

// The stages of a kernel: every file compiled, device code linked, the library put together.
const (
	stageCompile = iota
	stageDeviceLink
	stageLibrary
	stages
)

// Calls are the calls of a job, and what a person should know about them. It is pure.
func Calls(j Job) ([]PlannedCall, []string, error) {
	p := planner{job: j, style: ospath.For(j.Tools.Platform.OS)}
	for _, k := range j.Requirements.Contract.Kernels {
		if len(j.Only) > 0 && !slices.Contains(j.Only, k.Name) {
			continue
		}
		if j.Requirements.Platform.Is(k.ExcludeOn) {
			p.note("kernel %s is not built on %s", k.Name, j.Requirements.Platform.Name)
			continue
		}
		if err := p.kernel(k); err != nil {
			return nil, p.notes, fmt.Errorf("kernel %s: %w", k.Name, err)
		}
	}
	if err := oneOutput(p.calls); err != nil {
		return nil, p.notes, err
	}
	return p.calls, p.notes, nil
}

// oneOutput: two calls that write one file would overwrite each other. Upper and lower case are the same on Windows.
func oneOutput(calls []PlannedCall) error {
	by := map[string]PlannedCall{}
	for _, c := range calls {
		key := strings.ToLower(c.Out)
		if other, ok := by[key]; ok {
			return fmt.Errorf("kernel %s: %s is made of %s and of %s: rename one of them", c.Kernel, c.Out, other.of(), c.of())
		}
		by[key] = c
	}
	return nil
}

// of is what a call makes its file of.
func (c PlannedCall) of() string {
	if c.Source == "" {
		return "the kernel's objects"
	}
	return c.Source
}

// asFile is the name of a source that nvcc does not take for an option.
func asFile(name string) string {
	if strings.HasPrefix(name, "-") {
		return "./" + name
	}
	return name
}

// planner collects the calls of a job.
type planner struct {
	job   Job
	style ospath.Style
	calls []PlannedCall
	notes []string
}

func (p *planner) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}

func (p *planner) warn(id, format string, args ...any) {
	p.note("%s", warning(id, fmt.Sprintf(format, args...)))
}

// set is one kernel while its calls are planned.
type set struct {
	contract.Kernel
	kinds   []string
	stems   map[string]string // source → name of its outputs
	objects []string
	code    code // of the kernel as a whole
}

func (p *planner) kernel(k contract.Kernel) error {
	files := p.files(k)
	if len(files) == 0 {
		if k.Optional {
			p.note("kernel %s: no file matches its sources: it is not built", k.Name)
			return nil
		}
		if len(k.Exclude) > 0 {
			return fmt.Errorf("no file matches %s that exclude = %s leaves%s", globs(k.Sources), globs(k.Exclude), p.written(k.Name))
		}
		return fmt.Errorf("no file matches %s%s", globs(k.Sources), p.written(k.Name))
	}
	for _, row := range k.PerFile {
		if !slices.ContainsFunc(files, func(f string) bool { return names(row, f) }) {
			p.note("kernel %s: per-file: %s matches none of its sources", k.Name, globs(row.Sources))
		}
	}
	s := set{Kernel: k, kinds: k.Kinds, stems: stems(files)}
	if len(s.kinds) == 0 {
		s.kinds = []string{"object"}
	}
	for _, f := range files {
		if err := p.file(&s, f); err != nil {
			return err
		}
	}
	if len(s.objects) > 0 {
		p.link(s)
	}
	p.noteUntold(k.Name)
	return nil
}

func (p *planner) files(k contract.Kernel) []string {
	for _, s := range p.job.Sources {
		if s.Kernel == k.Name {
			return s.Files
		}
	}
	return nil
}

// written is where the contract says what a kernel is made of; empty where the command line said it.
func (p *planner) written(kernel string) string {
	c := p.job.Requirements.Contract
	at := slices.IndexFunc(c.Kernels, func(k contract.Kernel) bool { return k.Name == kernel })
	if p.job.Named || at < 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", c.At(fmt.Sprintf("kernels[%d].sources", at)))
}

func globs(list []contract.Glob) string {
	var out []string
	for _, g := range list {
		out = append(out, string(g))
	}
	return strings.Join(out, ", ")
}

// file plans everything that is made of one source.
func (p *planner) file(s *set, source string) error {
	own := s.perFile(source)
	all, left := p.targets(s, own)
	c := p.codeOf(s, left)
	optional := own.optional || s.Optional
	if c.empty() && optional {
		p.note("kernel %s: %s has no target left: it is not built", s.Name, source)
		return nil
	}
	if len(all) > 0 && len(left) == 0 {
		return fmt.Errorf("%s has no target left: all are below its min-arch", source)
	}
	if c.empty() {
		return fmt.Errorf("%s has no target that CUDA %s makes code for%s", source, p.job.Tools.Release.Short(), outgrown(left, p.job.Tools.Release))
	}
	if none := c.noCubin(); none != nil && s.has("cubin") {
		if !optional {
			return fmt.Errorf("%s: %w", source, none)
		}
		p.note("kernel %s: %s: %v: it is left out", s.Name, source, none)
	}
	s.code.join(c)
	p.noteNarrow(s, c)
	for _, o := range p.outputs(s, s.stems[source], c) {
		if err := p.literally(source, o.path); err != nil {
			return err
		}
		argv := slices.Concat(p.nvcc(s, own), p.resources(o.kind), o.options, []string{"-o", o.path, asFile(p.style.Clean(source))})
		p.calls = append(p.calls, PlannedCall{Kernel: s.Name, Kind: o.kind, Argv: argv, Out: o.path, Source: source, Arch: o.arch, Archs: c.names(o.arch), Library: p.library(*s), RDC: s.RDC || s.DeviceLink, Optional: optional, Asked: s.has(o.kind) || o.instead})
		if o.kind == "object" {
			s.objects = append(s.objects, o.path)
		}
	}
	return nil
}

// resources asks ptxas what kernels take; PTX is made without it.
func (p *planner) resources(kind string) []string {
	if !p.job.Resources || kind == "ptx" {
		return nil
	}
	return []string{"-Xptxas", "-v"}
}

// noteUntold: whoever asks what kernels take is told why no table comes.
func (p *planner) noteUntold(kernel string) {
	of := func(c PlannedCall) bool { return c.Kernel == kernel }
	if p.job.Resources && slices.ContainsFunc(p.calls, of) && !slices.ContainsFunc(p.calls, func(c PlannedCall) bool { return of(c) && c.Kind != "ptx" }) {
		p.note("kernel %s: of PTX there is no table of resources: ptxas, which tells them, is not run", kernel)
	}
}

// targets are those of one source, and what its min-arch leaves of them.
func (p *planner) targets(s *set, o own) (all, left []gpu.Arch) {
	all = p.job.targets(s.Kernel)
	if len(o.archs) > 0 {
		all = o.archs
	}
	left = all
	for _, min := range o.min {
		left = atLeast(left, min)
	}
	return all, left
}

// codeOf are targets, as far as the toolkit knows them.
func (p *planner) codeOf(s *set, targets []gpu.Arch) code {
	c, notes := codeFor(targets, p.job.Tools.Release, p.policy())
	for _, n := range notes {
		p.warn(n.id, "kernel %s: %s", s.Name, n.what)
	}
	return c
}

// policy says for which targets PTX is kept.
func (p *planner) policy() string { return p.job.Requirements.Contract.Arch.PTX }

// output is one file made of a source, and the options that ask nvcc for it.
type output struct {
	kind, path string
	options    []string
	arch       string // empty: it holds code for several
	instead    bool   // of one that was asked for and cannot be made
}

// outputs are what is made of a source, objects last.
func (p *planner) outputs(s *set, name string, c code) []output {
	var out []output
	stem := p.out(s.Name, name)
	if s.has("ptx") {
		list := c.ptxFiles(p.policy())
		p.noteLow(s, list, c)
		for _, a := range list {
			out = append(out, output{kind: "ptx", path: named(stem, a, list, ".ptx"), options: []string{"-ptx", "-arch=" + a.String()}, arch: a.String()})
		}
	}
	if s.has("cubin") {
		for _, a := range c.real {
			out = append(out, output{kind: "cubin", path: named(stem, a, c.real, ".cubin"), options: []string{"-cubin", "-arch=" + a.String()}, arch: a.String()})
		}
		if !s.has("ptx") {
			for _, a := range c.instead {
				out = append(out, output{kind: "ptx", path: named(stem, a, c.instead, ".ptx"), options: []string{"-ptx", "-arch=" + a.String()}, arch: a.String(), instead: true})
			}
		}
	}
	if s.has("fatbin") {
		out = append(out, output{kind: "fatbin", path: stem + ".fatbin", options: append([]string{"-fatbin"}, c.gencode()...)})
	}
	if s.has("static", "shared") && !s.has("object") {
		stem = p.out(s.Name, "objects", name)
	}
	if s.has("object", "static", "shared") {
		out = append(out, output{kind: "object", path: stem + p.ending("object"), options: append([]string{"-c"}, c.gencode()...)})
	}
	return out
}

// names are the targets in a file: the one it is for, or all.
func (c code) names(arch string) []string {
	if arch != "" {
		return []string{arch}
	}
	var out []string
	for _, a := range slices.Concat(c.real, c.ptx) {
		out = append(out, a.String())
	}
	return out
}

// noteLow: one PTX file for the highest target does not serve the lower ones.
func (p *planner) noteLow(s *set, files []gpu.Arch, c code) {
	if len(files) == 1 && len(c.real) > 0 && c.real[0].CC.Compare(files[0].CC) < 0 {
		p.note("kernel %s: its PTX is for %s, as arch.ptx = \"highest\" says; \"all\" makes one file for each target", s.Name, serves(files[0]))
	}
}

// noteNarrow: PTX that is kept for newer devices and that none of them can run.
func (p *planner) noteNarrow(s *set, c code) {
	if p.policy() == "highest" && len(c.ptx) == 1 && c.ptx[0].Suffix != "" && s.has("fatbin", "object", "static", "shared") {
		p.note("kernel %s: its PTX is for %s: newer ones need a target without a suffix beside it", s.Name, serves(c.ptx[0]))
	}
}

// named is a file for one target: with its name where there are several.
func named(stem string, a gpu.Arch, all []gpu.Arch, ending string) string {
	if len(all) == 1 {
		return stem + ending
	}
	return stem + "." + a.String() + ending
}

func (s set) has(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(s.kinds, k) })
}

// relocatable: linking device code together needs code that can be linked.
func (s set) relocatable() []string {
	if s.RDC || s.DeviceLink {
		return []string{"-rdc=true"}
	}
	return nil
}

func (c *code) join(o code) {
	for _, a := range slices.Concat(o.real, o.ptx) {
		c.add(a)
	}
	c.real, c.ptx = sorted(c.real), sorted(c.ptx)
}

// out is a path below the job's folder of outputs.
func (p *planner) out(parts ...string) string {
	return p.style.Join(append([]string{p.job.Out}, parts...)...)
}

// stems name the outputs of each source: its base name, or where two share one, its path in one word. Upper and lower
// case are the same on Windows, and an archive knows base names only.
func stems(files []string) map[string]string {
	out, taken := map[string]string{}, map[string]int{}
	short := func(f string) string { return strings.TrimSuffix(path.Base(f), path.Ext(f)) }
	for _, f := range files {
		taken[strings.ToLower(short(f))]++
	}
	used := map[string]bool{}
	for _, f := range files {
		stem := short(f)
		if taken[strings.ToLower(stem)] > 1 {
			stem = strings.ReplaceAll(strings.ReplaceAll(f, "/", "_"), ".", "_")
		}
		for base, n := stem, 2; used[strings.ToLower(stem)]; n++ {
			stem = fmt.Sprintf("%s-%d", base, n)
		}
		used[strings.ToLower(stem)] = true
		out[f] = stem
	}
	return out
}
