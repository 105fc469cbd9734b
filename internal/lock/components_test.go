package lock

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/fact"
)

var (
	sumOne = strings.Repeat("1", 64)
	sumTwo = strings.Repeat("2", 64)
)

// own is the machine with a toolkit that cupel made of these files.
func own(source string, components ...fact.Component) fact.Machine {
	m := machine()
	m.Toolkits[0].Origin = "cupel"
	m.Toolkits[0].Installed = &fact.Installed{Name: "12.4.1-" + source + "-linux-x86_64", Source: source, Components: components}
	return m
}

func TestMakeComponents(t *testing.T) {
	in := input(t, contractText, own("apt",
		fact.Component{Name: "nvidia-cuda-toolkit", Version: "12.4.131~12.4.1-2", File: "nvidia-cuda-toolkit_12.4.131~12.4.1-2_amd64.deb", SHA256: sumOne, Size: 5},
		fact.Component{Name: "unnamed", Version: "1", File: "", SHA256: sumOne, Size: 5}))
	p := Make(in, answer(in)).Platforms["linux-amd64"]
	want := []Component{{"nvidia-cuda-toolkit", "12.4.131~12.4.1-2", "nvidia-cuda-toolkit_12.4.131~12.4.1-2_amd64.deb", sumOne, 5}}
	if !cmp.Equal(p.Components, want) || p.Toolkit.Source != "apt" {
		t.Errorf("source %q, components %+v, want apt and %+v", p.Toolkit.Source, p.Components, want)
	}
	if _, err := Parse("cupel.lock", Format(Make(in, answer(in)))); err != nil {
		t.Errorf("what is written cannot be read: %v", err)
	}
}

func TestCheckComponents(t *testing.T) {
	nvcc := fact.Component{Name: "nvcc", Version: "12.4.131", File: "n.tar.xz", SHA256: sumOne, Size: 5}
	other := nvcc
	other.SHA256 = sumTwo
	extra := fact.Component{Name: "cublas", Version: "12.4", File: "b.tar.xz", SHA256: sumTwo, Size: 5}
	locked := input(t, contractText, own("redist", nvcc))
	l := Make(locked, answer(locked))
	for _, tt := range []struct {
		name string
		m    fact.Machine
		want string
	}{
		{"the same files", own("redist", nvcc), ""},
		{"more than is locked", own("redist", nvcc, extra), ""},
		{"another file", own("redist", other), "nvcc is 12.4.131 (22222222), locked is 12.4.131 (11111111)"},
		{"a file is missing", own("redist", extra), "nvcc 12.4.131 is not there"},
		{"another source packs otherwise", own("pip", other), ""},
		{"not cupel's", machine(), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := input(t, contractText, tt.m)
			got := ""
			for _, f := range Check("cupel.lock", &l, in, answer(in)) {
				if f.ID == "lock-components-differ" {
					got = f.Why
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOfSource(t *testing.T) {
	l := &Lock{Platforms: map[string]Platform{"linux-amd64": {Toolkit: Toolkit{Release: "13.0.2", Source: "pip"}, Components: []Component{{Name: "n"}}}}}
	for _, tt := range []struct {
		name, platform, source, release string
		want                            int
	}{
		{"what is locked", "linux-amd64", "pip", "13.0.2", 1},
		{"WSL2 takes that of Linux", "wsl2-amd64", "pip", "13.0.2", 1},
		{"another source", "linux-amd64", "redist", "13.0.2", 0},
		{"another release", "linux-amd64", "pip", "13.0.1", 0},
		{"another platform", "windows-amd64", "pip", "13.0.2", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := l.OfSource(tt.platform, tt.source, tt.release); len(got) != tt.want {
				t.Errorf("OfSource(%s, %s, %s) = %+v, want %d", tt.platform, tt.source, tt.release, got, tt.want)
			}
		})
	}
	if got := (*Lock)(nil).OfSource("linux-amd64", "pip", "13.0.2"); got != nil {
		t.Errorf("no lock: %+v", got)
	}
}
