package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// The three driver rules, never one: the floor of the major (a), PTX of a newer toolkit (b), the version NVIDIA
// lists for the release (c). Jetson's driver belongs to its L4T and has no number that compares.
var driverFitRules = []Rule{
	{ID: "driver-older-than-toolkit", Severity: finding.Error, Title: "the driver is older than the toolkit's major needs (rule a, error 35)", On: noJetson, CausedBy: driverBroken, Check: ruleA},
	{ID: "ptx-newer-than-driver", About: AboutPTX, Severity: finding.Warning, Title: "PTX of the toolkit is newer than the driver can compile (rule b, error 222)", On: noJetson, CausedBy: append([]string{"driver-older-than-toolkit"}, driverBroken...), Check: ruleB},
	{ID: "driver-below-listed", Severity: finding.Info, Title: "the driver is older than the one NVIDIA lists for the toolkit (rule c)", On: noJetson,
		CausedBy: append([]string{"driver-older-than-toolkit", "ptx-newer-than-driver"}, driverBroken...), Check: ruleC},
}

// driverBroken: which toolkits a driver serves is no question while its parts do not fit each other.
var driverBroken = []string{"wsl-linux-driver", "driver-library-mismatch", "compat-library-older", "forward-compat-unsupported", "stub-libcuda-at-run"}

var noJetson = []string{fact.Linux, fact.Windows, fact.WSL2}

var gpuFitRules = []Rule{
	{ID: "gpu-newer-than-toolkit", Severity: finding.Error, Title: "a GPU is newer than the toolkit knows", Label: "arch-newer-than-toolkit", Check: gpuNewer},
	{ID: "gpu-dropped-by-toolkit", Severity: finding.Error, Title: "the toolkit no longer supports a GPU", Label: "arch-dropped-by-toolkit", Check: gpuDropped},
	{ID: "gpu-deprecated-by-toolkit", Severity: finding.Info, Title: "the toolkit warns that a GPU's architecture will go", Check: gpuDeprecated},
}

// driverFor is the driver as the tables count it: the compat library in front counts as the user-mode half.
func (in *Input) driverFor() version.V { return choice.DriverVersion(in.Machine) }

func ruleA(in *Input) []finding.Finding {
	have := in.driverFor()
	var out []finding.Finding
	for _, t := range in.subjects() {
		rel := choice.Release(t)
		floor, _ := compat.DriverFloor(rel, in.Machine.System.Platform)
		if have.IsZero() || floor.IsZero() || have.AtLeast(floor) {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("driver %s is too old for %s", have, name(t)),
			Where: in.driverSource(),
			Why:   fmt.Sprintf("programs of CUDA %d need driver %s or newer (minor-version compatibility); older ones end with error 35", rel.Major(), floor),
			Next:  []finding.Step{advice(fmt.Sprintf("upgrade the driver to %s or newer", floor))},
		}
		if other := in.served(have); other != nil {
			f.Next = append(f.Next, command(in.evalEnv("--toolkit "+short(*other).String()), fmt.Sprintf("or use %s in %s, which this driver serves", name(*other), other.Root)))
		}
		if level, _ := choice.Level(in.Machine); !level.IsZero() {
			f.Next = append(f.Next, command(fmt.Sprintf("cupel compat driver %s", have), fmt.Sprintf("which toolkits this driver serves: it supports up to CUDA %s", level)))
		}
		if fwd, ok := compat.ForwardCompat(rel, have); ok && fwd.Verdict == "works" && in.Machine.System.Platform == fact.Linux {
			f.Next = append(f.Next, forwardStep(fwd))
		}
		out = append(out, f)
	}
	return out
}

// served is the newest complete toolkit here whose programs a driver starts and whose PTX it compiles.
func (in *Input) served(driver version.V) *fact.Toolkit {
	var best *fact.Toolkit
	level, _ := choice.Level(in.Machine)
	for i := range in.Machine.Toolkits {
		t := &in.Machine.Toolkits[i]
		floor, _ := compat.DriverFloor(choice.Release(*t), in.Machine.System.Platform)
		if floor.IsZero() || driver.Less(floor) || level.Less(short(*t)) || !choice.Complete(*t) {
			continue
		}
		if best == nil || choice.Release(*best).Less(choice.Release(*t)) {
			best = t
		}
	}
	return best
}

func forwardStep(fwd compat.Forward) finding.Step {
	return advice(fmt.Sprintf("on a data-centre GPU: install %s (%s), which needs no new kernel module", fwd.Package, fwd.InstallsTo))
}

func (in *Input) driverSource() string {
	d := in.Machine.Driver
	if d.UserMode.Known() {
		return d.UserMode.Source
	}
	return d.Kernel.Source
}

func ruleB(in *Input) []finding.Finding {
	level, source := choice.Level(in.Machine)
	var out []finding.Finding
	for _, t := range in.subjects() {
		rel := short(t)
		if level.IsZero() || rel.IsZero() || !level.Less(rel) || !in.hasDriver() {
			continue
		}
		f := finding.Finding{
			What:  fmt.Sprintf("the driver supports up to CUDA %s, %s makes newer PTX", level, name(t)),
			Where: in.driverSource(),
			Why:   "machine code for this GPU runs (minor-version compatibility), but PTX is compiled by the driver and refused with error 222",
			Next: []finding.Step{
				advice("build machine code for the GPUs in use" + in.gencode() + ", not PTX alone"),
				advice(fmt.Sprintf("or upgrade the driver%s", driverHint(rel, in.Machine.System.Platform))),
			},
			Evidence: []finding.Evidence{evidence(source, "CUDA "+level.String())},
		}
		out = append(out, f)
	}
	return out
}

// gencode spells nvcc's flags for the GPUs here.
func (in *Input) gencode() string {
	var flags []string
	for _, cc := range in.capabilities() {
		flags = append(flags, fmt.Sprintf("-gencode arch=compute_%s,code=sm_%s", cc.Digits(), cc.Digits()))
	}
	if len(flags) == 0 {
		return ""
	}
	return " (" + strings.Join(flags, " ") + ")"
}

func driverHint(rel version.V, platform string) string {
	if v, ok := compat.DriverForLevel(rel, platform); ok {
		return " to " + v.String() + " or newer"
	}
	return ""
}

func ruleC(in *Input) []finding.Finding {
	have := in.driverFor()
	var out []finding.Finding
	for _, t := range in.subjects() {
		listed, _ := compat.DriverListed(choice.Release(t), in.Machine.System.Platform)
		if have.IsZero() || listed.IsZero() || have.AtLeast(listed) {
			continue
		}
		out = append(out, finding.Finding{
			What:  fmt.Sprintf("driver %s is older than the %s NVIDIA lists for %s", have, listed, name(t)),
			Where: in.driverSource(),
			Why:   "programs run within minor-version compatibility; features that need the newer driver answer \"not supported\"",
		})
	}
	return out
}

// capabilities are the compute capabilities here, lowest first: findings come in one order.
func (in *Input) capabilities() []gpu.CC {
	return slices.SortedFunc(maps.Keys(in.ccs()), gpu.CC.Compare)
}

// stillRuns is the first architecture of the device's major whose machine code a release makes: it runs on the later
// ones too. Not the nearest one: that may be a board's (sm_87), whose code is not promised to run on cards.
func stillRuns(rel version.V, cc gpu.CC) (gpu.Arch, bool) {
	var first gpu.Arch
	for _, a := range compat.ArchsOf(rel) {
		if ok, _ := compat.Runs(a, cc); ok && (first.IsZero() || a.CC.Minor < first.CC.Minor) {
			first = a
		}
	}
	return first, !first.IsZero()
}

func gpuNewer(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.subjects() {
		for _, cc := range in.capabilities() {
			product := in.ccs()[cc]
			first := compat.FirstToolkit(cc)
			rel := short(t)
			if first.IsZero() || rel.IsZero() || !rel.Less(first) {
				continue
			}
			f := finding.Finding{
				What:  fmt.Sprintf("%s (compute capability %s) is newer than %s knows", product, cc, name(t)),
				Where: t.Root,
				Why:   fmt.Sprintf("sm_%s exists from CUDA %s on; %s makes no machine code that runs on it, only PTX the driver must compile", cc.Digits(), first, name(t)),
				Next:  in.otherToolkit(first, version.V{}),
			}
			if near, ok := stillRuns(rel, cc); ok {
				f.Severity = finding.Warning
				f.Why = fmt.Sprintf("sm_%s exists from CUDA %s on; asked for it %s stops, but its code for %s runs on this GPU", cc.Digits(), first, name(t), near)
			}
			out = append(out, f)
		}
	}
	return out
}

func gpuDropped(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.subjects() {
		for _, cc := range in.capabilities() {
			product := in.ccs()[cc]
			last := compat.LastToolkit(cc)
			rel := short(t)
			if last.IsZero() || rel.IsZero() || !last.Short().Less(rel) {
				continue
			}
			out = append(out, finding.Finding{
				What:  fmt.Sprintf("%s no longer supports %s (compute capability %s)", name(t), product, cc),
				Where: t.Root,
				Why:   fmt.Sprintf("sm_%s was dropped after CUDA %s: neither machine code nor PTX for it can be made", cc.Digits(), last),
				Next:  in.otherToolkit(version.V{}, last),
			})
		}
	}
	return out
}

// fitsBetter: fewer reasons against it on this machine, then the newer one.
func (in *Input) fitsBetter(a, b fact.Toolkit) bool {
	x, y := len(choice.Fits(in.Machine, a)), len(choice.Fits(in.Machine, b))
	return x < y || x == y && choice.Release(b).Less(choice.Release(a))
}

// otherToolkit names an installed toolkit between the two bounds, else says what to get.
func (in *Input) otherToolkit(first, last version.V) []finding.Step {
	var steps []finding.Step
	var best *fact.Toolkit
	for i := range in.Machine.Toolkits {
		t := &in.Machine.Toolkits[i]
		rel := short(*t)
		if rel.IsZero() || (!first.IsZero() && rel.Less(first)) || (!last.IsZero() && last.Short().Less(rel)) || !t.Has(fact.PartNvcc) {
			continue
		}
		if best == nil || in.fitsBetter(*t, *best) {
			best = t
		}
	}
	if best != nil {
		steps = append(steps, command(in.evalEnv("--toolkit "+short(*best).String()), fmt.Sprintf("%s is installed in %s", name(*best), best.Root)))
	}
	switch {
	case len(steps) > 0:
	case !first.IsZero():
		steps = append(in.ownBetween(first, last), advice(fmt.Sprintf("install CUDA %s or newer", first)))
	default:
		steps = append(in.ownBetween(first, last), advice(fmt.Sprintf("install CUDA %s or older", last)))
	}
	return append(steps, command("cupel compat solve", "what fits this machine"))
}

func gpuDeprecated(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.subjects() {
		deprecated := compat.DeprecatedArchs(choice.Release(t))
		for _, cc := range in.capabilities() {
			product := in.ccs()[cc]
			if slices.ContainsFunc(deprecated, func(a gpu.Arch) bool { return a.CC == cc }) {
				out = append(out, finding.Finding{
					What:  fmt.Sprintf("%s warns that sm_%s (%s) will go", name(t), cc.Digits(), product),
					Where: t.Root,
					Why:   "it still compiles for it; a later release does not",
				})
			}
		}
	}
	return out
}
