package data

// Trouble is one message people look up, with its right cause, and the contracts it concerns: an empty list
// holds for all, of a list one is enough.
type Trouble struct {
	ID         string   `toml:"id"`
	Messages   []string `toml:"message"`
	Cause      string   `toml:"cause"`
	Fix        string   `toml:"fix"`
	Wrong      string   `toml:"wrong"`     // what pages often tell instead
	On         []string `toml:"on"`        // linux, wsl2, windows
	Builds     []string `toml:"build"`     // build systems
	Crates     []string `toml:"crate"`     // builder crates
	Components []string `toml:"component"` // names of [components]
	Toolkit    string   `toml:"toolkit"`   // a range that must touch the contract's releases
	Uses       []string `toml:"uses"`      // gpu, ptx-jit, device-link
	Source     []string `toml:"source"`
}

// TroubleTable is the whole of troubleshooting.toml.
type TroubleTable struct {
	Checked string    `toml:"checked"`
	Sources Sources   `toml:"sources"`
	Rows    []Trouble `toml:"row"`
}

// AllTroubles is troubleshooting.toml, parsed once.
var AllTroubles = once("troubleshooting.toml", func(t *TroubleTable) {
	for _, r := range t.Rows {
		t.Sources.resolve(r.Source)
	}
})

// Troubles lists the rows in the order they are shown.
func Troubles() []Trouble { return AllTroubles().Rows }
