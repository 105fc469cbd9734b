package data

// Builder is what is known of one range of versions of a crate, package or tool that builds or loads CUDA code.
type Builder struct {
	Name        string   `toml:"name"`
	First       string   `toml:"first"`
	Last        string   `toml:"last"`         // empty: no later version is known to differ
	LosesOutput bool     `toml:"loses-output"` // nvcc's own text is not in its error
	FallsBack   bool     `toml:"falls-back"`   // takes the nearest library of the same CUDA major when its own is missing
	AllowFirst  string   `toml:"allow-first"`  // its list of CUDA releases: first X.Y
	AllowLast   string   `toml:"allow-last"`   // and last X.Y; a newer toolkit makes it panic
	Condition   string   `toml:"condition"`    // when the allow-list counts
	WindowsRoot string   `toml:"windows-root"` // what is wrong with its default folder on Windows
	MendedIn    string   `toml:"mended-in"`    // first version without the defects above
	LooksLike   string   `toml:"looks-like"`
	Arch        string   `toml:"arch"`
	Panics      []string `toml:"panics"`
	Notes       []string `toml:"notes"`
	Checked     string   `toml:"checked"`
	Source      []string `toml:"source"`
}

// BuilderTable is the whole of builders.toml.
type BuilderTable struct {
	Checked  string    `toml:"checked"`
	Sources  Sources   `toml:"sources"`
	Builders []Builder `toml:"builder"`
}

// AllBuilders is builders.toml, parsed once.
var AllBuilders = once("builders.toml", func(t *BuilderTable) {
	for _, r := range t.Builders {
		t.Sources.resolve(r.Source)
	}
})

// Builders lists the rows.
func Builders() []Builder { return AllBuilders().Builders }

// Code is one CUDA error code; driver and runtime share the numbers.
type Code struct {
	Code    int      `toml:"code"`
	Runtime string   `toml:"runtime"` // cudaErrorNoDevice
	Driver  string   `toml:"driver"`  // CUDA_ERROR_NO_DEVICE
	Message string   `toml:"message"`
	Meaning string   `toml:"meaning"`
	Causes  []string `toml:"causes"`
	Fixes   []string `toml:"fixes"`
	Fine    bool     `toml:"fine"` // no failure
	Source  []string `toml:"source"`
}

// CodeTable is the whole of codes.toml.
type CodeTable struct {
	Checked string  `toml:"checked"`
	Sources Sources `toml:"sources"`
	Codes   []Code  `toml:"code"`
}

// AllCodes is codes.toml, parsed once.
var AllCodes = once("codes.toml", func(t *CodeTable) {
	for _, r := range t.Codes {
		t.Sources.resolve(r.Source)
	}
})

// Codes lists the error codes in ascending order.
func Codes() []Code { return AllCodes().Codes }
