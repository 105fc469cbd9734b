package verify

import (
	"fmt"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/fact"
)

// parts maps a word of toolkit.components to the parts of a toolkit that must all be there.
var parts = map[string][]string{
	"nvcc": {fact.PartNvcc}, "ptxas": {fact.PartPtxas}, "cicc": {fact.PartCicc}, "nvlink": {fact.PartNvlink},
	"cudart": {fact.PartCudart}, "cudart-static": {fact.PartCudartA}, "cudadevrt": {fact.PartCudadevrt},
	"cuda-stub": {fact.PartStub}, "libdevice": {fact.PartLibdevice}, "headers": {fact.PartHeader, fact.PartRuntimeH},
}

// stock sorts the words of toolkit.components by what the chosen toolkit has of them.
type stock struct {
	missing  []string
	unlinked []string // only a shared library under its versioned name is there
	shared   []string // those libraries
	untold   []string // nobody looked, or a place could not be looked at
}

// toolkitParts: a part that nobody looked for is neither there nor missing.
func toolkitParts(j *judge, _ string, c *Check) {
	words := j.req.Toolkit.Components
	c.Key, c.Expected = j.bandKeyOf("components"), strings.Join(words, ", ")
	var s stock
	for _, w := range words {
		j.take(&s, w, c)
	}
	c.Found = "all of them"
	if len(s.untold) > 0 {
		c.Found, c.Why = "all that can be told", "the probe cannot tell: "+strings.Join(s.untold, ", ")
	}
	if lacks := s.lacks(); lacks != "" {
		c.Found = lacks
		c.fail(choice.Name(*j.t)+" "+lacks, s.why(j, c.Why), plan())
	} else if len(s.untold) == len(words) {
		c.Found = ""
		c.skip(c.Why)
	}
}

// lacks says in few words what a build would miss.
func (s stock) lacks() string {
	var out []string
	if len(s.missing) > 0 {
		out = append(out, "lacks "+strings.Join(s.missing, ", "))
	}
	if len(s.unlinked) > 0 {
		out = append(out, "cannot link "+strings.Join(s.unlinked, ", "))
	}
	return strings.Join(out, " and ")
}

// why: pip and conda hand out libraries for programs that are already linked.
func (s stock) why(j *judge, untold string) string {
	it := "them"
	if len(s.missing)+len(s.unlinked) == 1 {
		it = "it"
	}
	text := "the contract needs " + it + " from the toolkit in " + j.t.Root
	if len(s.shared) > 0 {
		text += "; " + j.only(s.shared)
	}
	if untold != "" {
		text += ". The" + strings.TrimPrefix(untold, "the")
	}
	return text
}

// only names shared libraries without the file that the linker takes, which is another kind of file on Windows.
func (j *judge) only(shared []string) string {
	one, many := "name", "names"
	if j.path.Windows() {
		one, many = "import library", "import libraries"
	}
	if len(shared) == 1 {
		return fmt.Sprintf("only the shared library %s is there, not the %s that the linker takes", shared[0], one)
	}
	return fmt.Sprintf("only the shared libraries %s are there, not the %s that the linker takes", strings.Join(shared, ", "), many)
}

// take looks one word up: among the parts of every toolkit, else among its libraries and headers.
func (j *judge) take(s *stock, word string, c *Check) {
	want, ok := parts[word]
	if !ok {
		j.takeLibrary(s, word, c)
		return
	}
	for _, p := range want {
		why := j.t.Faults[p]
		c.evidence(j.t.Parts[p], why)
		if why != "" || !j.t.Has(p) {
			s.missing = append(s.missing, word)
			return
		}
	}
}

func (j *judge) takeLibrary(s *stock, word string, c *Check) {
	f, looked := j.t.Libraries[word]
	switch {
	case !looked:
		j.takeOld(s, word)
	case f.State == fact.Unreadable:
		c.evidence(f.Source, f.Why)
		s.untold = append(s.untold, word)
	case f.Value.Path != "":
	case f.Value.Shared != "":
		c.evidence(f.Value.Shared, "the shared library alone")
		s.unlinked, s.shared = append(s.unlinked, word), append(s.shared, j.path.Base(f.Value.Shared))
	default:
		s.missing = append(s.missing, word)
	}
}

// takeOld judges a toolkit of a snapshot from before libraries were looked for: cuBLAS stands among the machine's
// libraries, CCCL among the parts when it has a folder of its own.
func (j *judge) takeOld(s *stock, word string) {
	switch {
	case word == "cublas" && !j.libraryOf(word, *j.t):
		s.missing = append(s.missing, word)
	case word == "cublas", word == "cccl" && j.t.Has(fact.PartCCCL):
	default:
		s.untold = append(s.untold, word)
	}
}

// libraryOf says that a copy of the library lies in the toolkit.
func (j *judge) libraryOf(name string, t fact.Toolkit) bool {
	for _, l := range j.Machine.Libraries {
		if l.Name != name {
			continue
		}
		for _, dir := range []string{t.Root, t.Home(), t.Env} { // wheels lie side by side in site-packages
			if dir != "" && j.path.Within(l.Path, dir) {
				return true
			}
		}
	}
	return false
}
