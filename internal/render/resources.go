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
	Registers   Told   `json:"registers,omitzero"`
	Stack       Told   `json:"stack_bytes,omitzero"`
	SpillStores Told   `json:"spill_store_bytes,omitzero"`
	SpillLoads  Told   `json:"spill_load_bytes,omitzero"`
	Shared      Told   `json:"shared_bytes,omitzero"`
	Constant    Told   `json:"constant_bytes,omitzero"`
	Spills      bool   `json:"spills"`
}

// Told is a number of the compiler's; untold: it did not say it, which is not 0.
type Told int

const untold Told = -1

// IsZero leaves the key out of JSON where nothing was told.
func (n Told) IsZero() bool { return n < 0 }

func (n Told) String() string {
	if n < 0 {
		return "-"
	}
	return strconv.Itoa(int(n))
}

// Resources are those that a step's compiler told.
func Resources(source, said string) (list []Resource) {
	for _, k := range ptxas.Read(said) {
		list = append(list, resourceOf(source, k))
	}
	return list
}

// resourceOf is one row. Of a function that kernels call ptxas tells the frame alone; nvlink knows no spills, and adds stacks up;
// the use of constant memory is not told for sm_90 and newer (13.0). Shared memory is told where there is some.
func resourceOf(source string, k ptxas.Kernel) Resource {
	r := Resource{Source: source, Name: k.Name, Plain: plainFunction(k.Name), Arch: k.Arch, Spills: k.Spills(),
		Registers: Told(k.Registers), Stack: Told(k.Stack), SpillStores: Told(k.SpillStores), SpillLoads: Told(k.SpillLoads), Shared: Told(k.Shared), Constant: untold}
	if k.Registers == 0 {
		r.Registers, r.Shared = untold, untold
	}
	if k.Linked {
		r.Stack, r.SpillStores, r.SpillLoads = Told(k.StackInAll), untold, untold
	}
	for _, bank := range k.Constant {
		r.Constant = max(r.Constant, 0) + Told(bank.Bytes)
	}
	return r
}

// resources is the table of what kernels take, with a word on those that spill.
func (s Style) resources(b *strings.Builder, list []Resource) {
	if len(list) == 0 {
		return
	}
	rows := [][]string{{"kernel", "source", "arch", "registers", "stack", "spills", "shared", "constant"}}
	spills := 0
	for _, r := range list {
		rows = append(rows, []string{clean(shownName(r, list)), clean(cmp.Or(slashes(r.Source), "linked")), r.Arch, r.Registers.String(), r.Stack.String(), spilled(r), r.Shared.String(), r.Constant.String()})
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

func spilled(r Resource) string {
	if r.SpillStores.IsZero() && r.SpillLoads.IsZero() {
		return untold.String()
	}
	return fmt.Sprintf("%s/%s", r.SpillStores, r.SpillLoads)
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
