package data

// Clue tells a value from a line of a log: the platform it was made on, the toolkit that was used.
type Clue struct {
	Name  string `toml:"name"`  // platform, toolkit, gcc, driver, gpu …
	Value string `toml:"value"` // what it says; empty: the group "value" of the expression
	Regex string `toml:"regex"`
}

// ClueTable is the whole of clues.toml.
type ClueTable struct {
	Clues []Clue `toml:"clue"`
}

// AllClues is clues.toml, parsed once.
var AllClues = once[ClueTable]("clues.toml", nil)

// Clues lists them; of several that match one name the first in the list wins.
func Clues() []Clue { return AllClues().Clues }
