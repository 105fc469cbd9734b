package data

// DriverStubs is the whole of stubs.toml: what a stub of the driver library offers.
type DriverStubs struct {
	Checked string        `toml:"checked"`
	Sources Sources       `toml:"sources"`
	Library StubLibrary   `toml:"library"`
	Rows    []StubSymbols `toml:"row"` // oldest release first
}

// StubLibrary is what holds for every function of a library.
type StubLibrary struct {
	Soname string   `toml:"soname"`
	Answer int32    `toml:"answer"` // what the real stub's functions return
	Source []string `toml:"source"`
}

// StubSymbols are the functions that a release was the first to have.
type StubSymbols struct {
	First     string   `toml:"first"`     // release, X.Y
	Functions string   `toml:"functions"` // Words
	Source    []string `toml:"source"`
}

// DriverStub is stubs.toml, parsed once.
var DriverStub = once("stubs.toml", func(t *DriverStubs) {
	t.Sources.resolve(t.Library.Source)
	for _, r := range t.Rows {
		t.Sources.resolve(r.Source)
	}
})
