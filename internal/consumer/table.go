package consumer

import (
	"slices"
	"sync"

	"cupel/data"
	"cupel/internal/version"
)

// Row is one consumer in one range of versions. The fields mirror data/consumers.toml, which explains them.
type Row struct {
	Name         string            `toml:"name"`
	Key          string            `toml:"key"`
	First        string            `toml:"first"`
	Last         string            `toml:"last"`
	Label        string            `toml:"label"` // shown instead of the range where only one commit was read
	What         string            `toml:"what"`
	Searches     []Search          `toml:"search"`
	RootAbove    bool              `toml:"root-above-nvcc"`
	AskNvcc      bool              `toml:"ask-nvcc"`
	Include      []string          `toml:"include"`
	IncludeNeed  string            `toml:"include-need"`
	NoneInclude  string            `toml:"none-include"`
	Libs         []LibRule         `toml:"libs"`
	NeedLibs     bool              `toml:"need-libs"`
	TorchLibrary string            `toml:"torch-library"`
	TorchName    string            `toml:"torch-override"` // variable that replaces torch's answer
	Release      *ReleaseRule      `toml:"release"`
	Notes        []Note            `toml:"note"`
	Proved       map[string]string `toml:"proved"`
	Source       []string          `toml:"source"`

	allow []Allow
}

// Search is one question of a consumer, with its steps in order.
type Search struct {
	For    string   `toml:"for"` // root | nvcc
	OS     string   `toml:"os"`
	Unless string   `toml:"unless"` // asked only when this is still open
	Mode   string   `toml:"mode"`   // "" the first that fits | all
	Need   []string `toml:"need"`
	Kind   string   `toml:"kind"` // file | dir | any | program
	None   Outcome  `toml:"none"`
	Why    string   `toml:"why"`
	Steps  []Step   `toml:"steps"`
	Lists  []string `toml:"lists"`
}

// Step is one place that a search looks at.
type Step struct {
	Kind      string   `toml:"kind"`
	Name      string   `toml:"name"`
	Names     []string `toml:"names"`
	Path      string   `toml:"path"`
	Dirs      []string `toml:"dirs"` // looked in after PATH
	OS        string   `toml:"os"`
	Sub       []string `toml:"sub"`
	Accept    string   `toml:"accept"`
	Order     string   `toml:"order"`
	Beside    string   `toml:"beside"`
	Above     int      `toml:"above"`
	Why       string   `toml:"why"`
	Unchecked bool     `toml:"unchecked"`
	NonEmpty  bool     `toml:"nonempty"`
	Must      bool     `toml:"must"`
}

// LibRule says which library folders follow from a root: Add when Need is there, and each of Each that is.
type LibRule struct {
	OS   string   `toml:"os"`
	Need string   `toml:"need"`
	Kind string   `toml:"kind"`
	Add  []string `toml:"add"`
	Each []string `toml:"each"`
}

// ReleaseRule says how the release of an nvcc can stop the consumer.
type ReleaseRule struct {
	From       string `toml:"from"` // "" the nvcc on PATH | nvcc, the one it picked
	When       string `toml:"when"`
	Override   string `toml:"override"`
	Fatal      bool   `toml:"fatal"`
	TorchMajor bool   `toml:"torch-major"`
}

// Note is a side effect that holds on an OS or when a variable is set.
type Note struct {
	OS   string `toml:"os"`
	Env  string `toml:"env"`
	Text string `toml:"text"`
}

// Allow is the list of CUDA releases that a range of versions knows.
type Allow struct {
	Key      string `toml:"key"`
	First    string `toml:"first"`
	Last     string `toml:"last"`
	Releases string `toml:"releases"`
}

type table struct {
	Checked string            `toml:"checked"`
	Sources data.Sources      `toml:"sources"`
	Lists   map[string][]Step `toml:"lists"`
	Rows    []Row             `toml:"consumer"`
	Allow   []Allow           `toml:"allow"`
}

// load parses the table at its first use; a table that does not parse is a programming error that the tests
// catch.
var load = sync.OnceValue(func() *table {
	t := new(table)
	if err := data.Read("consumers.toml", t); err != nil {
		panic(err)
	}
	for i := range t.Rows {
		t.finish(&t.Rows[i])
	}
	return t
})

func (t *table) finish(row *Row) {
	for i, key := range row.Source {
		if text, ok := t.Sources[key]; ok {
			row.Source[i] = text
		}
	}
	for i := range row.Searches {
		s := &row.Searches[i]
		for _, name := range s.Lists {
			s.Steps = append(s.Steps, t.Lists[name]...)
		}
	}
	for _, a := range t.Allow {
		if a.Key == row.Key {
			row.allow = append(row.allow, a)
		}
	}
}

// Rows lists the table in its own order: the versions of one consumer ascend.
func Rows() []Row { return load().Rows }

// Checked is the day the sources were read.
func Checked() string { return load().Checked }

// Versions is the range the row holds for, in words.
func (r Row) Versions() string {
	switch {
	case r.Label != "":
		return r.Label
	case r.First == r.Last:
		return r.First
	}
	return r.First + " … " + r.Last
}

// Covers says whether the row holds for a version of the consumer.
func (r Row) Covers(v version.V) bool { return within(v, r.First, r.Last) }

func within(v version.V, first, last string) bool {
	lo, err := version.Parse(first)
	if err != nil || v.Less(lo) {
		return false
	}
	hi, err := version.Parse(last)
	return last == "" || (err == nil && (!hi.Less(v) || hi.Covers(v)))
}

type group []Row

// groups gathers the rows of one consumer, in the order of the table.
func groups() []group {
	var out []group
	for _, r := range Rows() {
		i := slices.IndexFunc(out, func(g group) bool { return g[0].Name == r.Name })
		if i < 0 {
			out = append(out, group{r})
			continue
		}
		out[i] = append(out[i], r)
	}
	return out
}
