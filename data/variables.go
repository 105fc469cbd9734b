package data

import "strings"

// Variable is one environment variable that cupel may read or set. A snapshot holds no other, and no private one: a
// name that is not here may be a secret.
type Variable struct {
	Name      string   `toml:"name"` // CUDA_PATH, or CUDA_PATH_V* where * stands for the rest
	Kind      string   `toml:"kind"`
	OS        []string `toml:"os"` // linux, windows; wsl2 counts as linux; empty means all
	Meaning   string   `toml:"meaning"`
	Value     string   `toml:"value"`     // what it must hold, as a word of the contract's templates: toolkit.root
	List      bool     `toml:"list"`      // folders, parted as the system parts PATH
	Spelling  string   `toml:"spelling"`  // how an architecture is written: 86 | 8.6 | sm_86 | 86-real | 8.6+PTX
	Separator string   `toml:"separator"` // what stands between the entries of a list
	NotIn     string   `toml:"not-in"`    // newest toolkit release seen that does not read it
	Since     string   `toml:"since"`     // oldest toolkit release seen that does
	Private   bool     `toml:"private"`   // may hold a password: cupel heeds it and never keeps its value
	Readers   []Reader `toml:"readers"`
	Mistakes  []string `toml:"mistakes"`
	Checked   string   `toml:"checked"`
	Source    []string `toml:"source"`
}

// Reader is a tool that reads a variable, and with which rank.
type Reader struct {
	Tool string `toml:"tool"`
	How  string `toml:"how"`
}

// VariableTable is the whole of variables.toml.
type VariableTable struct {
	Checked   string     `toml:"checked"`
	Sources   Sources    `toml:"sources"`
	Variables []Variable `toml:"variable"`
}

// AllVariables is variables.toml, parsed once.
var AllVariables = once("variables.toml", func(t *VariableTable) {
	for _, r := range t.Variables {
		t.Sources.resolve(r.Source)
	}
})

// Variables lists the rows.
func Variables() []Variable { return AllVariables().Variables }

// Matches says that the row is about that variable. Windows names have no case.
func (v Variable) Matches(name, os string) bool {
	want := v.Name
	if os == "windows" {
		name, want = strings.ToUpper(name), strings.ToUpper(want)
	}
	if stem, ok := strings.CutSuffix(want, "*"); ok {
		return strings.HasPrefix(name, stem) && len(name) > len(stem)
	}
	return name == want
}

// VariableByName finds the row of a variable; a row with the exact name comes before a pattern.
func VariableByName(name, os string) (Variable, bool) {
	var pattern Variable
	found := false
	for _, v := range Variables() {
		if !v.Matches(name, os) {
			continue
		}
		if !strings.HasSuffix(v.Name, "*") {
			return v, true
		}
		pattern, found = v, true
	}
	return pattern, found
}
