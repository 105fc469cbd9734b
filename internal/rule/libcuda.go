package rule

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var libcudaRules = []Rule{
	{ID: "stub-libcuda-at-run", Severity: finding.Error, Title: "a stub libcuda comes first on the loader path", On: linuxLike, Check: stubFirst},
	{ID: "stubs-on-loader-path", Severity: finding.Warning, Title: "LD_LIBRARY_PATH names a stubs folder", Label: "stub-libcuda-at-run", On: linuxLike,
		CausedBy: []string{"stub-libcuda-at-run"}, Check: stubsOnPath},
	{ID: "libcuda-not-linkable", About: AboutToolkit, Severity: finding.Warning, Title: "-lcuda cannot be resolved here: no driver library and no stub", On: linuxLike,
		CausedBy: []string{"no-toolkit", "toolkit-pip-layout", "toolkit-runtime-only"}, Check: notLinkable},
	{ID: "forward-compat-unsupported", Severity: finding.Error, Title: "a forward-compat libcuda is used with a GPU that does not allow it (error 804)", On: []string{fact.Linux}, Check: forwardUnsupported},
	{ID: "compat-library-older", Severity: finding.Error, Title: "a forward-compat libcuda is older than the installed driver", Label: "driver-library-mismatch", On: []string{fact.Linux},
		CausedBy: []string{"forward-compat-unsupported"}, Check: compatOlder},
	{ID: "forward-compat-in-use", Severity: finding.Info, Title: "a forward-compat libcuda is in front of the driver's own", On: []string{fact.Linux},
		CausedBy: []string{"forward-compat-unsupported", "compat-library-older"}, Check: forwardInUse},
}

func stubFirst(in *Input) []finding.Finding {
	for _, l := range in.Machine.Driver.Libraries {
		if l.Rank == 0 || strings.HasSuffix(l.Path, "/libcuda.so") {
			continue
		}
		if !l.Stub && l.Broken == "" {
			return nil
		}
		f := finding.Finding{
			What:  "programs would load a stub libcuda",
			Where: l.Path,
			Why:   "a stub satisfies the linker only; at run time every call ends with error 34 (stub library)",
			Next:  []finding.Step{outOfLoader(in.Paths().Dir(l.Path), l.From, ", or remove "+l.Path)},
		}
		if l.Broken != "" {
			f.What = "a file that is no library stands where programs load libcuda"
			f.Why = l.Broken + ": the loader refuses it, and programs that need libcuda do not start"
		}
		if !in.hasDriver() && !in.NeedGPU {
			f.Severity = finding.Warning
			f.Why += "; without a driver nothing could run here anyway, but on a GPU machine this hides the real one"
		}
		return one(f)
	}
	return nil
}

func stubsOnPath(in *Input) []finding.Finding {
	for _, dir := range in.Paths().List(in.env("LD_LIBRARY_PATH")) {
		if in.Paths().Base(dir) == "stubs" {
			return one(finding.Finding{
				What:  "LD_LIBRARY_PATH names a stubs folder",
				Where: dir,
				Why:   "a program that loads libcuda.so by that name (cudarc does) gets the stub and error 34",
				Next:  []finding.Step{command(`export LD_LIBRARY_PATH="$(printf %s "$LD_LIBRARY_PATH" | tr : '\n' | grep -v '/stubs/*$' | paste -sd:)"`, "takes it out; the linker wants it in LIBRARY_PATH")},
			})
		}
	}
	return nil
}

func notLinkable(in *Input) []finding.Finding {
	for _, t := range in.subjects() {
		if t.Has(fact.PartStub) || !t.Has(fact.PartHeader) || len(in.Machine.Driver.Libraries) > 0 {
			continue
		}
		return one(finding.Finding{
			Subject: t.Home(),
			What:    "a program that uses the driver API cannot be linked here",
			Where:   t.Root,
			Why:     "-lcuda needs libcuda.so: no driver is installed, and the toolkit has no stubs/libcuda.so",
			Next:    in.stubHint(t),
		})
	}
	return nil
}

// stubHint names the package that carries stubs/libcuda.so, by where the toolkit came from.
func (in *Input) stubHint(t fact.Toolkit) []finding.Step {
	if steps := ownRepair(t); steps != nil {
		return steps
	}
	switch t.Origin {
	case "pip":
		return append(in.sameRelease(t, "the same release as a normal root, which has the stub"), advice("link on a machine with a driver; Python wheels have no stub"))
	case "conda":
		return []finding.Step{command(fmt.Sprintf("conda install -c conda-forge cuda-driver-dev cuda-version=%s", short(t)), "brings the stub, in the same environment")}
	case "installer":
		return []finding.Step{advice(fmt.Sprintf("install the package cuda-driver-dev-%d-%d of NVIDIA's repository: it brings the stub", short(t).Major(), short(t).Minor()))}
	}
	return []finding.Step{advice("link on a machine with a driver, or with a toolkit that has the stub (conda's cuda-driver-dev, NVIDIA's cuda-driver-dev-X-Y)")}
}

// outOfLoader says how a folder leaves the loader's path: by the variable, or by the files ldconfig reads.
func outOfLoader(dir, from, more string) finding.Step {
	switch from {
	case "LD_LIBRARY_PATH":
		return advice("take " + dir + " out of LD_LIBRARY_PATH" + more)
	case mounted:
		return advice("remove " + dir + " (package cuda-compat-X-Y) from the image: the container runtime mounts it over the driver's" + more)
	}
	return advice("take " + dir + " out of /etc/ld.so.conf.d, then: sudo ldconfig" + more)
}

// mounted is how a compat library got in front when it lies beside the driver's: NVIDIA's container runtime
// mounts the image's copy there in one of its modes (nvidia-container-toolkit, pull request 1055).
const mounted = "mounted"

// compatInUse is the folder of the forward-compat libcuda a program would load, "" when it would load another.
func compatInUse(d fact.Driver) string {
	dir, _ := compatFrom(d)
	return dir
}

// compatFrom adds what put it in front.
func compatFrom(d fact.Driver) (dir, from string) {
	lib := realLibrary(d)
	if lib == nil {
		return "", ""
	}
	for _, dir := range d.CompatDirs {
		if strings.HasPrefix(lib.Path, dir+"/") {
			return dir, lib.From
		}
	}
	for _, l := range d.Libraries {
		if at := strings.LastIndex(l.Path, "/compat/"); at > 0 && l.Rank == 0 && l.Version != "" && l.Version == lib.Version && l.Version != d.Kernel.Value {
			return l.Path[:at] + "/compat", mounted
		}
	}
	return "", ""
}

// consumerGPU names a GPU without forward compatibility: it is for data-centre boards, some NGC-ready RTX
// ones and Jetson.
func consumerGPU(in *Input) string {
	for _, g := range in.Machine.GPUs {
		if row, ok := compat.GPUByName(g.Name); ok && row.Class == "consumer" {
			return g.Name
		}
	}
	return ""
}

func forwardUnsupported(in *Input) []finding.Finding {
	d := in.Machine.Driver
	gpu := consumerGPU(in)
	dir, from := compatFrom(d)
	if dir == "" || gpu == "" || !d.Kernel.Known() || !d.UserMode.Known() {
		return nil
	}
	if !parseV(d.Kernel.Value).Less(parseV(d.UserMode.Value)) {
		return nil
	}
	return one(finding.Finding{
		What:  fmt.Sprintf("the forward-compat libcuda %s does not work with the %s", d.UserMode.Value, gpu),
		Where: dir,
		Why:   fmt.Sprintf("it is newer than kernel module %s, and NVIDIA allows that on data-centre GPUs only: CUDA ends with error 804", d.Kernel.Value),
		Next: []finding.Step{
			outOfLoader(dir, from, ": programs then load the driver's own libcuda"),
			advice("install a driver of branch " + compat.Branch(parseV(d.UserMode.Value)).String() + " or newer on the host"),
		},
	})
}

func compatOlder(in *Input) []finding.Finding {
	d := in.Machine.Driver
	dir, from := compatFrom(d)
	if dir == "" || !d.Kernel.Known() || !d.UserMode.Known() || !parseV(d.UserMode.Value).Less(parseV(d.Kernel.Value)) {
		return nil
	}
	return one(finding.Finding{
		What:  fmt.Sprintf("the compat libcuda %s is older than the driver %s", d.UserMode.Value, d.Kernel.Value),
		Where: dir,
		Why:   "compat libraries bridge an older driver to a newer toolkit, never the other way: CUDA ends with error 803",
		Next:  []finding.Step{outOfLoader(dir, from, ": the driver's own libcuda is newer")},
	})
}

func forwardInUse(in *Input) []finding.Finding {
	d := in.Machine.Driver
	dir := compatInUse(d)
	if dir == "" {
		return nil
	}
	return one(finding.Finding{
		What:  "programs load a forward-compat libcuda" + ifText(d.UserMode.Known(), " "+d.UserMode.Value),
		Where: dir,
		Why:   "it raises the CUDA level above what the kernel module" + ifText(d.Kernel.Known(), " "+d.Kernel.Value) + " alone offers; " + choiceText(in),
	})
}

func choiceText(in *Input) string {
	if v := choice.DriverVersion(in.Machine); !v.IsZero() {
		return "this is right for data-centre GPUs"
	}
	return "whether the GPU allows it is not known"
}

func ifText(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}
