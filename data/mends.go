package data

// Mend is one repair of a compiler call.
type Mend struct {
	Name      string   `toml:"name"` // host-compiler
	Does      string   `toml:"does"`
	First     string   `toml:"first"`     // first release that needs it; empty: all
	On        []string `toml:"on"`        // platforms; empty: all
	Permanent string   `toml:"permanent"` // how a project does without it
	Paste     string   `toml:"paste"`     // a command or a line of a project's file
	Replaced  string   `toml:"replaced"`  // the same where the project itself gave what was replaced; empty: no other
	Source    []string `toml:"source"`
}

// MendTable is the whole of mends.toml.
type MendTable struct {
	Checked string  `toml:"checked"`
	Sources Sources `toml:"sources"`
	Mends   []Mend  `toml:"fix"`
}

// AllMends is mends.toml, parsed once.
var AllMends = once("mends.toml", func(t *MendTable) {
	for _, m := range t.Mends {
		t.Sources.resolve(m.Source)
	}
})

// Mends lists the repairs in the order in which they are made.
func Mends() []Mend { return AllMends().Mends }
