package remedy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
	"cupel/internal/remedy"
	"cupel/internal/resolve"
	"cupel/internal/verify"
)

func offerOf(source, release string, words ...string) resolve.Offer {
	return resolve.Offer{Source: source, Release: release, Platform: resolve.Platform{OS: "linux", Arch: "amd64"}, Components: append([]string{"nvcc", "crt", "nvvm", "cudart", "cccl"}, words...),
		Minimal: resolve.Size{Download: 104_500_000}}
}

// TestReachable: a plan that is carried out takes what the sources have, and what cupel can do before what it cannot.
func TestReachable(t *testing.T) {
	pip, apt := offerOf("pip", "13.0.3", "cublas"), offerOf("apt", "12.4.1")
	preview := offerOf("apt", "12.5.0")
	preview.Preview = true
	contract := "[toolkit]\nmin = \"11.8\"\nrecommended = \"13.0\"\n"
	for _, tt := range []struct {
		name, contract string
		sources        []string
		offers         []resolve.Offer
		want           []remedy.Action
	}{
		{"the recommended release from pip", contract, []string{"pip", "apt"}, []resolve.Offer{pip, apt},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "13.0", Source: "pip"}, {Kind: remedy.DoUse}}},
		{"apt alone has 12.4", contract, []string{"apt"}, []resolve.Offer{apt},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "12.4", Source: "apt"}, {Kind: remedy.DoUse}}},
		{"a release for trying is passed over", contract, []string{"apt"}, []resolve.Offer{preview, apt},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "12.4", Source: "apt"}, {Kind: remedy.DoUse}}},
		{"the source that has the library", "[toolkit]\nmin = \"11.8\"\ncomponents = [\"nvcc\", \"cublaslt\", \"cublas\"]\n", []string{"apt", "pip"}, []resolve.Offer{apt, pip},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "13.0", Source: "pip", With: []string{"cublas"}}, {Kind: remedy.DoUse}}},
		{"an update that is asked for", "[toolkit]\nrecommended = \"12.4.1\"\nmin = \"12\"\n", []string{"apt", "pip"}, []resolve.Offer{apt, pip},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "12.4.1", Source: "apt"}, {Kind: remedy.DoUse}}},
		{"the first source, not the one with the newer update", "[toolkit]\nmin = \"11.8\"\n", []string{"redist", "pip"}, []resolve.Offer{pip, offerOf("redist", "13.0.1"), offerOf("redist", "13.0.2")},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "13.0", Source: "redist"}, {Kind: remedy.DoUse}}},
		{"the first source with a release inside the bands, not the newest release", "[toolkit]\nmin = \"11.8\"\n", []string{"redist", "pip"}, []resolve.Offer{offerOf("pip", "13.4.0"), offerOf("redist", "12.9.1")},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "12.9", Source: "redist"}, {Kind: remedy.DoUse}}},
		{"the second source where the first has nothing inside", "[toolkit]\nmin = \"13.0\"\n", []string{"redist", "pip"}, []resolve.Offer{offerOf("pip", "13.4.0"), offerOf("redist", "12.9.1")},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "13.4", Source: "pip"}, {Kind: remedy.DoUse}}},
		{"the recommended release of a later source", contract, []string{"redist", "pip"}, []resolve.Offer{pip, offerOf("redist", "12.9.1")},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "13.0", Source: "pip"}, {Kind: remedy.DoUse}}},
		{"the recommended release of both", contract, []string{"redist", "pip"}, []resolve.Offer{pip, offerOf("redist", "13.0.2")},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "13.0", Source: "redist"}, {Kind: remedy.DoUse}}},
		{"the recommended update of a later source", "[toolkit]\nmin = \"11.8\"\nrecommended = \"13.0.3\"\n", []string{"redist", "pip"}, []resolve.Offer{pip, offerOf("redist", "13.0.2")},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "13.0.3", Source: "pip"}, {Kind: remedy.DoUse}}},
		{"a later update of the source is kept out", "[toolkit]\nmin = \"11.8\"\nexclude = [\"13.0.2\"]\n", []string{"redist"}, []resolve.Offer{offerOf("redist", "13.0.2"), offerOf("redist", "13.0.1")},
			[]remedy.Action{{Kind: remedy.DoInstall, Release: "13.0.1", Source: "redist"}, {Kind: remedy.DoUse}}},
		{"no source", contract, []string{}, nil, []remedy.Action{{}, {Kind: remedy.DoUse}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := input(t, "ubuntu-bare", tt.contract)
			in.Machine.Compilers = []fact.Compiler{{Family: "gcc", Command: "g++", Path: "/usr/bin/g++", Version: fact.Of("12.2.0", "test"), Default: true, Cxx: true}}
			a := remedy.Plan(remedy.Input{Verify: in, Sources: tt.sources, Offers: tt.offers, UserSpace: true})
			if d := cmp.Diff(tt.want, actions(t, a)); d != "" {
				t.Errorf("actions (-want +got):\n%s", d)
			}
		})
	}
}

// TestWordsOfOwnToolkit: a plan names no folder and no source that may turn out to be another, and says a flag once.
func TestWordsOfOwnToolkit(t *testing.T) {
	for _, tt := range []struct {
		name    string
		sources []string
		want    []string
	}{
		{"nobody was asked", nil, []string{"install CUDA 12.9 in your own folder", "cupel toolkit install 12.9", "use the CUDA 12.9 that cupel installs in the shell that builds", `eval "$(cupel env --python /v/bin/python --toolkit 12.9)"`}},
		{"pip answered", []string{"pip", "redist"}, []string{"install CUDA 12.9 in your own folder, from redist", "cupel toolkit install 12.9 --from redist", "use the CUDA 12.9 that cupel installs in the shell that builds", `eval "$(cupel env --python /v/bin/python --toolkit 12.9)"`}},
	} {
		in := input(t, "ubuntu-bare", "[toolkit]\nmin = \"11.8\"\n")
		in.Machine.Compilers = []fact.Compiler{{Family: "gcc", Command: "g++", Path: "/usr/bin/g++", Version: fact.Of("12.2.0", "test"), Default: true, Cxx: true}}
		in.Choice.Flag, in.Flags = "12.9", "--python /v/bin/python --toolkit 12.9"
		a := remedy.Plan(remedy.Input{Verify: in, Sources: tt.sources, Offers: []resolve.Offer{offerOf("redist", "12.9.1"), offerOf("pip", "13.0.3")}})
		var got []string
		for _, s := range a.Plans[0].Steps {
			got = append(append(got, s.Title), s.Commands...)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: titles and commands (-want +got):\n%s", tt.name, d)
		}
	}
}

// actions are those of the first plan; zero for a step that a person does. Where a toolkit will be is not compared.
func actions(t *testing.T, a remedy.Answer) []remedy.Action {
	t.Helper()
	if len(a.Plans) == 0 {
		t.Fatalf("no plan: %+v", a)
	}
	var out []remedy.Action
	for _, s := range a.Plans[0].Steps {
		if s.Does == nil {
			out = append(out, remedy.Action{})
			continue
		}
		does := *s.Does
		does.Toolkit = ""
		out = append(out, does)
	}
	return out
}

// TestUserSpaceFirst: to complete a toolkit takes root here; a command that acts installs another one instead, while a
// plan for a person completes it.
func TestUserSpaceFirst(t *testing.T) {
	in := input(t, "ubuntu-l4", "[toolkit]\nmin = \"13.0\"\nmax-verified = \"13.0\"\ncomponents = [\"nvcc\", \"cublas\"]\n")
	lacks("cublas")(&in.Machine)
	offers := []resolve.Offer{offerOf("pip", "13.0.3", "cublas")}
	for _, tt := range []struct {
		userSpace bool
		want      string
	}{{false, "apt-parts"}, {true, "cupel-toolkit"}} {
		a := remedy.Plan(remedy.Input{Verify: in, Sources: []string{"pip"}, Offers: offers, UserSpace: tt.userSpace})
		if got := a.Plans[0].Steps[0].ID; got != tt.want {
			t.Errorf("with user space first %t the step is %s, want %s", tt.userSpace, got, tt.want)
		}
	}
}

// TestCompilerOfOwn: a gcc that cupel brings needs apt to answer.
func TestCompilerOfOwn(t *testing.T) {
	for _, tt := range []struct {
		sources []string
		want    string
	}{{nil, "cupel-gcc"}, {[]string{"apt"}, "cupel-gcc"}, {[]string{"pip"}, "apt-gcc"}} {
		in := input(t, "ubuntu-l4", "[toolkit]\nmin = \"12.4\"\n[host.linux]\ngcc = \"=12\"\n")
		a := remedy.Plan(remedy.Input{Verify: in, Sources: tt.sources})
		if got := a.Plans[0].Steps[0]; got.ID != tt.want || tt.want == "cupel-gcc" && (got.Does == nil || got.Does.Major != 12) {
			t.Errorf("with the sources %q the step is %s (%+v), want %s", tt.sources, got.ID, got.Does, tt.want)
		}
	}
}

// TestOwnToolkitGrows: what cupel installed is completed by cupel, cuDNN too, from the source it came from.
func TestOwnToolkitGrows(t *testing.T) {
	in := input(t, "ubuntu-l4", "[toolkit]\nmin = \"13.0\"\nmax-verified = \"13.0\"\ncomponents = [\"nvcc\", \"cublas\"]\n[components.cudnn]\n")
	lacks("cublas")(&in.Machine)
	in.Machine.Libraries = nil
	for i := range in.Machine.Toolkits {
		in.Machine.Toolkits[i].Origin, in.Machine.Toolkits[i].Installed = "cupel", &fact.Installed{Name: "13.0.2-redist-linux-x86_64", Source: "redist"}
	}
	a := remedy.Plan(remedy.Input{Verify: in, Sources: []string{"redist"}, UserSpace: true})
	want := []remedy.Action{
		{Kind: remedy.DoInstall, Release: "13.0.2", Source: "redist", With: []string{"cublas"}},
		{Kind: remedy.DoInstall, Release: "13.0.2", Source: "redist", With: []string{"cudnn"}},
	}
	if d := cmp.Diff(want, actions(t, a)); d != "" {
		t.Errorf("actions (-want +got):\n%s\n%+v", d, a.Plans[0].Steps)
	}
}

// TestForBuilding: what a program needs to run does not keep it from being built.
func TestForBuilding(t *testing.T) {
	for id, want := range map[string]bool{
		"toolkit-present": true, "host-compiler": true, "component-cudnn": false, "pin-std": false, "toolkit-active": false, "env-cuda-home": false, "kernels-k": true, "glibc-too-new": true,
		"driver-present": false, "driver-toolkit": false, "gpu-count": false, "arch-gpu": false, "driver-library-mismatch": false, "ptx-newer-than-driver": false,
	} {
		c := verify.Check{}
		c.ID = id
		if got := remedy.ForBuilding(c); got != want {
			t.Errorf("ForBuilding(%s) = %t, want %t", id, got, want)
		}
	}
}
