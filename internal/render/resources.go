package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupel/internal/ptxas"
)

// Resource is what ptxas says of one kernel.
type Resource struct {
	Source      string `json:"source"`
	Name        string `json:"name"`            // as the linker knows it
	Plain       string `json:"plain,omitempty"` // as the source has it; empty: it cannot be told simply
	Arch        string `json:"arch"`
	Registers   int    `json:"registers"`
	Stack       int    `json:"stack_bytes"`
	SpillStores int    `json:"spill_store_bytes"`
	SpillLoads  int    `json:"spill_load_bytes"`
	Shared      int    `json:"shared_bytes"`
	Constant    int    `json:"constant_bytes"`
	Spills      bool   `json:"spills"`
}

// Resources are those that a step's compiler told.
func Resources(source, said string) (list []Resource) {
	for _, k := range ptxas.Read(said) {
		r := Resource{Source: source, Name: k.Name, Plain: plainFunction(k.Name), Arch: k.Arch, Registers: k.Registers, Stack: k.Stack, SpillStores: k.SpillStores, SpillLoads: k.SpillLoads, Shared: k.Shared, Spills: k.Spills()}
		for _, bank := range k.Constant {
			r.Constant += bank.Bytes
		}
		list = append(list, r)
	}
	return list
}

// resources is the table of what kernels take, with a word on those that spill.
func (s Style) resources(b *strings.Builder, list []Resource) {
	if len(list) == 0 {
		return
	}
	rows := [][]string{{"kernel", "source", "arch", "registers", "stack", "spills", "shared", "constant"}}
	spills := 0
	for _, r := range list {
		rows = append(rows, []string{clean(shownName(r, list)), clean(cmp.Or(slashes(r.Source), "linked")), r.Arch, fmt.Sprint(r.Registers), fmt.Sprint(r.Stack), fmt.Sprintf("%d/%d", r.SpillStores, r.SpillLoads), fmt.Sprint(r.Shared), fmt.Sprint(r.Constant)})
		if r.Spills {
			spills++
		}
	}
	for _, line := range table(rows) {
		b.WriteString(line + "\n")
	}
	if spills > 0 {
		fmt.Fprintf(b, "%s %d of %d spill registers to memory (bytes stored/loaded): fewer live values, or a higher limit (__launch_bounds__, -maxrregcount)\n", s.paint(yellow, "warning:"), spills, len(list))
	}
}

// shownName is the plain name where no other function of the file has it too.
func shownName(r Resource, all []Resource) string {
	overloaded := func(o Resource) bool { return o.Plain == r.Plain && o.Name != r.Name && o.Source == r.Source }
	if r.Plain == "" || slices.ContainsFunc(all, overloaded) {
		return r.Name
	}
	return r.Plain
}

// plainFunction reads a mangled name that has no template in it: _Z3addPf, _ZN2ns3addEPf. Of others it knows nothing, and
// what a C function is called is its plain name. Itanium C++ ABI, section 5.1: <length><name>, between N and E when it lies in others.
func plainFunction(name string) string {
	rest, mangled := strings.CutPrefix(name, "_Z")
	if !mangled {
		return name
	}
	rest, nested := strings.CutPrefix(rest, "N")
	var parts []string
	for {
		part, after, ok := sourceName(rest)
		if !ok {
			return ""
		}
		parts, rest = append(parts, part), after
		if !nested || strings.HasPrefix(rest, "E") {
			break
		}
	}
	if after := strings.TrimPrefix(rest, "E"); after == "" || !nested && rest[0] == 'I' {
		return "" // a variable, or a template
	}
	return strings.Join(parts, "::")
}

// sourceName cuts one <length><name> off. cudafe++ names a namespace without a name _GLOBAL__N_… with digits of its own.
func sourceName(s string) (name, rest string, ok bool) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n, err := strconv.Atoi(s[:digits])
	if err != nil || n <= 0 || n > len(s)-digits {
		return "", "", false
	}
	name, rest = s[digits:digits+n], s[digits+n:]
	if strings.HasPrefix(name, "_GLOBAL__N_") {
		name = "(anonymous namespace)"
	}
	return name, rest, true
}
