package data

// Label is one root cause that a failure can have: a word of the taxonomy.
type Label struct {
	Label   string `toml:"label" json:"label"`
	Meaning string `toml:"meaning" json:"meaning"`
	Added   string `toml:"added" json:"added,omitempty"` // why it was added to the taxonomy of the corpus; empty for those of the corpus
}

// LabelTable is the whole of labels.toml.
type LabelTable struct {
	Labels []Label `toml:"label"`
}

// AllLabels is labels.toml, parsed once.
var AllLabels = once[LabelTable]("labels.toml", nil)

// Labels lists the taxonomy.
func Labels() []Label { return AllLabels().Labels }
