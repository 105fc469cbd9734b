package rule

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// matters says that a toolkit is the active or the chosen one: what is wrong with another one is information.
func (in *Input) matters(t fact.Toolkit) bool {
	for _, p := range in.picks() {
		if p.Toolkit != nil && p.Toolkit.Home() == t.Home() {
			return true
		}
	}
	return false
}

// picks are the toolkits that count, the chosen one first.
func (in *Input) picks() []choice.Pick {
	if in.ChosenOnly {
		return []choice.Pick{in.Chosen}
	}
	return []choice.Pick{in.Chosen, in.Active}
}

// weigh keeps a severity for a toolkit that matters and makes it information for another.
func (in *Input) weigh(t fact.Toolkit, s finding.Severity) finding.Severity {
	if in.matters(t) {
		return s
	}
	return finding.Info
}

// subjects are the toolkits that matter, each once, the chosen one first.
func (in *Input) subjects() []fact.Toolkit {
	var out []fact.Toolkit
	for _, p := range in.picks() {
		if p.Toolkit != nil && (len(out) == 0 || out[0].Home() != p.Toolkit.Home()) {
			out = append(out, *p.Toolkit)
		}
	}
	return out
}

// toolkitAt finds the toolkit whose root, as found or resolved, is dir.
func (in *Input) toolkitAt(dir string) *fact.Toolkit {
	s := in.Paths()
	for i := range in.Machine.Toolkits {
		t := &in.Machine.Toolkits[i]
		if s.Same(t.Root, dir) || s.Same(t.Home(), dir) || s.Same(in.real(dir), t.Home()) {
			return t
		}
	}
	return nil
}

// owner finds the toolkit below whose root a path lies; the deepest root wins, and /usr owns only what its
// parts say.
func (in *Input) owner(path string) *fact.Toolkit {
	s := in.Paths()
	var best *fact.Toolkit
	for i := range in.Machine.Toolkits {
		t := &in.Machine.Toolkits[i]
		if t.Home() == "/usr" {
			continue
		}
		if (s.Within(path, t.Root) || s.Within(in.real(path), t.Home())) && (best == nil || len(t.Home()) > len(best.Home())) {
			best = t
		}
	}
	return best
}

// real is where links lead, as far as the probe looked.
func (in *Input) real(path string) string {
	if p, ok := in.Machine.Places[in.Paths().Clean(path)]; ok && p.Real != "" {
		return p.Real
	}
	return path
}

// exists says whether anything is at a path the probe looked at.
func (in *Input) exists(path string) bool {
	_, ok := in.Machine.Places[in.Paths().Clean(path)]
	return ok
}

func (in *Input) env(name string) string {
	v, _ := in.lookup(name)
	return v
}

func (in *Input) isSet(name string) bool {
	_, ok := in.lookup(name)
	return ok
}

// lookup finds a variable by the rules of the system: Windows names have no case.
func (in *Input) lookup(name string) (string, bool) {
	if v, ok := in.Machine.Env[name]; ok || !in.Paths().Windows() {
		return v, ok
	}
	for k, v := range in.Machine.Env {
		if strings.EqualFold(k, name) {
			return v, true
		}
	}
	return "", false
}

func (in *Input) hasDriver() bool {
	d := in.Machine.Driver
	return d.Kernel.Known() || realLibrary(d) != nil
}

// realLibrary is the first libcuda on the loader path that is no stub.
func realLibrary(d fact.Driver) *fact.DriverLibrary {
	for i, l := range d.Libraries {
		if l.Rank > 0 && !l.Stub && l.Broken == "" {
			return &d.Libraries[i]
		}
	}
	return nil
}

func parseV(s string) version.V {
	v, err := version.Parse(s)
	if err != nil {
		return version.V{}
	}
	return v
}

// short is X.Y of a toolkit's release.
func short(t fact.Toolkit) version.V { return choice.Release(t).Short() }

func name(t fact.Toolkit) string { return choice.Name(t) }

// ccs lists the compute capabilities of the GPUs here, with the GPU's name.
func (in *Input) ccs() map[gpu.CC]string {
	out := map[gpu.CC]string{}
	for _, g := range in.Machine.GPUs {
		if cc, err := gpu.ParseCC(g.CC.Value); err == nil && g.CC.Known() {
			out[cc] = g.Name
		}
	}
	return out
}

// installHint is how a toolkit comes onto this kind of machine: by cupel itself, then by others.
func (in *Input) installHint() []finding.Step {
	steps := append(in.upCommand(), in.ownInstall()...)
	steps = append(steps, command("cupel compat solve", "which release fits this machine's driver, GPU and compilers"))
	switch in.Machine.System.Platform {
	case fact.Windows:
		return append(steps, command("winget install -e --id Nvidia.CUDA", "NVIDIA's installer; needs administrator rights"))
	case fact.Jetson:
		return append(steps, command("sudo apt-get install nvidia-jetpack", "the toolkit of this JetPack"))
	}
	if id := in.Machine.System.Distro.Value.ID; id == "debian" || id == "ubuntu" {
		steps = append(steps, command("sudo apt-get install nvidia-cuda-toolkit", "the distribution's own release (Debian: component non-free)"))
	}
	return steps
}

func plural(n int, word string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}
