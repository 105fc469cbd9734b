package data

// Arch is one target of nvcc.
type Arch struct {
	SM       string   `toml:"sm"`   // sm_90a
	Name     string   `toml:"name"` // Hopper
	Kind     string   `toml:"kind"` // base | arch-specific | family-specific
	Family   string   `toml:"family"`
	First    string   `toml:"first"` // first toolkit X.Y
	Last     string   `toml:"last"`  // last toolkit X.Y; empty while the newest still has it
	PTX      string   `toml:"ptx"`   // lowest PTX ISA that has the target
	Examples string   `toml:"examples"`
	Renamed  string   `toml:"renamed"` // the name later toolkits use for it
	Note     string   `toml:"note"`
	Source   []string `toml:"source"`
}

// ArchTable is the whole of archs.toml.
type ArchTable struct {
	Checked string  `toml:"checked"`
	Sources Sources `toml:"sources"`
	Archs   []Arch  `toml:"arch"`
}

// AllArchs is archs.toml, parsed once.
var AllArchs = once("archs.toml", func(t *ArchTable) {
	for _, r := range t.Archs {
		t.Sources.resolve(r.Source)
	}
})

// Archs lists the targets, lowest first.
func Archs() []Arch { return AllArchs().Archs }
