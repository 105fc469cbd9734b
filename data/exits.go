package data

// Exit is one code that is no CUDA error: an exit code, an NTSTATUS, a code of Microsoft's tools.
type Exit struct {
	Name    string     `toml:"name"`
	Number  uint32     `toml:"number"` // 0: it has none
	Log     string     `toml:"log"`    // the line a tool would print; {rest} is what was said after the code
	Label   string     `toml:"label"`
	Meaning string     `toml:"meaning"`
	Next    []ExitStep `toml:"next"`
	Fine    bool       `toml:"fine"` // no failure
	Source  []string   `toml:"source"`
}

// ExitStep is one thing to do.
type ExitStep struct {
	Command string `toml:"command"`
	Note    string `toml:"note"`
}

// ExitTable is the whole of exits.toml.
type ExitTable struct {
	Checked string  `toml:"checked"`
	Sources Sources `toml:"sources"`
	Exits   []Exit  `toml:"exit"`
}

// AllExits is exits.toml, parsed once.
var AllExits = once("exits.toml", func(t *ExitTable) {
	for _, e := range t.Exits {
		t.Sources.resolve(e.Source)
	}
})

// Exits lists the codes.
func Exits() []Exit { return AllExits().Exits }
