package choice

import (
	"testing"

	"cupel/internal/fact"
)

// TestOwnCompiler: a compiler that cupel installed is taken where the default one does not fit, after one of the system.
func TestOwnCompiler(t *testing.T) {
	toolkit := fact.Toolkit{Root: "/k", Release: fact.Of("12.4.1", "t"), Bounds: fact.Of(fact.Bounds{GCCMax: 13}, "h"), Parts: map[string]string{fact.PartNvcc: "/k/bin/nvcc"}}
	gcc := func(command, version, origin string, def bool) fact.Compiler {
		return fact.Compiler{Family: "gcc", Command: command, Path: "/usr/bin/" + command, Version: fact.Of(version, "t"), Cxx: true, Origin: origin, Default: def}
	}
	newest, own, old := gcc("g++", "14.2.0", "", true), gcc("own", "13.3.0", "cupel", false), gcc("g++-12", "12.2.0", "", false)
	for _, tt := range []struct {
		name      string
		compilers []fact.Compiler
		want      string
	}{
		{"the default is too new", []fact.Compiler{newest, own}, "own"},
		{"there is no default", []fact.Compiler{own}, "own"},
		{"the system has one too", []fact.Compiler{newest, own, old}, "g++-12"},
		{"the default fits", []fact.Compiler{gcc("g++", "12.2.0", "", true), own}, "g++"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := fact.Machine{System: fact.System{OS: "linux", Platform: "linux", Arch: "amd64"}, Compilers: tt.compilers}
			best, _, why := FittingCompiler(m, toolkit)
			if best == nil || best.Command != tt.want {
				t.Errorf("FittingCompiler = %+v (%s), want %s", best, why, tt.want)
			}
		})
	}
}

// TestByName: a folder that cupel made can be asked for by its name, where two have the same release.
func TestByName(t *testing.T) {
	own := func(name string) fact.Toolkit {
		return fact.Toolkit{Root: "/t/" + name, Release: fact.Of("13.0.2", "t"), Parts: map[string]string{fact.PartNvcc: "/t/" + name + "/bin/nvcc"}, Installed: &fact.Installed{Name: name}}
	}
	m := fact.Machine{System: fact.System{OS: "linux", Platform: "linux", Arch: "amd64"}, Toolkits: []fact.Toolkit{own("13.0.2-pip-linux-x86_64"), own("13.0.2-redist-linux-x86_64")}}
	for _, tt := range []struct{ asked, want string }{
		{"13.0.2-redist-linux-x86_64", "/t/13.0.2-redist-linux-x86_64"},
		{"13.0.2-pip-linux-x86_64", "/t/13.0.2-pip-linux-x86_64"},
		{"13.0.2-apt-linux-x86_64", ""},
		{"smelter", ""},
	} {
		if _, got := Toolkit(m, Options{Flag: tt.asked}); got.Root != tt.want {
			t.Errorf("%s: %q (%s), want %q", tt.asked, got.Root, got.Reason, tt.want)
		}
	}
}
