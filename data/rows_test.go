package data

import (
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

var tableFiles = []string{
	"releases.toml", "host-compilers.toml", "archs.toml", "gpus.toml", "cudnn.toml",
	"distributions.toml", "variables.toml", "builders.toml", "codes.toml",
}

func readLoose(t *testing.T, text []byte, out any) {
	t.Helper()
	if err := toml.Unmarshal(text, out); err != nil {
		t.Fatal(err)
	}
}

// TestRowsAreUnique finds a row written twice: the second would silently never be found.
func TestRowsAreUnique(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
	}{
		{"releases", names(Releases(), func(r Release) string { return r.Version })},
		{"architectures", names(Archs(), func(r Arch) string { return r.SM })},
		{"products", names(GPUs(), func(r GPU) string { return strings.ToLower(r.Name) })},
		{"pci ids", pciIDs()},
		{"cudnn", names(CuDNNs(), func(r CuDNN) string { return r.Version })},
		{"distributions", names(Distributions(), func(r Distribution) string { return r.ID })},
		{"variables", names(Variables(), func(r Variable) string { return r.Name })},
		{"code names", names(Codes(), func(r Code) string { return r.Runtime })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen := map[string]bool{}
			for _, k := range tt.keys {
				if seen[k] {
					t.Errorf("%q stands twice", k)
				}
				seen[k] = true
			}
		})
	}
}

func names[T any](rows []T, key func(T) string) []string {
	var list []string
	for _, r := range rows {
		list = append(list, key(r))
	}
	return list
}

// pciIDs keeps one id per capability: several products may share a chip id, never two capabilities.
func pciIDs() []string {
	byID := map[string][]string{}
	for _, g := range GPUs() {
		for _, id := range g.PCI {
			if !slices.Contains(byID[id], g.CC) {
				byID[id] = append(byID[id], g.CC)
			}
		}
	}
	var list []string
	for id, ccs := range byID {
		for range ccs {
			list = append(list, id)
		}
	}
	return list
}

func TestCodesAscend(t *testing.T) {
	last := -1
	for _, c := range Codes() {
		if c.Code <= last {
			t.Errorf("code %d (%s) does not follow %d", c.Code, c.Runtime, last)
		}
		last = c.Code
	}
}

// TestVariableKinds keeps the kinds a closed list, because rules choose by them.
func TestVariableKinds(t *testing.T) {
	known := strings.Fields("toolkit-root compiler arch library-path path cudnn flags runtime mps python rust windows cmake " +
		"parallel cache container ci system temp cupel")
	for _, v := range Variables() {
		if !slices.Contains(known, v.Kind) {
			t.Errorf("%s: kind %q is not one of %v", v.Name, v.Kind, known)
		}
		if v.Meaning == "" {
			t.Errorf("%s has no meaning", v.Name)
		}
	}
}

func TestVariableByName(t *testing.T) {
	for _, tt := range []struct{ name, variable, os, want string }{
		{"exact", "CUDA_PATH", "linux", "CUDA_PATH"},
		{"pattern", "CUDA_PATH_V12_4", "windows", "CUDA_PATH_V*"},
		{"pattern needs a rest", "CUDA_PATH_V", "windows", ""},
		{"no case on windows", "Path", "windows", "PATH"},
		{"case on linux", "Path", "linux", ""},
		{"mixed case name", "VCTOOLSINSTALLDIR", "windows", "VCToolsInstallDir"},
		{"a secret", "AWS_SECRET_ACCESS_KEY", "linux", ""},
		{"a token", "GITHUB_TOKEN", "linux", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, ok := VariableByName(tt.variable, tt.os)
			if v.Name != tt.want || ok != (tt.want != "") {
				t.Errorf("VariableByName(%q, %s) = %q, %t, want %q", tt.variable, tt.os, v.Name, ok, tt.want)
			}
		})
	}
}

// TestPathListsFollowTheSystem: a list of folders is parted by : or by ; as PATH is, so no row may name one.
func TestPathListsFollowTheSystem(t *testing.T) {
	for _, v := range Variables() {
		if strings.Contains(v.Separator, ":") {
			t.Errorf("%s: the separator %q does not hold on Windows", v.Name, v.Separator)
		}
	}
}

func TestBitsandbytesFallsBack(t *testing.T) {
	for _, b := range Builders() {
		if want := b.Name == "bitsandbytes"; b.FallsBack != want || (want && b.First != "0.50.0") {
			t.Errorf("builder %s %s falls back = %t", b.Name, b.First, b.FallsBack)
		}
	}
	if !slices.ContainsFunc(Builders(), func(b Builder) bool { return b.Name == "bitsandbytes" }) {
		t.Error("bitsandbytes has no row")
	}
}

// TestNoSecretPattern keeps patterns narrow: a short stem could let a secret into a snapshot. Private rows never get there.
func TestNoSecretPattern(t *testing.T) {
	for _, v := range Variables() {
		if stem, ok := strings.CutSuffix(v.Name, "*"); ok && !v.Private && len(stem) < len("CUPEL_ENV_") {
			t.Errorf("%s matches too much", v.Name)
		}
		for _, word := range []string{"TOKEN", "SECRET", "PASSWORD", "KEY"} {
			if strings.Contains(strings.ToUpper(v.Name), word) {
				t.Errorf("%s looks like a secret", v.Name)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, tt := range []struct {
		file string
		make func() any
	}{
		{"releases.toml", func() any { return new(ReleaseTable) }},
		{"host-compilers.toml", func() any { return new(CompilerTable) }},
		{"archs.toml", func() any { return new(ArchTable) }},
		{"gpus.toml", func() any { return new(GPUTable) }},
		{"cudnn.toml", func() any { return new(CuDNNTable) }},
		{"distributions.toml", func() any { return new(DistributionTable) }},
		{"variables.toml", func() any { return new(VariableTable) }},
		{"builders.toml", func() any { return new(BuilderTable) }},
		{"codes.toml", func() any { return new(CodeTable) }},
	} {
		b.Run(tt.file, func(b *testing.B) {
			for b.Loop() {
				if err := Read(tt.file, tt.make()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
