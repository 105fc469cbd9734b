package verify_test

import (
	"slices"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/verify"
)

const shadowed = "wsl2-linux-driver"

// TestVagueReleases: a toolkit that tells X.Y alone may be any update of it.
func TestVagueReleases(t *testing.T) {
	const h200 = "h200-server"
	run(t, []checkCase{
		{"every update meets it", h200, "[toolkit]\nmin = \"13.0.0\"\n", nil, "toolkit-band", verify.Pass, "13.0, supported"},
		{"some updates meet it", h200, "[toolkit]\nmin = \"13.0.1\"\n", nil, "toolkit-band", verify.Warn, "a bound names one: 13.0.1"},
		{"it may be newer", h200, "[toolkit]\nmax-verified = \"13.0.1\"\n", nil, "toolkit-band", verify.Warn, "cannot be told"},
		{"it may be excluded", h200, "[toolkit]\nexclude = [{ release = \"13.0.1\", reason = \"it crashes\" }]\n", nil, "toolkit-band", verify.Warn, "CUDA 13.0 may be excluded"},
		{"the first update may be it", h200, "[toolkit]\nexclude = [\"13.0.0\"]\n", nil, "toolkit-band", verify.Warn, "may be excluded"},
		{"every update is excluded", h200, "[toolkit]\nexclude = [\"13.0\"]\n", nil, "toolkit-band", verify.Fail, "is excluded"},
		{"an exclusion of another release", h200, "[toolkit]\nexclude = [\"12.9.1\"]\n", nil, "toolkit-band", verify.Pass, "supported"},
		{"another one is named", five, "[toolkit]\nmin = \"12.8\"\nmax-verified = \"13\"\nexclude = [\"13.0.1\"]\n", edits(toolkit("13.0"), vague("13.0")), "toolkit-band", verify.Warn, "--toolkit 12.8"},
		{"told and excluded", five, "[toolkit]\nexclude = [\"12.4.1\"]\n", toolkit("12.4"), "toolkit-band", verify.Fail, "is excluded"},
		{"told and not excluded", five, "[toolkit]\nexclude = [\"12.4.0\"]\n", toolkit("12.4"), "toolkit-band", verify.Pass, "supported"},
		{"it may be the recommended one", h200, "[toolkit]\nrecommended = \"13.0.2\"\n", nil, "toolkit-band", verify.Pass, "this may be it"},
		{"the recommended one has nvcc", h200, "[toolkit]\nrecommended = \"13.0.2\"\n", nil, "toolkit-present", verify.Pass, "does not say which update it is"},
		{"the chosen one against PATH", five, "[toolkit]\nrecommended = \"12.4\"\n", nil, "toolkit-active", verify.Warn, "CUDA 12.4.1 in /usr/local/cuda-12.4 is chosen (recommended in cupel.toml asks for 12.4)"},
		{"the one on PATH is named", five, "[toolkit]\nrecommended = \"12.4\"\n", nil, "toolkit-active", verify.Warn, "takes CUDA 12.8.1 in /usr/local/cuda-12.8"},
	})
}

// TestVagueIsNotItsOwnRemedy: where no other toolkit is here, there is no step.
func TestVagueIsNotItsOwnRemedy(t *testing.T) {
	c := find(verify.Judge(input(t, "h200-server", "[toolkit]\nexclude = [\"13.0.1\"]\n")).Findings, "toolkit-band")
	if c.Status != verify.Warn || len(c.Next) > 0 {
		t.Errorf("a toolkit that may be excluded is answered with %s", lines([]verify.Check{*c}))
	}
}

// vague makes the toolkits of a release tell no more than that.
func vague(release string) edit {
	return func(in *verify.Input) {
		in.Machine.Toolkits = slices.Clone(in.Machine.Toolkits)
		for i, t := range in.Machine.Toolkits {
			if strings.HasPrefix(t.Release.Value, release) {
				in.Machine.Toolkits[i].Release = fact.Of(release, "nvcc")
			}
		}
	}
}

func cmake(version string) edit {
	return func(in *verify.Input) {
		in.Machine.Tools = []fact.Tool{{Name: "cmake", Path: "/usr/bin/cmake", Version: fact.Of(version, "/usr/share/cmake-"+version)}}
	}
}

func TestVagueComponents(t *testing.T) {
	const patch = "[components.cmake]\nversion = \">=3.22.1\"\n"
	run(t, []checkCase{
		{"finer than what is known", ci, patch, cmake("3.22"), "component-cmake", verify.Warn, "cannot be told whether cmake is in >=3.22.1"},
		{"how to find out", ci, patch, cmake("3.22"), "component-cmake", verify.Warn, "cmake --version"},
		{"below a finer upper bound", ci, "[components.cmake]\nversion = \"<3.22.1\"\n", cmake("3.22"), "component-cmake", verify.Warn, "cannot be told"},
		{"clearly newer", ci, patch, cmake("3.23"), "component-cmake", verify.Pass, "3.23"},
		{"clearly older", ci, patch, cmake("3.21"), "component-cmake", verify.Fail, "outside"},
		{"every patch is in it", ci, "[components.cmake]\nversion = \">=3.22.0, <3.23\"\n", cmake("3.22"), "component-cmake", verify.Pass, "3.22"},
		{"known to the patch", ci, patch, cmake("3.22.1"), "component-cmake", verify.Pass, "3.22.1"},
	})
}

// TestUnaskedDriver: a contract without a word about drivers is told when the one that is here does not serve.
func TestUnaskedDriver(t *testing.T) {
	const builds = "[toolkit]\nmin = \"12.0\"\n"
	old := edits(toolkit("13.0"), driver("570.26", "12.8"))
	run(t, []checkCase{
		{"too old where nothing is said", five, builds, old, "driver-toolkit", verify.Warn, "driver 570.26 is too old for CUDA 13.0"},
		{"too old where a GPU is needed", five, builds + "[gpu]\nmin-count = 1\n", old, "driver-toolkit", verify.Fail, "too old"},
		{"too old where a floor is given", five, builds + "[driver]\nlinux = \"525\"\n", old, "driver-toolkit", verify.Fail, "too old"},
		{"new enough", five, builds, toolkit("13.0"), "driver-toolkit", verify.Pass, "580.95.05"},
		{"points at the toolkit", five, builds, old, "driver-toolkit", verify.Warn, "cupel.toml:4:"},
	})
	for name, tt := range map[string]struct {
		contract string
		edit     edit
	}{
		"no GPU is here":             {builds, edits(old, gpus())},
		"no driver is here":          {builds, edits(old, noDriver)},
		"no GPU is wanted here":      {builds + "[gpu]\nexclude-on = \"linux\"\n", old},
		"nothing needs the toolkit":  {"[components.git]\n", old},
		"nothing of it is asked for": {"", old},
	} {
		in := input(t, five, tt.contract)
		tt.edit(&in)
		if c := find(verify.Judge(in).Findings, "driver-toolkit"); c != nil {
			t.Errorf("%s: driver-toolkit is made: %s", name, lines([]verify.Check{*c}))
		}
	}
}

// TestElsewhere: where the project is not built, nothing of the machine is judged, and its files still are.
func TestElsewhere(t *testing.T) {
	in := input(t, "ubuntu-bare", strings.Replace(everything, "name = \"demo\"\n", "name = \"demo\"\non = [\"windows\"]\n", 1))
	in.Project = fact.Project{Pins: []fact.PinValue{{Pin: "cuda", File: "a", Line: 1, Value: "x"}}, Locks: []string{"Cargo.lock"}, Kernels: []fact.Sources{{Kernel: "k", Files: []string{"a.cu"}}}}
	in.Reference = &in.Machine
	a := verify.Judge(in)
	files := []string{"pin-cuda", "builders", "kernels-k"}
	for _, c := range a.Findings {
		switch {
		case c.ID == "platform":
			if c.Status != verify.Fail {
				t.Errorf("platform ends as %s", c.Status)
			}
		case slices.Contains(files, c.ID):
			if c.Status != verify.Pass {
				t.Errorf("%s ends as %s: %s", c.ID, c.Status, c.Why)
			}
		case c.Status != verify.Skipped || c.After != "platform":
			t.Errorf("%s ends as %s after %q, want skipped after platform", c.ID, c.Status, c.After)
		}
	}
	if want := append(append([]string{"platform"}, order...), "reference"); !slices.Equal(ids(a.Findings), want) {
		t.Errorf("the checks are\n%q, want\n%q", ids(a.Findings), want)
	}
	if a.Reference != nil || a.Passed {
		t.Errorf("passed %t with the reference %+v", a.Passed, a.Reference)
	}
}

// TestShadowedDriver: the number of a Linux driver inside WSL2 is held against nothing of Windows.
func TestShadowedDriver(t *testing.T) {
	const wants = "[toolkit]\nmin = \"12.0\"\n[driver]\nwindows = \"999\"\nptx-jit = \"required\"\n[gpu]\nmin-count = 1\n"
	var cases []checkCase
	for _, id := range []string{"driver-floor", "driver-toolkit", "driver-ptx"} {
		cases = append(cases, checkCase{"not compared", shadowed, wants, nil, id, verify.Skipped, "Linux driver inside WSL2"})
	}
	run(t, append(cases,
		checkCase{"no GPU is its consequence", shadowed, wants, nil, "gpu-count", verify.Fail, "caused by wsl-linux-driver"},
		checkCase{"the cause", shadowed, wants, nil, "wsl-linux-driver", verify.Fail, "apt-get remove"}))
	in := input(t, shadowed, wants)
	if verify.Judge(in).Passed {
		t.Error("passed with a Linux driver inside WSL2")
	}
	in.Only = []string{"gpu-count"}
	if a := verify.Judge(in); a.Passed || a.Findings[0].CausedBy != "" {
		t.Errorf("asked for alone, gpu-count counts for nothing: %s", lines(a.Findings))
	}
}

// TestLoadedCode: of several codes that run, the one nearest to the device is loaded; where none runs, each says why.
func TestLoadedCode(t *testing.T) {
	const gpu = "[gpu]\nmin-count = 1\n[arch]\n"
	l4, blackwell := gpus(device("8.9", 8192, "default")), gpus(device("10.3", 8192, "default"))
	run(t, []checkCase{
		{"the nearest machine code", five, gpu + "targets = [\"75\", \"80\", \"86\", \"89\", \"90\"]\n", l4, "arch-gpu", verify.Pass, "(8.9) by sm_89"},
		{"in whatever order", five, gpu + "targets = [\"86\", \"80\"]\n", l4, "arch-gpu", verify.Pass, "by sm_86"},
		{"machine code before nearer PTX", five, gpu + "ptx = \"all\"\ntargets = [\"80\", \"compute_89\"]\n", l4, "arch-gpu", verify.Pass, "by sm_80"},
		{"a lower minor", five, gpu + "targets = [\"89\"]\n", gpus(device("8.6", 8192, "default")), "arch-gpu", verify.Fail, "machine code for sm_89 runs on 8.x devices from 8.9 on"},
		{"another major", five, gpu + "targets = [\"75\"]\n", l4, "arch-gpu", verify.Fail, "sm_75 is for 7.x devices"},
		{"one exact device", five, gpu + "targets = [\"90a\"]\n", gpus(device("12.0", 8192, "default")), "arch-gpu", verify.Fail, "sm_90a is for devices of capability 9.0 only"},
		{"another family", five, gpu + "targets = [\"100f\"]\n", gpus(device("12.0", 8192, "default")), "arch-gpu", verify.Fail, "sm_100f is for its family from 10.0 on"},
		{"its own family", five, gpu + "targets = [\"100f\"]\n", blackwell, "arch-gpu", verify.Pass, "by sm_100f"},
		{"PTX of a later one", five, gpu + "ptx = \"highest\"\ntargets = [\"90\"]\n", l4, "arch-gpu", verify.Fail, "on any device of 9.0 or newer"},
		{"the nearest miss first", five, gpu + "targets = [\"70\", \"75\", \"90\", \"89\"]\n", gpus(device("8.6", 8192, "default")), "arch-gpu", verify.Fail, "| machine code for sm_89"},
		{"no more than a person reads", five, gpu + "targets = [\"70\", \"72\", \"75\", \"90\", \"89\"]\n", gpus(device("8.6", 8192, "default")), "arch-gpu", verify.Fail, "and so for 2 more"},
	})
}

// TestArchsWithoutToolkit: what is known of the GPU and the contract does not wait for a toolkit.
func TestArchsWithoutToolkit(t *testing.T) {
	const detect = "[toolkit]\nmin = \"12.0\"\n[arch]\ndetect = true\nfallback = \"sm_80\"\ntargets = [\"sm_75\", \"sm_80\", \"sm_86\", \"sm_90\"]\n[env]\nCUDA_ARCH = \"{arch.first}\"\n"
	asked := func(in *verify.Input) { in.Asked = true }
	run(t, []checkCase{
		{"the fallback", "ubuntu-bare", detect, asked, "env-cuda-arch", verify.Warn, "expected sm_80"},
		{"the GPU that is here", "windows-broken", detect, asked, "env-cuda-arch", verify.Warn, "expected sm_86"},
		{"not to be detected", "windows-broken", strings.Replace(detect, "detect = true\n", "", 1), asked, "env-cuda-arch", verify.Warn, "expected sm_75"},
		{"no targets", "windows-broken", "[arch]\ndetect = true\n[env]\nCUDA_ARCH = \"{arch.first}\"\n", asked, "env-cuda-arch", verify.Warn, "expected sm_86"},
	})
}

// TestReferenceBlock: the comparison is told only where its check is.
func TestReferenceBlock(t *testing.T) {
	for _, tt := range []struct {
		name string
		only []string
		fast bool
		want bool
	}{
		{"asked for", nil, false, true},
		{"named", []string{"reference"}, false, true},
		{"left out", []string{"toolkit-*"}, false, false},
		{"stopped before it", nil, true, false},
	} {
		in := input(t, "ubuntu-bare", everything)
		other := machine(t, five)
		in.Reference, in.Only, in.FailFast = &other, tt.only, tt.fast
		if a := verify.Judge(in); (a.Reference != nil) != tt.want {
			t.Errorf("%s: the comparison is told: %t, want %t", tt.name, a.Reference != nil, tt.want)
		}
	}
}

// TestAskedConsequence: a consequence that is asked for alone counts, unless its cause passed and knows better.
func TestAskedConsequence(t *testing.T) {
	for _, tt := range []struct {
		name, host, contract string
		edit                 edit
		only                 string
		passed               bool
	}{
		{"the cause failed", "ubuntu-bare", "[toolkit]\nmin = \"11\"\n", func(*verify.Input) {}, "no-toolkit", false},
		{"the cause passed", five, "[toolkit]\nmin = \"11\"\n", edits(toolkit("11.8"), hostCompiler("g++-11")), "host-compiler-too-new", true},
	} {
		in := input(t, tt.host, tt.contract)
		tt.edit(&in)
		in.Only = []string{tt.only}
		if a := verify.Judge(in); a.Passed != tt.passed || len(a.Findings) != 1 {
			t.Errorf("%s: --only %s passes: %t, want %t in\n%s", tt.name, tt.only, a.Passed, tt.passed, lines(a.Findings))
		}
	}
}

// TestUnsetTogether: one command sets all the variables, so it is told once; each keeps its line.
func TestUnsetTogether(t *testing.T) {
	in := input(t, five, "[toolkit]\nmin = \"12.0\"\n[env]\ntoolkit.root = [\"CUDA_HOME\", \"CUDA_PATH\", \"CUDA_ROOT\"]\n")
	env("CUDA_ROOT", "/nowhere")(&in)
	in.Asked = true
	want := map[string]string{"env-cuda-home": "warn", "env-cuda-path": "warn caused by env-cuda-home", "env-cuda-root": "fail"}
	for _, c := range verify.Judge(in).Findings {
		got := string(c.Status)
		if c.CausedBy != "" {
			got += " caused by " + c.CausedBy
		}
		if w, ok := want[c.ID]; ok && got != w {
			t.Errorf("%s: %s, want %s", c.ID, got, w)
		}
	}
	in.Only, in.Strict = []string{"env-cuda-path"}, true
	if a := verify.Judge(in); a.Passed {
		t.Errorf("asked for alone, it counts for nothing: %s", lines(a.Findings))
	}
}
