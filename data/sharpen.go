package data

// Sharpening is what to do about a cause on a machine whose facts fill in its values: {machine.compiler} is a host
// compiler that is here. A row with a value the machine does not have is left out.
type Sharpening struct {
	Labels   []string `toml:"label"`
	Platform []string `toml:"platform"` // empty: anywhere
	Command  string   `toml:"command"`
	Note     string   `toml:"note"`
}

// SharpenTable is the whole of sharpen.toml.
type SharpenTable struct {
	Rows []Sharpening `toml:"row"`
}

// AllSharpenings is sharpen.toml, parsed once.
var AllSharpenings = once[SharpenTable]("sharpen.toml", nil)

// Sharpenings lists the rows in the order they are told.
func Sharpenings() []Sharpening { return AllSharpenings().Rows }
