package lock

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/verify"
)

const contractText = `cupel = 1
[project]
name = "x"
[toolkit]
min = "12.0"
exclude = [{ release = "12.5", reason = "wrong code" }]
[arch]
targets = ["8.0", "sm_90"]
ptx = "highest"
`

func machine() fact.Machine {
	return fact.Machine{
		System: fact.System{OS: "linux", Platform: "linux", Arch: "amd64"},
		Toolkits: []fact.Toolkit{{Root: "/k", Release: fact.Of("12.4.1", "t"), Nvcc: fact.Of("12.4.131", "t"), Origin: "installer",
			Parts: map[string]string{fact.PartNvcc: "/k/bin/nvcc"}}},
		Compilers: []fact.Compiler{
			{Family: "gcc", Command: "g++", Path: "/usr/bin/g++", Version: fact.Of("12.2.0", "t"), Default: true, Cxx: true},
			{Family: "gcc", Command: "g++-11", Path: "/usr/bin/g++-11", Version: fact.Of("11.3.0", "t"), Cxx: true},
		},
	}
}

func input(t *testing.T, text string, m fact.Machine) verify.Input {
	t.Helper()
	c, wrong := contract.Parse("cupel.toml", []byte(text))
	if len(wrong) > 0 {
		t.Fatalf("%+v", wrong)
	}
	return verify.Input{Contract: c, Machine: m, Platform: contract.Platform{Name: "linux"}}
}

// answer is what verify says of the toolkit, no more.
func answer(in verify.Input) verify.Answer {
	_, chosen := choice.Toolkit(in.Machine, in.Choice)
	return verify.Answer{Chosen: chosen}
}

func TestMake(t *testing.T) {
	in := input(t, contractText, machine())
	want := Lock{Cupel: 1, Platforms: map[string]Platform{"linux-amd64": {Contract: in.Contract.Sum,
		Toolkit: Toolkit{Release: "12.4.1", Nvcc: "12.4.131", Source: "installer"}, Host: &Host{"gcc", "12.2.0"}, Arch: &Arch{[]string{"sm_80", "sm_90"}, "highest"}}}}
	if diff := cmp.Diff(want, Make(in, answer(in))); diff != "" {
		t.Errorf("lock (-want +got):\n%s", diff)
	}
	in.Host = "g++-11"
	if got := Make(in, answer(in)).Platforms["linux-amd64"].Host; got == nil || got.Version != "11.3.0" {
		t.Errorf("host with --host-compiler g++-11: %+v", got)
	}
	in.Machine.Toolkits = nil
	if got := Make(in, answer(in)); len(got.Platforms) != 0 {
		t.Errorf("lock without a toolkit: %+v", got)
	}
}

func TestCheck(t *testing.T) {
	change := func(f func(*Platform)) func(*Lock) {
		return func(l *Lock) {
			p := l.Platforms["linux-amd64"]
			f(&p)
			l.Platforms["linux-amd64"] = p
		}
	}
	for _, tt := range []struct {
		name    string
		text    string
		lock    func(*Lock)
		machine func(*fact.Machine)
		want    []string
	}{
		{"it fits", contractText, nil, nil, nil},
		{"a comment more", contractText + "# x\n", nil, nil, []string{"info lock-contract-changed"}},
		{"another platform", contractText, func(l *Lock) { delete(l.Platforms, "linux-amd64") }, nil, []string{"error lock-platform-missing"}},
		{"a higher minimum", contractText[:len(contractText)-len("ptx = \"highest\"\n")] + "[toolkit.linux]\nmin = \"12.6\"\n", nil, nil, []string{"error lock-outside-contract"}},
		{"a release that is excluded", contractText, change(func(p *Platform) { p.Toolkit.Release = "12.5.1" }), nil, []string{"error lock-outside-contract", "error lock-toolkit-differs"}},
		{"other architectures", contractText, change(func(p *Platform) { p.Arch = &Arch{Targets: []string{"sm_80"}} }), nil, []string{"error lock-arch-differs"}},
		{"other PTX", contractText, change(func(p *Platform) { p.Arch.PTX = "none" }), nil, []string{"error lock-arch-differs"}},
		{"PTX that was not said", contractText, change(func(p *Platform) { p.Arch.PTX = "" }), nil, []string{"error lock-arch-differs"}},
		{"no architectures locked", contractText, change(func(p *Platform) { p.Arch = nil }), nil, []string{"error lock-arch-differs"}},
		{"no toolkit here", contractText, nil, func(m *fact.Machine) { m.Toolkits = nil }, []string{"error lock-toolkit-missing"}},
		{"another toolkit here", contractText, nil, func(m *fact.Machine) { m.Toolkits[0].Release.Value = "12.6.3" }, []string{"error lock-toolkit-differs"}},
		{"another build of nvcc", contractText, nil, func(m *fact.Machine) { m.Toolkits[0].Nvcc.Value = "12.4.99" }, []string{"error lock-nvcc-differs"}},
		{"another major of gcc", contractText, change(func(p *Platform) { p.Host = &Host{"gcc", "11.3.0"} }), nil, []string{"error lock-host-differs"}},
		{"another minor of gcc", contractText, change(func(p *Platform) { p.Host = &Host{"gcc", "12.3.0"} }), nil, []string{"warning lock-host-differs"}},
		{"another family", contractText, change(func(p *Platform) { p.Host = &Host{"clang", "12.2.0"} }), nil, []string{"error lock-host-differs"}},
		{"no compiler here", contractText, nil, func(m *fact.Machine) { m.Compilers = nil }, []string{"error lock-host-differs"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := input(t, contractText, machine())
			l := Make(first, answer(first))
			if tt.lock != nil {
				tt.lock(&l)
			}
			m := machine()
			if tt.machine != nil {
				tt.machine(&m)
			}
			in := input(t, tt.text, m)
			in.Choice.Lock = l.Release("linux-amd64")
			var got []string
			for _, f := range Check("cupel.lock", &l, in, answer(in)) {
				got = append(got, string(f.Severity)+" "+f.ID)
				if f.What == "" || f.Why == "" || len(f.Next) == 0 {
					t.Errorf("%+v does not say what, why and next", f)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNext: the steps lead where the lock can be met, and never to a plan that has nothing to do.
func TestNext(t *testing.T) {
	second := fact.Toolkit{Root: "/j", Release: fact.Of("12.6.3", "t"), Nvcc: fact.Of("12.6.85", "t"), Parts: map[string]string{fact.PartNvcc: "/j/bin/nvcc"}}
	twin := fact.Toolkit{Root: "/twin", Release: fact.Of("12.4.1", "t"), Nvcc: fact.Of("12.4.99", "t"), Parts: map[string]string{fact.PartNvcc: "/twin/bin/nvcc"}}
	const instead = "cupel lock"
	for _, tt := range []struct {
		name   string
		locked Platform
		more   []fact.Toolkit
		flags  string
		named  string
		want   []string
	}{
		{"not installed", Platform{Toolkit: Toolkit{Release: "12.6.3"}}, nil, "", "", []string{"cupel plan --toolkit 12.6.3", instead}},
		{"not installed, with a Python", Platform{Toolkit: Toolkit{Release: "12.6.3"}}, nil, "--python .venv", "", []string{"cupel plan --python .venv --toolkit 12.6.3", instead}},
		{"installed, another one asked for", Platform{Toolkit: Toolkit{Release: "12.6.3"}}, []fact.Toolkit{second}, "--toolkit 12.4", "12.4", []string{"cupel env --toolkit 12.6.3", instead}},
		{"nothing chosen", Platform{Toolkit: Toolkit{Release: "12.6.3"}}, nil, "--toolkit 13.0", "13.0", []string{"cupel plan --toolkit 12.6.3"}},
		{"another build of nvcc", Platform{Toolkit: Toolkit{Release: "12.4.1", Nvcc: "12.4.99"}}, nil, "", "", []string{instead}},
		{"the other build is here", Platform{Toolkit: Toolkit{Release: "12.4.1", Nvcc: "12.4.99"}}, []fact.Toolkit{twin}, "", "", []string{"", instead}},
		{"a compiler that is here", Platform{Toolkit: Toolkit{Release: "12.4.1"}, Host: &Host{"gcc", "11.3.0"}}, nil, "", "", []string{"cupel env --host-compiler g++-11"}},
		{"a compiler that is not", Platform{Toolkit: Toolkit{Release: "12.4.1"}, Host: &Host{"gcc", "9.4.0"}}, nil, "", "", []string{"", instead}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine()
			m.Toolkits = append(m.Toolkits, tt.more...)
			in := input(t, "cupel = 1\n[project]\nname = \"x\"\n", m)
			in.Flags, in.Choice.Flag = tt.flags, tt.named
			tt.locked.Contract = in.Contract.Sum
			l := Lock{Cupel: 1, Platforms: map[string]Platform{"linux-amd64": tt.locked}}
			if tt.locked.Toolkit.Nvcc != "" {
				in.Choice.Flag = "/k"
			}
			found := Check("cupel.lock", &l, in, answer(in))
			if len(found) != 1 {
				t.Fatalf("%d findings, want one: %+v", len(found), found)
			}
			var got []string
			for _, s := range found[0].Next {
				got = append(got, s.Command)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("next of %s (-want +got):\n%s", found[0].ID, diff)
			}
		})
	}
}

// TestUpdateNotTold: a toolkit that tells 12.9 alone may be the 12.9.1 of a bound. Verify warns, lock writes it, and
// what was written fits; 12.8 is below, told or not.
func TestUpdateNotTold(t *testing.T) {
	for _, tt := range []struct {
		bands, release string
		want           []string
	}{
		{`min = "12.9.1"`, "12.9", nil},
		{`min = "12.9.1"`, "12.9.0", []string{"lock-outside-contract"}},
		{`min = "12.9.1"`, "12.8", []string{"lock-outside-contract"}},
		{`exclude = ["12.9.1"]`, "12.9", nil},
		{`exclude = ["12.9.1"]`, "12.9.1", []string{"lock-outside-contract"}},
		{`exclude = ["12.9"]`, "12.9", []string{"lock-outside-contract"}},
		{`max-verified = "12.6"`, "12.9", nil},
	} {
		t.Run(tt.bands+" and "+tt.release, func(t *testing.T) {
			m := machine()
			m.Toolkits[0].Release.Value = tt.release
			in := input(t, "cupel = 1\n[project]\nname = \"x\"\n[toolkit]\n"+tt.bands+"\n", m)
			l := Make(in, answer(in))
			var got []string
			for _, f := range Check("cupel.lock", &l, in, answer(in)) {
				got = append(got, f.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			in.Only = []string{"toolkit-band"}
			for _, c := range verify.Judge(in).Findings {
				if failed := c.Status == verify.Fail; c.ID == "toolkit-band" && failed != (len(tt.want) > 0) {
					t.Errorf("verify says %s (%s): it and the lock do not agree", c.Status, c.Found)
				}
			}
		})
	}
}
