package data

// Part is a library or a set of headers of a toolkit, and the file that a build must find for it.
type Part struct {
	Word    string   `toml:"word"`    // as toolkit.components of a contract names it
	Linux   string   `toml:"linux"`   // what the linker takes
	Windows string   `toml:"windows"` // the import library
	DLL     string   `toml:"dll"`     // how the name of the shared library begins on Windows
	Below   string   `toml:"below"`   // Linux: the folder of a library folder in which it lies
	Headers []string `toml:"headers"` // instead of a library: any of these
	Folders []string `toml:"folders"` // of the root, beside its library folders
	Source  []string `toml:"source"`
}

// PartTable is the whole of parts.toml.
type PartTable struct {
	Checked string  `toml:"checked"`
	Sources Sources `toml:"sources"`
	Parts   []Part  `toml:"part"`
}

// AllParts is parts.toml, parsed once.
var AllParts = once("parts.toml", func(t *PartTable) {
	for _, r := range t.Parts {
		t.Sources.resolve(r.Source)
	}
})

// Parts lists the libraries and sets of headers that a contract can ask for.
func Parts() []Part { return AllParts().Parts }
