package data

// HostCompiler says which host compilers a range of releases accepts. The numbers are major versions; Max
// values are inclusive, MSCMax is the first _MSC_VER that is refused. 0 means not established.
type HostCompiler struct {
	First    string   `toml:"first"` // 12.2.0, or 12.3 for all its updates
	Last     string   `toml:"last"`  // equal to First where one row serves one X.Y
	GCCMin   int      `toml:"gcc-min"`
	GCCMax   int      `toml:"gcc-max"`
	ClangMin int      `toml:"clang-min"`
	ClangMax int      `toml:"clang-max"`
	MSCMin   int      `toml:"msc-min"`
	MSCMax   int      `toml:"msc-max"`  // exclusive, as host_config.h writes it
	Enforced []string `toml:"enforced"` // compilers whose maximum was read in the real crt/host_config.h
	Studio   string   `toml:"studio"`
	NVHPC    string   `toml:"nvhpc"`
	Dialects []string `toml:"dialects"`
	Notes    []string `toml:"notes"`
	Source   []string `toml:"source"`
}

// MSVC is one span of Microsoft compilers: Visual Studio name, toolset and _MSC_VER.
type MSVC struct {
	Studio     string   `toml:"studio"`      // Visual Studio 2022
	Versions   string   `toml:"versions"`    // 17.0-17.9
	StudioMin  string   `toml:"studio-min"`  // 17.0: the first version of the span, which ends where the next row begins
	Platform   string   `toml:"platform"`    // v143
	ToolsetMin string   `toml:"toolset-min"` // 14.30
	ToolsetMax string   `toml:"toolset-max"` // 14.39
	MSCMin     int      `toml:"msc-min"`     // 1930
	MSCMax     int      `toml:"msc-max"`     // 1939, inclusive
	Source     []string `toml:"source"`
	Checked    string   `toml:"checked"`
}

// CompilerTable is the whole of host-compilers.toml.
type CompilerTable struct {
	Checked   string         `toml:"checked"`
	Sources   Sources        `toml:"sources"`
	Compilers []HostCompiler `toml:"host"`
	MSVC      []MSVC         `toml:"msvc"`
}

// AllCompilers is host-compilers.toml, parsed once.
var AllCompilers = once("host-compilers.toml", func(t *CompilerTable) {
	for _, r := range t.Compilers {
		t.Sources.resolve(r.Source)
	}
	for _, r := range t.MSVC {
		t.Sources.resolve(r.Source)
	}
})

// HostCompilers lists the rows, oldest release first.
func HostCompilers() []HostCompiler { return AllCompilers().Compilers }

// MSVCs lists the Microsoft compilers, oldest first.
func MSVCs() []MSVC { return AllCompilers().MSVC }
