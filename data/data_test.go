package data

import (
	"strings"
	"testing"
)

// TestTablesParse loads every table strictly: an unknown key or a wrong type fails here, not at a user.
func TestTablesParse(t *testing.T) {
	for _, tt := range []struct {
		name string
		file string
		into any
	}{
		{"releases", "releases.toml", new(ReleaseTable)},
		{"host compilers", "host-compilers.toml", new(CompilerTable)},
		{"architectures", "archs.toml", new(ArchTable)},
		{"products", "gpus.toml", new(GPUTable)},
		{"cudnn", "cudnn.toml", new(CuDNNTable)},
		{"distributions", "distributions.toml", new(DistributionTable)},
		{"variables", "variables.toml", new(VariableTable)},
		{"builders", "builders.toml", new(BuilderTable)},
		{"error codes", "codes.toml", new(CodeTable)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := Read(tt.file, tt.into); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// sourced is one row, named for the failure text, with its resolved sources.
type sourced struct {
	row    string
	source []string
}

func sourcedRows() []sourced {
	var list []sourced
	add := func(table, name string, source []string) { list = append(list, sourced{table + " " + name, source}) }
	for _, r := range Releases() {
		add("release", r.Version, r.Source)
		add("line of", r.Version, r.ArchSource)
		add("major of", r.Version, r.RuleSource)
	}
	for _, r := range AllReleases().Never {
		add("never-released", r.Version, r.Source)
	}
	for _, r := range AllReleases().Branches {
		add("driver-branch", r.Branch, r.Source)
	}
	for _, r := range AllReleases().Compat.Rows {
		add("forward-compat", r.Toolkit, r.Source)
	}
	for _, r := range HostCompilers() {
		add("host", r.First, r.Source)
	}
	for _, r := range MSVCs() {
		add("msvc", r.ToolsetMin, r.Source)
	}
	for _, r := range Archs() {
		add("arch", r.SM, r.Source)
	}
	return append(list, moreSourcedRows()...)
}

func moreSourcedRows() []sourced {
	var list []sourced
	add := func(table, name string, source []string) { list = append(list, sourced{table + " " + name, source}) }
	for _, r := range GPUs() {
		add("gpu", r.Name, r.Source)
	}
	for _, r := range Families() {
		add("family", r.Pattern, r.Source)
	}
	for _, r := range CuDNNs() {
		add("cudnn", r.Version, r.Source)
	}
	for _, r := range AllCuDNN().Support {
		add("cudnn support", r.CuDNN, r.Source)
	}
	for _, r := range Distributions() {
		add("distribution", r.ID, r.Source)
	}
	for _, r := range Variables() {
		add("variable", r.Name, r.Source)
	}
	for _, r := range Builders() {
		add("builder", r.Name+" "+r.First, r.Source)
	}
	for _, r := range Codes() {
		add("code", r.Runtime, r.Source)
	}
	return list
}

// TestEveryRowIsSourced wants an address or a described document, not a key that resolves to nothing.
func TestEveryRowIsSourced(t *testing.T) {
	for _, r := range sourcedRows() {
		if len(r.source) == 0 {
			t.Errorf("%s has no source", r.row)
		}
		for _, s := range r.source {
			if !strings.HasPrefix(s, "https://") && !strings.Contains(s, " ") {
				t.Errorf("%s: source %q is neither an address nor a document", r.row, s)
			}
		}
	}
}

// TestNoSourceKeyIsIdle keeps the key lists honest: a key that no row uses is a mistake in one of them.
func TestNoSourceKeyIsIdle(t *testing.T) {
	for _, name := range tableFiles {
		text, err := Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var head struct {
			Sources Sources `toml:"sources"`
		}
		readLoose(t, text, &head)
		for key := range head.Sources {
			if strings.Count(string(text), `"`+key+`"`) == 0 {
				t.Errorf("%s: source key %q is never used", name, key)
			}
		}
	}
}
