package data

// GlibcLimit is the newest C library that the headers of some releases compile with.
type GlibcLimit struct {
	First     string   `toml:"first"`
	Last      string   `toml:"last"`
	Max       string   `toml:"max"`
	Function  string   `toml:"function"`   // the first one nvcc complains about
	NotOrigin []string `toml:"not-origin"` // toolkits of these origins have no trouble
	Source    []string `toml:"source"`
	Checked   string   `toml:"checked"`
}

type glibcTable struct {
	Checked string       `toml:"checked"`
	Limits  []GlibcLimit `toml:"limit"`
}

var glibcLimits = once[glibcTable]("glibc.toml", nil)

// GlibcLimits is glibc.toml, oldest releases first.
func GlibcLimits() []GlibcLimit { return glibcLimits().Limits }
