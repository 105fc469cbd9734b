package rule_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
	"cupel/internal/rule"
	"cupel/internal/version"
)

// bare is a machine without a toolkit: a distribution, a C library and what is given.
func bare(distro, release, glibc string, more func(*fact.Machine)) fact.Machine {
	m := fact.Machine{System: fact.System{OS: "linux", Platform: fact.Linux, Arch: "amd64"}}
	m.System.Distro = fact.Of(fact.Distro{ID: distro, Version: release}, "test")
	m.System.Glibc = fact.Of(glibc, "test")
	if more != nil {
		more(&m)
	}
	return m
}

func withGCC(v string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Compilers = []fact.Compiler{{Family: "gcc", Command: "g++", Path: "/usr/bin/g++", Version: fact.Of(v, "test"), Default: true, Cxx: true}}
	}
}

// nextOf are the commands that a finding tells to run.
func nextOf(t *testing.T, all []finding.Finding, id string) []string {
	t.Helper()
	f := find(all, id)
	if f == nil {
		t.Fatalf("%s does not fire in %+v", id, all)
	}
	var out []string
	for _, s := range f.Next {
		out = append(out, s.Command)
	}
	return out
}

// newest is the X.Y of the last release in the table that is not for trying.
func newest(t *testing.T) string {
	t.Helper()
	for _, r := range slices.Backward(compat.Releases()) {
		if !r.Preview {
			return version.MustParse(r.Version).Short().String()
		}
	}
	t.Fatal("no release")
	return ""
}

// TestNoToolkitNamesCupel: the first thing to do without a toolkit is what cupel itself can do.
func TestNoToolkitNamesCupel(t *testing.T) {
	driver := func(v, gcc string) func(*fact.Machine) {
		return func(m *fact.Machine) {
			withGCC(gcc)(m)
			m.Driver.Kernel, m.Driver.UserMode = fact.Of(v, "test"), fact.Of(v, "test")
		}
	}
	volta := func(m *fact.Machine) {
		withGCC("12.2.0")(m)
		m.GPUs = []fact.GPU{{Name: "Tesla V100", CC: fact.Of("7.0", "test")}}
	}
	install := "cupel toolkit install " + newest(t)
	for _, tt := range []struct {
		name     string
		m        fact.Machine
		contract bool
		want     []string // how the first commands begin
	}{
		{"a gcc that the newest take", bare("debian", "12", "2.36", withGCC("12.2.0")), false, []string{install}},
		{"with a contract", bare("debian", "12", "2.36", withGCC("12.2.0")), true, []string{"cupel up", install}},
		{"no compiler, and the distribution has one", bare("debian", "12", "2.36", nil), false, []string{install + " --with-host-compiler"}},
		{"no compiler, and nobody knows where from", bare("arch", "", "2.42", nil), false, []string{install}},
		{"an old gcc", bare("ubuntu", "20.04", "2.31", withGCC("9.4.0")), false, []string{install}},
		{"a driver of the 12 branch", bare("ubuntu", "22.04", "2.35", driver("550.54.14", "11.4.0")), false, []string{"cupel toolkit install 12.4"}},
		{"a GPU that 13 dropped", bare("debian", "12", "2.36", volta), false, []string{"cupel toolkit install 12.9"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := nextOf(t, rule.Judge(&rule.Input{Machine: tt.m, HasContract: tt.contract}), "no-toolkit")
			if len(got) < len(tt.want) || strings.Join(got[:len(tt.want)], "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("next = %q, want it to begin with %q", got, tt.want)
			}
		})
	}
}

// TestOwnToolkitIsMended: what cupel installed is compared and installed again by cupel; another one as it came.
func TestOwnToolkitIsMended(t *testing.T) {
	kit := fact.Toolkit{Root: "/h/c", Release: fact.Of("13.0.2", "test"), Origin: "cupel", Parts: map[string]string{fact.PartNvcc: "/h/c/bin/nvcc"}, Missing: []string{fact.PartCrt},
		Installed: &fact.Installed{Name: "13.0.2-pip-linux-x86_64", Source: "pip"}}
	local := kit
	local.Installed = &fact.Installed{Name: "13.0.2-local-linux-x86_64", Source: "local"}
	for _, tt := range []struct {
		name string
		kit  fact.Toolkit
		want string
	}{
		{"cupel's own", kit, "cupel toolkit verify 13.0.2-pip-linux-x86_64\ncupel toolkit install 13.0.2 --from pip"},
		{"a root that is only registered", local, ""},
	} {
		m := bare("debian", "12", "2.36", withGCC("12.2.0"))
		m.Toolkits = []fact.Toolkit{tt.kit}
		in := &rule.Input{Machine: m, Chosen: choice.Pick{Toolkit: &m.Toolkits[0], By: choice.ByNewest}}
		if got := strings.Join(nextOf(t, rule.Judge(in), "toolkit-incomplete"), "\n"); got != tt.want {
			t.Errorf("%s: next = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestCompilerComesWithCupel: where no compiler here fits, cupel brings one from the distribution's packages.
func TestCompilerComesWithCupel(t *testing.T) {
	for _, tt := range []struct{ name, distro, release, want string }{
		{"Debian 13", "debian", "13", "cupel toolkit install 12.4 --with-host-compiler"},
		{"a distribution without apt", "fedora", "42", ""},
	} {
		m := bare(tt.distro, tt.release, "2.41", withGCC("14.2.0"))
		m.Toolkits = []fact.Toolkit{{Root: "/t", Release: fact.Of("12.4.1", "test"), Parts: map[string]string{fact.PartNvcc: "/t/bin/nvcc"}}}
		in := &rule.Input{Machine: m, Chosen: choice.Pick{Toolkit: &m.Toolkits[0], By: choice.ByNewest}}
		if got := nextOf(t, rule.Judge(in), "host-compiler-too-new")[0]; got != tt.want {
			t.Errorf("%s: the first command is %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestNextOfRecordedHosts: no machine that cupel has toolkits for is told to install one without naming the command.
func TestNextOfRecordedHosts(t *testing.T) {
	for _, id := range []string{"no-toolkit", "toolkit-runtime-only"} {
		path := filepath.Join(rulesDir, id+".txtar")
		if got := nextOf(t, judge(t, path, header(t, path)), id); !strings.HasPrefix(strings.Join(got, "\n"), "cupel toolkit install ") && !strings.Contains(strings.Join(got, "\n"), "\ncupel toolkit install ") {
			t.Errorf("%s: next = %q, want cupel toolkit install", id, got)
		}
	}
}
