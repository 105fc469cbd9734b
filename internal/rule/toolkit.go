package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var toolkitRules = []Rule{
	{ID: "toolkit-runtime-only", Severity: finding.Error, Title: "a toolkit has run-time libraries only, no compiler", Label: "nvcc-not-found", Check: runtimeOnly},
	{ID: "toolkit-part-unusable", Severity: finding.Error, Title: "a part of a toolkit is there and of no use", Label: "toolkit-incomplete", Check: partUnusable},
	{ID: "toolkit-incomplete", Severity: finding.Error, Title: "a toolkit lacks parts every compile needs", CausedBy: []string{"toolkit-runtime-only"}, Check: incomplete},
	{ID: "toolkit-link-parts-missing", Severity: finding.Warning, Title: "a toolkit lacks parts that linking or other tools need", Label: "toolkit-incomplete", CausedBy: []string{"toolkit-incomplete", "toolkit-runtime-only"}, Check: linkParts},
	{ID: "toolkit-pip-layout", Severity: finding.Warning, Title: "a toolkit from Python wheels: linking fails as delivered", Label: "toolkit-incomplete", On: linuxLike, Check: pipLayout},
	{ID: "toolkit-conda-layout", Severity: finding.Info, On: linuxLike, Title: "a toolkit from conda lies in targets/ and is found only through its environment", Check: condaLayout},
	{ID: "toolkit-distribution-layout", Severity: finding.Info, Title: "a distribution's toolkit is spread over /usr", On: linuxLike, Check: distributionLayout},
	{ID: "nvcc-unreadable", Severity: finding.Error, Title: "nvcc does not answer", Check: nvccUnreadable},
	{ID: "toolkit-release-unreadable", Severity: finding.Info, Title: "a toolkit's release could not be read", CausedBy: []string{"nvcc-unreadable"}, Check: releaseUnreadable},
	{ID: "host-config-unreadable", Severity: finding.Warning, Title: "a toolkit's host compiler bounds could not be read", Check: boundsUnreadable},
	{ID: "toolkit-newer-than-table", Severity: finding.Info, Title: "a toolkit has no row in cupel's tables", Check: newerThanTable},
	{ID: "nvcc-not-on-path", Severity: finding.Warning, Title: "a toolkit is here, but no nvcc is on PATH", Label: "nvcc-not-found", CausedBy: []string{"toolkit-runtime-only", "no-toolkit"}, Check: nvccNotOnPath},
	{ID: "toolkit-path-has-space", Severity: finding.Warning, Title: "a toolkit's path has a blank or a quote in it", Label: "path-characters", On: linuxLike, Check: pathCharacters},
}

// compileParts are what every compile needs; linkNeeds come after it. libdevice is not among them: cicc
// carries a copy and compiles without the file (tried with 11.8, 12.4 and 13.0).
var compileParts = []string{fact.PartPtxas, fact.PartCicc, fact.PartCudafe, fact.PartFatbinary, fact.PartRuntimeH, fact.PartCrt}

func lacks(t fact.Toolkit, parts []string) []string {
	var out []string
	for _, p := range t.Missing {
		if slices.Contains(parts, p) {
			out = append(out, p)
		}
	}
	return out
}

func runtimeOnly(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Has(fact.PartNvcc) {
			continue
		}
		f := finding.Finding{
			Severity: finding.Info,
			Subject:  t.Home(),
			What:     name(t) + " has no compiler",
			Where:    t.Root,
			Why:      "nvcc is not there: these are run-time or development libraries alone",
		}
		if in.Chosen.Toolkit == nil || !in.Chosen.Toolkit.Has(fact.PartNvcc) {
			f.Severity = finding.Error
			f.Next = in.installHint()
			if inContainer(in) {
				f.Next = append([]finding.Step{advice("build in an image with the compiler: of nvidia/cuda the -devel ones have it, -base and -runtime do not")}, f.Next...)
			}
		}
		out = append(out, f)
	}
	return out
}

// partUnusable tells of parts that are there and empty, not executable, closed, or do not answer.
func partUnusable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		faults := maps.Clone(t.Faults)
		if t.Ptxas.State == fact.Unreadable && faults[fact.PartPtxas] == "" {
			if faults == nil {
				faults = map[string]string{}
			}
			faults[fact.PartPtxas] = t.Ptxas.Why
		}
		for _, part := range slices.Sorted(maps.Keys(faults)) {
			out = append(out, finding.Finding{
				Severity: in.weigh(t, finding.Error),
				Subject:  t.Home(),
				What:     part + " of " + name(t) + " is there, but of no use",
				Where:    t.Parts[part],
				Why:      faults[part],
				Next:     append(ownRepair(t), command("ls -l "+quote(t.Parts[part]), "then mend its rights, or install the toolkit again")),
			})
		}
	}
	return out
}

func incomplete(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		missing := lacks(t, compileParts)
		if len(missing) == 0 || !t.Has(fact.PartNvcc) {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Error),
			Subject:  t.Home(),
			What:     name(t) + " is incomplete: no " + strings.Join(missing, ", "),
			Where:    t.Root,
			Why:      "nvcc starts, but every compile calls or includes these parts; they must lie beside it and be of the same release",
			Next:     in.completeHint(t, missing),
		})
	}
	return out
}

// packageTool is the package manager of the distribution.
func (in *Input) packageTool() string {
	switch in.Machine.System.Distro.Value.ID {
	case "fedora", "rhel", "rocky", "almalinux", "ol", "centos", "amzn":
		return "dnf"
	case "sles", "opensuse-leap":
		return "zypper"
	case "debian", "ubuntu", "linuxmint", "pop":
		return "apt-get"
	}
	return ""
}

// completeHint names the packages that carry what is missing, by where the toolkit came from.
func (in *Input) completeHint(t fact.Toolkit, missing []string) []finding.Step {
	if steps := ownRepair(t); steps != nil {
		return steps
	}
	switch t.Origin {
	case "pip":
		return []finding.Step{command(fmt.Sprintf(`python3 -m pip install "cuda-toolkit[nvcc,cudart,cccl,crt,nvvm]==%s.*"`, short(t)), "all parts of one release")}
	case "conda":
		return []finding.Step{command(fmt.Sprintf("conda install -c conda-forge cuda-nvcc cuda-cudart-dev cuda-version=%s", short(t)), "in the same environment")}
	case "installer":
		if in.Machine.System.OS == fact.Windows {
			return []finding.Step{advice("run the CUDA installer again and choose the compiler and development parts of " + name(t))}
		}
		pkg := fmt.Sprintf("cuda-toolkit-%d-%d", short(t).Major(), short(t).Minor())
		if in.packageTool() == "" {
			break
		}
		return []finding.Step{command("sudo "+in.packageTool()+" install "+pkg, "installs what is missing from NVIDIA's repository; what was deleted by hand comes back only when its own package is reinstalled")}
	}
	return []finding.Step{advice("install " + strings.Join(missing, ", ") + " of the same release into " + t.Root)}
}

var linkNeeds = []string{fact.PartCudart, fact.PartCudartReal, fact.PartCudartA, fact.PartCudadevrt, fact.PartHeader, fact.PartNvlink, fact.PartLibdevice}

// without says what does not work when a part is missing (tried with 13.0, one part taken away at a time).
var without = map[string]string{
	fact.PartCudart:     "what links the shared runtime (-cudart shared, -lcudart) does not link",
	fact.PartCudartReal: "what was linked with the shared runtime does not start from here",
	fact.PartCudartA:    "nvcc's own link step fails",
	fact.PartCudadevrt:  "nvcc's own link step fails",
	fact.PartNvlink:     "nvcc's own link step fails",
	fact.PartHeader:     "driver API code does not compile, and builders that look for cuda.h pass the toolkit over",
	fact.PartLibdevice:  "nvcc does without its file, clang and other LLVM compilers do not",
}

func effects(missing []string) string {
	var out []string
	for _, part := range missing {
		if text := without[part]; !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return "kernels compile, but " + strings.Join(out, "; ")
}

func linkParts(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		missing := lacks(t, linkNeeds)
		if in.Paths().Windows() {
			// cudart-dll-missing tells of the DLL.
			missing = slices.DeleteFunc(missing, func(p string) bool { return p == fact.PartCudartReal })
		}
		if len(missing) == 0 || !t.Has(fact.PartNvcc) || t.Origin == "pip" {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			Subject:  t.Home(),
			What:     name(t) + " lacks " + strings.Join(missing, ", "),
			Where:    t.Root,
			Why:      effects(missing),
			Next:     in.completeHint(t, missing),
		})
	}
	return out
}

func nvccUnreadable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Nvcc.State != fact.Unreadable {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Error),
			Subject:  t.Home(),
			What:     "nvcc does not tell its version",
			Where:    t.Parts[fact.PartNvcc],
			Why:      t.Nvcc.Why,
			Next:     append(ownRepair(t), command(start(in, t.Parts[fact.PartNvcc])+" --version", "run it by hand; when it stays silent or refuses, install the toolkit again")),
			Evidence: []finding.Evidence{evidence(t.Nvcc.Source, t.Nvcc.Why)},
		})
	}
	return out
}

func releaseUnreadable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		// Run-time libraries alone carry no release; toolkit-runtime-only tells of them.
		if t.Release.Known() || (t.Release.IsAbsent() && !t.Has(fact.PartNvcc)) {
			continue
		}
		why := t.Release.Why
		if why == "" {
			why = "neither version.json nor nvcc nor cuda.h tells it"
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			Subject:  t.Home(),
			What:     "the release of the toolkit in " + t.Root + " could not be read",
			Where:    t.Release.Source,
			Why:      why,
			Next:     append(ownRepair(t), advice("install the toolkit again, or remove the folder when it is a leftover")),
		})
	}
	return out
}

func boundsUnreadable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		if t.Bounds.State != fact.Unreadable {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			Subject:  t.Home(),
			What:     "the host compilers " + name(t) + " accepts could not be read from its header",
			Where:    t.Bounds.Source,
			Why:      t.Bounds.Why + "; the release table is used instead",
		})
	}
	return out
}

func newerThanTable(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		rel := short(t)
		if rel.IsZero() {
			continue
		}
		if _, ok := compat.Release(rel); ok {
			continue
		}
		f := finding.Finding{
			What:  name(t) + " is newer than cupel's tables",
			Where: t.Root,
			Why:   "what it needs of driver and GPU is not known here; which compilers it accepts is still read from its own header",
			Next:  []finding.Step{command("cupel version", "a newer cupel may know it")},
		}
		if first := compat.Releases()[0]; rel.Less(parseV(first.Version)) {
			f.What, f.Next = name(t)+" is older than cupel's tables", nil
			f.Why = "they begin with CUDA " + parseV(first.Version).Short().String() + ": what it needs of driver and GPU is not known here"
		}
		out = append(out, f)
	}
	return out
}

func nvccNotOnPath(in *Input) []finding.Finding {
	if in.Active.Toolkit != nil || in.Chosen.Toolkit == nil {
		return nil
	}
	t := *in.Chosen.Toolkit
	if !t.Has(fact.PartNvcc) {
		return nil
	}
	return one(finding.Finding{
		Subject: t.Home(),
		What:    "no nvcc is on PATH",
		Where:   t.Parts[fact.PartNvcc],
		Why:     name(t) + " is installed, but bindgen_cuda, cudarc, CMake and others look for nvcc on PATH",
		Next:    []finding.Step{envCommand(in)},
	})
}

// envCommand puts the chosen toolkit in front in this shell.
func envCommand(in *Input) finding.Step {
	return command(in.evalEnv(""), "puts the chosen toolkit in front in this shell")
}

func pathCharacters(in *Input) []finding.Finding {
	var out []finding.Finding
	for _, t := range in.Machine.Toolkits {
		i := strings.IndexAny(t.Home(), " \t\"'$`")
		if i < 0 {
			continue
		}
		out = append(out, finding.Finding{
			Severity: in.weigh(t, finding.Warning),
			Subject:  t.Home(),
			What:     "the path of " + name(t) + " has characters that build scripts split",
			Where:    t.Home(),
			Why:      fmt.Sprintf("nvcc itself copes; makefiles and build scripts that pass the path unquoted end with %q", t.Home()[:i]+": No such file or directory"),
			Next:     []finding.Step{command("sudo ln -s "+quote(t.Home())+" "+plainLink(in, t), "a path of plain letters; name it in PATH and in the variables")},
		})
	}
	return out
}

// plainLink is a path without blanks that nothing is at, as far as the probe looked.
func plainLink(in *Input, t fact.Toolkit) string {
	link := "/opt/cuda"
	if rel := short(t); !rel.IsZero() {
		link += "-" + rel.String()
	}
	if in.toolkitAt(link) != nil {
		return link + "-link"
	}
	return link
}

// start writes a program's path as the shell of that system starts it.
func start(in *Input, path string) string {
	if !in.Paths().Windows() {
		return quote(path)
	}
	return "& '" + strings.ReplaceAll(path, "'", "''") + "'"
}
