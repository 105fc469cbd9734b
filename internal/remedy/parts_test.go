package remedy

import (
	"strings"
	"testing"

	"cupel/data"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/version"
)

func bands(t *testing.T, text string) contract.Bands {
	t.Helper()
	c, wrong := contract.Parse("cupel.toml", []byte("cupel = 1\n[project]\nname = \"demo\"\n[toolkit]\n"+text))
	if len(wrong) > 0 {
		t.Fatal(wrong[0].What)
	}
	return c.Toolkit.Bands
}

// TestRank: the recommended release, then the newest verified one, then what nobody verified, the nearest first.
func TestRank(t *testing.T) {
	for _, tt := range []struct{ name, bands, order string }{
		{"recommended first", "min = \"12.0\"\nrecommended = \"12.4\"\nmax-verified = \"12.9\"", "12.4.1 12.9.1 12.8.1 12.6.3 12.0.0 13.0.2 13.1.0"},
		{"nothing recommended", "min = \"12.0\"\nmax-verified = \"12.8\"", "12.8.1 12.6.3 12.4.1 12.9.1 13.0.2"},
		{"no end", "min = \"12.0\"", "13.2.0 13.0.2 12.9.1 12.0.0"},
		{"an update is recommended", "min = \"12.0\"\nrecommended = \"12.4.0\"\nmax-verified = \"12.8\"", "12.4.0 12.8.1 12.6.3 12.4.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := bands(t, tt.bands)
			last, lastRank := "", -1
			for _, text := range strings.Fields(tt.order) {
				got := rank(b, version.MustParse(text))
				if got <= lastRank {
					t.Errorf("rank(%s) = %d is not behind %s with %d", text, got, last, lastRank)
				}
				last, lastRank = text, got
			}
		})
	}
}

func machine(platform, distro, release, arch string) fact.Machine {
	os := "linux"
	if platform == fact.Windows {
		os = "windows"
	}
	return fact.Machine{System: fact.System{OS: os, Platform: platform, Arch: arch, Home: "/home/x", Distro: fact.Of(fact.Distro{ID: distro, Version: release}, "")}, Env: map[string]string{}}
}

// TestWays: which ways hold where.
func TestWays(t *testing.T) {
	for _, tt := range []struct {
		name        string
		m           fact.Machine
		gives, want string
	}{
		{"Ubuntu", machine(fact.Linux, "ubuntu", "24.04", "amd64"), "toolkit", "cupel-toolkit runfile-home apt-nvidia"},
		{"Rocky 9.4 is rhel9", machine(fact.Linux, "rocky", "9.4", "amd64"), "toolkit", "cupel-toolkit runfile-home dnf-nvidia"},
		{"Fedora", machine(fact.Linux, "fedora", "41", "amd64"), "toolkit", "cupel-toolkit runfile-home dnf5-nvidia"},
		{"a distribution that is not in the table", machine(fact.Linux, "nixos", "25.05", "amd64"), "toolkit", "cupel-toolkit runfile-home"},
		{"WSL2", machine(fact.WSL2, "ubuntu", "22.04", "amd64"), "toolkit", "cupel-toolkit apt-wsl"},
		{"WSL2 on arm", machine(fact.WSL2, "ubuntu", "22.04", "arm64"), "toolkit", "cupel-toolkit"},
		{"WSL2 with another manager", machine(fact.WSL2, "fedora", "41", "amd64"), "toolkit", "cupel-toolkit"},
		{"Windows", machine(fact.Windows, "windows", "11", "amd64"), "toolkit", "cupel-toolkit winget windows-exe"},
		{"Jetson", machine(fact.Jetson, "ubuntu", "22.04", "arm64"), "toolkit", ""},
		{"driver of Ubuntu", machine(fact.Linux, "ubuntu", "24.04", "amd64"), "driver", "apt-driver-open apt-driver-open-590 apt-driver"},
		{"driver under WSL2", machine(fact.WSL2, "ubuntu", "24.04", "amd64"), "driver", "wsl-driver"},
		{"compiler of Ubuntu", machine(fact.Linux, "ubuntu", "24.04", "amd64"), "compiler", "cupel-gcc apt-gcc"},
		{"compiler of Fedora", machine(fact.Linux, "fedora", "41", "amd64"), "compiler", "dnf-gcc"},
		{"Visual Studio where there is none", machine(fact.Windows, "windows", "11", "amd64"), "compiler", "vs-2022 vs-2022-14.38"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, o := range groundsOf(tt.m).ways(tt.gives) {
				got = append(got, o.way.ID)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("ways(%s) = %q, want %q", tt.gives, strings.Join(got, " "), tt.want)
			}
		})
	}
}

func TestConditions(t *testing.T) {
	conda := machine(fact.Linux, "ubuntu", "24.04", "amd64")
	conda.Env["CONDA_PREFIX"] = "/opt/conda"
	if got := groundsOf(conda).ways("toolkit")[1].way.ID; got != "conda-forge" {
		t.Errorf("with conda the second way is %s, want conda-forge", got)
	}
	inside := machine(fact.Linux, "ubuntu", "24.04", "amd64")
	inside.System.Container = fact.Of("docker", "")
	if got := groundsOf(inside).ways("driver"); len(got) != 1 || got[0].way.ID != "docker-gpus" {
		t.Errorf("a driver can be installed inside a container: %v", got)
	}
	studio := machine(fact.Windows, "windows", "11", "amd64")
	studio.VS = []fact.VisualStudio{{Path: `C:\VS`, Version: "17.9.6"}}
	o := groundsOf(studio).ways("compiler")[0]
	if got := groundsOf(studio).fill(o, version.V{}).lines[0]; o.way.ID != "vs-modify" || !strings.Contains(got, `--installPath "C:\VS"`) {
		t.Errorf("with Visual Studio the way is %s: %s", o.way.ID, got)
	}
}

// TestReleases: a way gives the newest update of each X.Y that it has inside the bands.
func TestReleases(t *testing.T) {
	for _, tt := range []struct{ name, way, bands, want string }{
		{"runfile, only what has an installer", "runfile-home", "min = \"12.8\"", "12.8.1 12.9.1 13.0.2 13.1.2 13.2.1 13.3.1"},
		{"an update that is recommended", "runfile-home", "min = \"12.4\"\nrecommended = \"12.4.0\"\nexclude = [\">=12.5\"]", "12.4.0"},
		{"the repository begins with 12.5", "apt-nvidia", "min = \"12.0\"\nexclude = [\">=12.9\"]", "12.5.1 12.6.3 12.8.2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := groundsOf(machine(fact.Linux, "ubuntu", "24.04", "amd64"))
			var got []string
			for _, o := range g.ways("toolkit") {
				if o.way.ID != tt.way {
					continue
				}
				for _, v := range g.releases(o, bands(t, tt.bands)) {
					got = append(got, v.String())
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("releases(%s, %q) = %q, want %q", tt.way, tt.bands, strings.Join(got, " "), tt.want)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    bool
	}{
		{"cupel plan", false},
		{"cupel doctor --need gpu", false},
		{"cupel doctor --json > ci/runner.json", true},
		{"nvidia-smi", false},
		{"sudo nvidia-smi -i 0 -c DEFAULT", true},
		{"sudo apt-get install -y git", true},
		{"", false},
	} {
		if got := changes(finding.Step{Command: tt.command}); got != tt.want {
			t.Errorf("changes(%q) = %t, want %t", tt.command, got, tt.want)
		}
	}
}

// TestEveryWayIsFilled: no template word is left over, whatever the machine.
func TestEveryWayIsFilled(t *testing.T) {
	m := machine(fact.Linux, "ubuntu", "24.04", "amd64")
	m.Env["CONDA_PREFIX"] = "/opt/conda"
	g := groundsOf(m)
	for i, w := range data.Ways() {
		o := g.fill(offer{way: w, order: i}, version.MustParse("12.4.1"), "<gcc>", "12", "<branch>", "580", "<driver>", "580.65.06", "<packages>", "libcublas-dev-12-4",
			"<asked>", "12.4", "<with>", "", "<from>", "", "<source>", "pip", "<platform>", "linux-x86_64")
		for _, text := range append(o.commands(nil), o.title, o.root, o.note, o.command) {
			if strings.ContainsAny(text, "<>") {
				t.Errorf("way %s: %q is not filled", w.ID, text)
			}
		}
	}
}

// TestDriverWays: the package by distribution, GPU and branch. Before Turing there is the proprietary module alone, up
// to branch 580; from 590 on Ubuntu's packages have no branch in their names.
func TestDriverWays(t *testing.T) {
	for _, tt := range []struct{ distro, release, cc, wanted, want, line string }{
		{"ubuntu", "24.04", "8.9", "525.60.13", "apt-driver-open", "sudo apt-get install -y nvidia-open-560"},
		{"ubuntu", "24.04", "8.9", "570.26", "apt-driver-open", "sudo apt-get install -y nvidia-open-570"},
		{"ubuntu", "24.04", "7.5", "575.51", "apt-driver-open", "sudo apt-get install -y nvidia-open-580"},
		{"ubuntu", "24.04", "12.0", "590.44.01", "apt-driver-open-590", "sudo apt-get install -y nvidia-driver-pinning-590"},
		{"ubuntu", "22.04", "7.0", "550.54.14", "apt-driver", "sudo apt-get install -y cuda-drivers-550"},
		{"ubuntu", "22.04", "7.0", "590.44.01", "", ""},
		{"debian", "13", "8.6", "570.26", "apt-driver-open-debian", "sudo apt-get install -y nvidia-driver-pinning-580"},
		{"debian", "13", "8.6", "595.58.03", "apt-driver-open-debian", "sudo apt-get install -y linux-headers-$(uname -r)"},
		{"debian", "12", "6.1", "550.54.14", "apt-driver-debian", "sudo apt-get install -y cuda-drivers"},
		{"rocky", "9.4", "9.0", "580.65.06", "dnf-driver-open", "sudo dnf module install -y nvidia-driver:open-dkms"},
		{"rocky", "9.4", "7.0", "570.26", "dnf-driver", "sudo dnf module install -y nvidia-driver:580-dkms"},
		{"nixos", "25.05", "9.0", "580.65.06", "", ""},
	} {
		t.Run(tt.distro+" "+tt.cc+" "+tt.wanted, func(t *testing.T) {
			m := machine(fact.Linux, tt.distro, tt.release, "amd64")
			m.GPUs = []fact.GPU{{Name: "x", CC: fact.Of(tt.cc, "")}}
			all := groundsOf(m).driverWays(version.MustParse(tt.wanted), version.V{})
			var ids []string
			var lines string
			for _, o := range all {
				ids, lines = append(ids, o.way.ID), lines+strings.Join(o.commands(nil), "\n")+"\n"
			}
			if strings.Join(ids, " ") != tt.want || !strings.Contains(lines, tt.line) {
				t.Errorf("driverWays(%s) = %q, want %q with %q:\n%s", tt.wanted, strings.Join(ids, " "), tt.want, tt.line, lines)
			}
		})
	}
}

// TestMixedGPUs: the oldest GPU decides on the module, because one module drives all of them.
func TestMixedGPUs(t *testing.T) {
	m := machine(fact.Linux, "ubuntu", "24.04", "amd64")
	m.GPUs = []fact.GPU{{CC: fact.Of("8.9", "")}, {CC: fact.Of("7.0", "")}}
	if all := groundsOf(m).driverWays(version.MustParse("570.26"), version.V{}); len(all) != 1 || all[0].way.Module != "proprietary" {
		t.Errorf("driverWays = %+v, want the proprietary module alone", all)
	}
}

// TestOwnToolset: the toolset that Visual Studio's own component brings follows from its version.
func TestOwnToolset(t *testing.T) {
	for _, tt := range []struct{ studio, toolset, cl string }{
		{"17.0.1", "14.30", "19.30"},
		{"17.8.3", "14.38", "19.38"},
		{"17.10.0", "14.40", "19.40"},
		{"17.14.2", "14.44", "19.44"},
	} {
		m := machine(fact.Windows, "windows", "11", "amd64")
		m.VS = []fact.VisualStudio{{Path: `C:\VS`, Version: tt.studio}}
		g := groundsOf(m)
		w := g.toolset(g.ways("compiler")[0].way)
		if w.Toolset != tt.toolset || w.Cl != tt.cl {
			t.Errorf("toolset of Visual Studio %s = %s with cl %s, want %s with %s", tt.studio, w.Toolset, w.Cl, tt.toolset, tt.cl)
		}
	}
}

// TestKeepsTorch: the environment's torch decides on the major.
func TestKeepsTorch(t *testing.T) {
	m := machine(fact.Linux, "ubuntu", "24.04", "amd64")
	m.Env["CONDA_PREFIX"] = "/opt/conda/envs/a"
	m.Pythons = []fact.Python{{Path: "/opt/conda/envs/a/bin/python", TorchCUDA: fact.Of("12.8", "")}}
	conda := groundsOf(m).ways("toolkit")[1]
	for _, tt := range []struct {
		release string
		want    bool
	}{{"12.9.1", true}, {"13.0.2", false}} {
		if got := keepsTorch(m, conda, version.MustParse(tt.release)); got != tt.want {
			t.Errorf("keepsTorch(%s, %s) = %t, want %t", conda.way.ID, tt.release, got, tt.want)
		}
	}
}
