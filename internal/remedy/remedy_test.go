package remedy_test

import (
	"context"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe"
	"cupel/internal/remedy"
	"cupel/internal/render"
	"cupel/internal/verify"
)

var update = flag.Bool("update", false, "write the golden files anew")

// input is a recorded host held against a contract.
func input(t testing.TB, hostName, text string) verify.Input {
	t.Helper()
	h, err := host.LoadFile(filepath.Join("..", "..", "testdata", "hosts", hostName+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	c, wrong := contract.Parse("cupel.toml", []byte("cupel = 1\n[project]\nname = \"demo\"\n"+text))
	if len(wrong) > 0 {
		t.Fatalf("contract: %s (%s)", wrong[0].What, wrong[0].Where)
	}
	m, p := probe.Survey(context.Background(), h, probe.Options{Helper: "cupel-gpu"})
	platform, err := verify.PlatformOf(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return verify.Input{Contract: c, Machine: m, Project: p, Platform: platform, Version: "test"}
}

// kit is a machine, a contract and the best answer, as the ids of its steps.
type kit struct {
	name, host, contract string
	all                  bool
	steps                []string   // of the first plan
	who                  []string   // of its steps
	plans                int        // 0: one
	conflict             []string   // keys
	alternatives         [][]string // of the steps that have some
	change               func(*fact.Machine)
	sources              []string // of toolkits that answer; nil: not asked
	facts                []string // parts of the reasons of a conflict
	says                 []string // parts of the text
	not                  []string // what the text must not hold
}

func (k kit) input(t testing.TB) verify.Input {
	t.Helper()
	in := input(t, k.host, k.contract)
	if k.change != nil {
		k.change(&in.Machine)
	}
	return in
}

func glibc(v string) func(*fact.Machine) {
	return func(m *fact.Machine) { m.System.Glibc = fact.Of(v, "test") }
}

// volta puts one old GPU into the machine.
func volta(m *fact.Machine) {
	m.GPUs = []fact.GPU{{Name: "Tesla V100-SXM2-16GB", CC: fact.Of("7.0", "test"), MemoryMiB: 16384}}
	m.Driver.PCI, m.Driver.Open = nil, false
}

// lacks takes libraries out of every toolkit.
func lacks(words ...string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for i := range m.Toolkits {
			libs := maps.Clone(m.Toolkits[i].Libraries)
			for _, w := range words {
				libs[w] = fact.None[fact.Link]("test")
			}
			m.Toolkits[i].Libraries = libs
		}
	}
}

func studio(version string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.VS = []fact.VisualStudio{{Path: `C:\VS`, Name: "Visual Studio Community 2022", Version: version, Complete: true, Source: "test"}}
	}
}

var kits = []kit{
	{name: "already-fine", host: "ubuntu-l4", contract: "[toolkit]\nmin = \"12.4\"\nrecommended = \"13.0\"\n"},
	{name: "other-installed", host: "ubuntu-five-toolkits", contract: "[toolkit]\nmin = \"12.0\"\nmax-verified = \"12.4\"\nexclude = [{ release = \"12.8\", reason = \"wrong results\" }, \"13.0\"]\n[host.linux]\ngcc = \">=9, <13\"\n",
		steps: []string{"env"}, who: []string{remedy.Cupel}},
	{name: "user-space", host: "ubuntu-l4", contract: "[toolkit]\nmin = \"12.4\"\nrecommended = \"12.4.1\"\nexclude = [\">=13\"]\n",
		steps: []string{"cupel-toolkit", "env"}, who: []string{remedy.Cupel, remedy.Cupel}, alternatives: [][]string{{"runfile-home"}}},
	{name: "wsl2", host: "wsl2-rtx4090", contract: "[toolkit]\nmin = \"12.9\"\nrecommended = \"13.0\"\n",
		steps: []string{"cupel-toolkit", "env"}, who: []string{remedy.Cupel, remedy.Cupel}, alternatives: [][]string{{"apt-wsl"}}},
	{name: "windows", host: "windows-bare", contract: "[toolkit]\nmin = \"12.4\"\nrecommended = \"12.8\"\nmax-verified = \"12.9\"\n[host.windows]\nmsvc = \">=19.30\"\n",
		steps: []string{"vs-2022", "cupel-toolkit", "env"}, who: []string{remedy.Root, remedy.Cupel, remedy.Cupel}, alternatives: [][]string{{"winget", "windows-exe"}}},
	{name: "driver-last", host: "debian-distribution", contract: "[toolkit]\nmin = \"13.0\"\nmax-verified = \"13.0\"\n[driver]\nlinux = \"580.65.06\"\n",
		steps: []string{"cupel-toolkit", "apt-driver-open-debian", "env"}, who: []string{remedy.Cupel, remedy.Reboot, remedy.Cupel}},
	{name: "unsatisfiable", host: "ubuntu-l4", contract: "[toolkit]\nmin = \"13.0\"\nrecommended = \"13.0\"\n[arch]\ntargets = [\"sm_70\"]\n[host.linux]\ngcc = \">=9\"\n",
		conflict: []string{"toolkit.min", "arch.targets[0]"}},
	{name: "trade-off", host: "ubuntu-five-toolkits", contract: "[toolkit]\nmin = \"12.0\"\nrecommended = \"13.2\"\nexclude = [\"12.8\"]\n[driver]\nptx-jit = \"required\"\n", all: true,
		steps: []string{"env"}, plans: 2},
	{name: "doctor-advice", host: "broken-mismatch", contract: "[toolkit]\nmin = \"12.4\"\n[gpu]\nmin-count = 1\n",
		steps: []string{"fix-driver-library-mismatch"}, who: []string{remedy.Reboot}},
	{name: "component", host: "ubuntu-l4", contract: "[toolkit]\nmin = \"12.4\"\n[components.libclang]\nreason = \"bindgen\"\n[components.openblas]\ninstall = \"spack install openblas\"\n",
		steps: []string{"cupel-libclang", "fix-component-openblas"}, who: []string{remedy.Cupel, remedy.You}},
	{name: "no-gpu", host: "ubuntu-bare", contract: "[toolkit]\nmin = \"12.8\"\nrecommended = \"12.8\"\n[gpu]\nmin-count = 1\n", conflict: []string{"gpu.min-count"}},
	{name: "two-conflicts", host: "ubuntu-bare", contract: "[toolkit]\nmin = \"13.0\"\nrecommended = \"13.0\"\n[arch]\ntargets = [\"sm_70\", \"sm_90\"]\n[gpu]\nmin-count = 1\n",
		conflict: []string{"gpu.min-count", "toolkit.min", "arch.targets[0]"}},
	{name: "jetson", host: "jetson-orin", contract: "[toolkit]\nmin = \"13.0\"\n", conflict: []string{"toolkit.min"}},
	{name: "recommended-does-not-fit", host: "ubuntu-five-toolkits", contract: "[toolkit]\nmin = \"12.0\"\nrecommended = \"13.0\"\n[arch]\ntargets = [\"sm_70\"]\n",
		steps: []string{"env"}, who: []string{remedy.Cupel}},
	{name: "new-compiler", host: "ubuntu-l4", contract: "[toolkit]\nmin = \"12.4\"\n[host.linux]\ngcc = \"=12\"\n", steps: []string{"cupel-gcc", "env"}, who: []string{remedy.Cupel, remedy.Cupel}, alternatives: [][]string{{"apt-gcc"}}},
	{name: "forward-compat", host: "h200-server", contract: "[toolkit]\nmin = \"13.1\"\nmax-verified = \"13.1\"\n[driver]\nptx-jit = \"required\"\n",
		steps: []string{"cupel-toolkit", "cuda-compat", "env"}, who: []string{remedy.Cupel, remedy.Root, remedy.Cupel}},

	// What the C library takes: a root that cupel makes has no trouble.
	{name: "glibc", host: "ubuntu-l4", change: glibc("2.41"), contract: "[toolkit]\nmin = \"12.0\"\nrecommended = \"12.8\"\nmax-verified = \"12.9\"\nexclude = [\"13.0\"]\n",
		steps: []string{"cupel-toolkit", "env"}, says: []string{"cupel toolkit install 12.8"}, not: []string{"CUDA 13.1"}},
	{name: "glibc-conflict", host: "ubuntu-bare", change: glibc("2.41"), sources: []string{}, contract: "[toolkit]\nmin = \"12.4\"\nexclude = [\">=13\"]\n",
		conflict: []string{"toolkit.exclude[0]"}, facts: []string{"glibc 2.41 is newer than the headers of CUDA 12"}},
	{name: "glibc-installed", host: "ubuntu-ci", change: glibc("2.42"), contract: "[toolkit]\nmin = \"12.0\"\nmax-verified = \"13.4\"\n", steps: []string{"cupel-toolkit", "env"}, says: []string{"fixes: glibc-too-new"}},
	// Drivers: the package's name, the module, the GPU.
	{name: "driver-590", host: "ubuntu-five-toolkits", contract: "[toolkit]\nmin = \"13.2\"\nmax-verified = \"13.2\"\n[driver]\nptx-jit = \"required\"\n",
		says: []string{"nvidia-driver-pinning-595", "install -y nvidia-open\n"}, not: []string{"cuda-drivers", "nvidia-open-595"}},
	{name: "volta", host: "ubuntu-l4", change: volta, contract: "[toolkit]\nmin = \"12.8\"\nexclude = [\">=13\"]\n[driver]\nlinux = \"590\"\n[gpu]\nmin-count = 1\n",
		conflict: []string{"driver.linux"}, facts: []string{"no driver after branch 580"}},
	// What is there is completed.
	{name: "parts", host: "ubuntu-l4", change: lacks("cufft", "cublas"), contract: "[toolkit]\nmin = \"13.0\"\ncomponents = [\"nvcc\", \"cublas\", \"cufft\"]\n",
		steps: []string{"apt-parts"}, says: []string{"cuda-libraries-dev-13-0 libcublas-dev-13-0", "cuda-keyring"}},
	{name: "parts-conda", host: "conda", change: lacks("cublas"), contract: "[toolkit]\nmin = \"12.0\"\ncomponents = [\"cublas\"]\n",
		says: []string{"libcublas-dev cuda-version=12"}, not: []string{"cuda-version=13"}},
	{name: "least-demand", host: "windows-rtx5060ti", contract: "[toolkit]\nmin = \"13.2\"\n[driver]\nwindows = \"591\"\nptx-jit = \"required\"\n", not: []string{"13.4"}},
	{name: "platform", host: "windows-bare", contract: "on = [\"linux\"]\n[toolkit]\nmin = \"12.8\"\n", conflict: []string{"project.on"}, says: []string{"next: build it under WSL2"}, not: []string{"install"}},
	{name: "own-toolset", host: "windows-bare", change: studio("17.8.3"), contract: "[toolkit]\nmin = \"12.4\"\nmax-verified = \"12.4\"\n[host.windows]\nmsvc = \">=19.38, <19.40\"\n",
		says: []string{"of its own version"}, not: []string{"update --installPath"}},
	{name: "studio-update", host: "windows-bare", change: studio("17.8.3"), contract: "[toolkit]\nmin = \"12.8\"\nmax-verified = \"12.9\"\n[host.windows]\nmsvc = \">=19.40\"\n",
		says: []string{"update --installPath"}},
	{name: "component-order", host: "ubuntu-bare", change: func(m *fact.Machine) { m.Pythons = nil }, contract: "[components.bitsandbytes]\ninstall = \"python3 -m pip install bitsandbytes\"\n[components.cudnn]\n[components.nccl]\n[components.python]\n[components.torch]\ninstall = \"python3 -m pip install torch\"\n[toolkit]\nmin = \"12.8\"\nexclude = [\">=13\"]\n",
		says: []string{"python3-pip python3-venv"}},
	{name: "contract-line", host: "wsl2-rtx4090", contract: "[toolkit]\nmin = \"12.0\"\n[components.cudnn]\ninstall = \"sudo apt-get install cudnn9-cuda-{toolkit.major}\"\n[components.nccl]\ninstall = \"sudo apt-get install libnccl-dev\"\n",
		says: []string{"repos/wsl-ubuntu/", "install cudnn9-cuda-12"}},
	{name: "package-too-old", host: "wsl2-rtx4090", contract: "[components.cmake]\nversion = \">=4.0\"\n", conflict: []string{"components.cmake", "components.cmake.version"}, facts: []string{"the package of cmake on"}},
	{name: "jetpack", host: "jetson-orin", change: func(m *fact.Machine) { m.Toolkits = nil }, contract: "[toolkit]\nmin = \"12.4\"\n", steps: []string{"jetpack", "env"}},
	{name: "older-gcc", host: "ubuntu-l4", contract: "[toolkit]\nmin = \"11.8\"\nexclude = [\">=12\"]\n", says: []string{"bring gcc 11", "cupel toolkit install 11.8 --with-host-compiler", "install g++-11"}},
	{name: "no-compiler", host: "ubuntu-l4", contract: "[toolkit]\nmin = \"12.4\"\n[host.linux]\ngcc = \"=8\"\n", conflict: []string{"host.linux.gcc"}, facts: []string{"host compilers that cupel knows how to get"}},
	{name: "wsl2-linux-driver", host: "wsl2-linux-driver", contract: "[toolkit]\nmin = \"12.0\"\n[driver]\nptx-jit = \"required\"\n[gpu]\nmin-count = 1\n", says: []string{"apt-get remove"}, not: []string{"install CUDA"}},
	{name: "container", host: "container-nogpu", contract: "[toolkit]\nmin = \"12.0\"\n[gpu]\nmin-count = 1\n", steps: []string{"docker-gpus"}},
}

func TestPlans(t *testing.T) {
	for _, k := range kits {
		t.Run(k.name, func(t *testing.T) {
			a := remedy.Plan(remedy.Input{Verify: k.input(t), All: k.all, Sources: k.sources})
			text := render.Style{}.Plan(a)
			golden(t, k.name, text)
			checkText(t, k, text)
			if a.Already != (k.name == "already-fine") {
				t.Errorf("already = %t: %+v", a.Already, a)
			}
			if diff := cmp.Diff(k.conflict, keys(a)); diff != "" {
				t.Errorf("conflict (-want +got):\n%s", diff)
			}
			if k.steps == nil {
				return
			}
			if len(a.Plans) != max(1, k.plans) {
				t.Fatalf("%d plans, want %d", len(a.Plans), max(1, k.plans))
			}
			checkRoute(t, k, a.Plans[0])
		})
	}
}

func checkText(t *testing.T, k kit, text string) {
	t.Helper()
	for _, want := range slices.Concat(k.says, k.facts) {
		if !strings.Contains(text, want) {
			t.Errorf("the plan does not say %q:\n%s", want, text)
		}
	}
	for _, bad := range k.not {
		if strings.Contains(text, bad) {
			t.Errorf("the plan says %q:\n%s", bad, text)
		}
	}
}

func checkRoute(t *testing.T, k kit, r remedy.Route) {
	t.Helper()
	var steps, who []string
	var alternatives [][]string
	for _, s := range r.Steps {
		steps, who = append(steps, s.ID), append(who, s.Who)
		var alts []string
		for _, a := range s.Alternatives {
			alts = append(alts, a.ID)
		}
		if len(alts) > 0 {
			alternatives = append(alternatives, alts)
		}
	}
	if diff := cmp.Diff(k.steps, steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(k.who, who); k.who != nil && diff != "" {
		t.Errorf("who (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(k.alternatives, alternatives); k.alternatives != nil && diff != "" {
		t.Errorf("alternatives (-want +got):\n%s", diff)
	}
	if !r.Satisfies {
		t.Errorf("the plan leaves %v", r.Stays)
	}
}

func keys(a remedy.Answer) []string {
	var out []string
	for _, c := range a.Conflict {
		out = append(out, c.Key)
	}
	return out
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestConflictIsMinimal: of the lines of a conflict alone there is no plan, and without any one of them there is.
func TestConflictIsMinimal(t *testing.T) {
	for _, k := range kits {
		if k.conflict == nil {
			continue
		}
		if k.name == "platform" {
			continue // it is judged alone, before anything else
		}
		in := k.input(t)
		a := remedy.Plan(remedy.Input{Verify: in})
		for _, c := range a.Conflict {
			var set, rest []string
			for _, l := range in.Contract.Lines() {
				if slices.ContainsFunc(a.Conflict, func(x remedy.Clash) bool { return x.Set == c.Set && x.Key == l.Key }) {
					set = append(set, l.Key)
				} else {
					rest = append(rest, l.Key)
				}
			}
			if satisfiable(in, rest...) {
				t.Errorf("%s: %v alone can be met", k.name, set)
			}
			if !satisfiable(in, append(rest, c.Key)...) {
				t.Errorf("%s: %v without %s can still not be met", k.name, set, c.Key)
			}
		}
	}
}

func satisfiable(in verify.Input, without ...string) bool {
	in.Contract = in.Contract.Without(without...)
	a := remedy.Plan(remedy.Input{Verify: in})
	return a.Already || len(a.Plans) > 0 && a.Plans[0].Satisfies
}

// TestSameAnswerTwice: a map's order must not decide between plans.
func TestSameAnswerTwice(t *testing.T) {
	for _, k := range kits {
		in := remedy.Input{Verify: k.input(t), All: true}
		first := remedy.Plan(in)
		for range 3 {
			if diff := cmp.Diff(first.Plans, remedy.Plan(in).Plans); diff != "" {
				t.Fatalf("%s:\n%s", k.name, diff)
			}
		}
	}
}

// TestOneWayOnly: nobody is told to install one thing twice, and under WSL2 no Linux driver.
func TestOneWayOnly(t *testing.T) {
	for _, k := range kits {
		for _, r := range remedy.Plan(remedy.Input{Verify: k.input(t), All: true}).Plans {
			seen := map[string]bool{}
			for _, s := range r.Steps {
				if seen[s.ID] {
					t.Errorf("%s: step %s stands twice", k.name, s.ID)
				}
				seen[s.ID] = true
				if slices.ContainsFunc(s.Alternatives, func(a remedy.Alternative) bool { return a.ID == s.ID }) {
					t.Errorf("%s: step %s is its own alternative", k.name, s.ID)
				}
				for _, c := range s.Commands {
					if strings.Contains(c, "<") {
						t.Errorf("%s: a word was not filled in %q", k.name, c)
					}
				}
			}
		}
	}
}

// TestByHand: what only a person can do becomes a step of its own; what cupel env sets does not.
func TestByHand(t *testing.T) {
	in := input(t, "ubuntu-five-toolkits", "[toolkit]\nmin = \"12.0\"\n[env]\ntoolkit.root = [\"CUDA_HOME\"]\n[pins.rust]\nfiles = [{ file = \"a\", pattern = \"(.*)\" }, { file = \"b\", pattern = \"(.*)\" }]\n")
	in.Project.Pins = []fact.PinValue{{Pin: "rust", File: "a", Line: 1, Value: "1"}, {Pin: "rust", File: "b", Line: 3, Value: "2"}}
	a := remedy.Plan(remedy.Input{Verify: in})
	if len(a.Plans) != 1 || len(a.Plans[0].Steps) != 2 {
		t.Fatalf("got %+v, want one plan of two steps", a.Plans)
	}
	pin, env := a.Plans[0].Steps[0], a.Plans[0].Steps[1]
	if pin.Who != remedy.You || !slices.Equal(pin.Fixes, []string{"pin-rust"}) || !strings.Contains(pin.Title, "b:3") {
		t.Errorf("the pin's step is %+v", pin)
	}
	if env.ID != "env" || !slices.Equal(env.Fixes, []string{"env-cuda-home"}) || !slices.Equal(env.Commands, []string{`eval "$(cupel env)"`}) {
		t.Errorf("the environment's step is %+v", env)
	}
}

// TestEveryHost: on every recorded host a plan ends with a machine that meets the contract, or a conflict is named.
func TestEveryHost(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "hosts", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, text := range []string{
		"[toolkit]\nmin = \"12.4\"\nrecommended = \"12.8\"\nmax-verified = \"13.0\"\n",
		"[toolkit]\nmin = \"13.1\"\n[driver]\nptx-jit = \"required\"\n[gpu]\nmin-count = 1\n",
		"[toolkit]\nmin = \"11.8\"\nexclude = [\">=12\"]\n[host.linux]\ngcc = \"<12\"\n[host.windows]\nmsvc = \"<19.40\"\n",
	} {
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".txtar")
			if name == "macos" {
				continue // no contract can be judged there
			}
			a := remedy.Plan(remedy.Input{Verify: input(t, name, text), All: true})
			satisfied := len(a.Plans) > 0 && a.Plans[0].Satisfies
			if !a.Already && !satisfied && len(a.Conflict) == 0 {
				t.Errorf("%s has neither plan nor conflict for:\n%s", name, text)
			}
			if satisfied && len(a.Conflict) > 0 || a.Already && len(a.Plans) > 0 {
				t.Errorf("%s: already %t, %d plans, %d lines in conflict for:\n%s", name, a.Already, len(a.Plans), len(a.Conflict), text)
			}
			for _, r := range a.Plans {
				if len(r.Steps) == 0 {
					t.Errorf("%s: a plan without a step for:\n%s", name, text)
				}
			}
		}
	}
}

func BenchmarkPlan(b *testing.B) {
	for _, k := range kits {
		in := remedy.Input{Verify: k.input(b), All: k.all}
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				remedy.Plan(in)
			}
		})
	}
}
