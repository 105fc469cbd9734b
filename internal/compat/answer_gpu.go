package compat

import (
	"fmt"

	"cupel/data"
	"cupel/internal/gpu"
	"cupel/internal/version"
)

// GPU is the answer to "compat gpu NAME".
type GPU struct {
	Name     string      `json:"name,omitempty"`
	CC       gpu.CC      `json:"compute_capability"`
	Arch     gpu.Arch    `json:"arch"`
	Family   string      `json:"architecture,omitempty"`
	Class    string      `json:"class,omitempty"`
	FoundBy  string      `json:"found_by"` // name | part of a name | family pattern | pci id | compute capability
	First    version.V   `json:"first_toolkit,omitzero"`
	Last     version.V   `json:"last_toolkit,omitzero"` // empty: the newest still compiles for it
	Toolkits []version.V `json:"toolkits"`              // every X.Y of the table that compiles for it, newest first
	Code     []gpu.Arch  `json:"runs_code_of"`          // targets whose machine code it runs
	Specific []gpu.Arch  `json:"specific_targets,omitempty"`
	Note     string      `json:"note,omitempty"`
	Source   Source      `json:"source"`
}

// GPUAnswer reads a product name, a PCI device id or a capability in any spelling.
func GPUAnswer(query string) (GPU, error) {
	found, by, err := lookUp(query)
	if err != nil {
		return GPU{}, err
	}
	cc, err := gpu.ParseCC(found.CC)
	if err != nil {
		return GPU{}, err
	}
	g := GPU{Name: found.Name, CC: cc, Arch: cc.SM(), Class: found.Class, FoundBy: by, Note: found.Note, Source: found.Source}
	if r, ok := archRow(cc.SM()); ok {
		g.Family, g.First, g.Last = r.Name, parse(r.First), parse(r.Last)
		g.Source = merge(g.Source, r.Source)
	}
	g.Toolkits = toolkitsFor(cc)
	g.Code, g.Specific = codeFor(cc)
	return g, nil
}

func lookUp(query string) (g data.GPU, by string, err error) {
	if cc, err := gpu.ParseCC(query); err == nil && KnownCC(cc) {
		return data.GPU{CC: cc.String()}, "compute capability", nil
	}
	if g, ok := GPUByPCI(query); ok {
		return g, "pci id", nil
	}
	if i, ok := byName()[plainName(query)]; ok {
		return data.GPUs()[i], "name", nil
	}
	if g, by, ok, err := gpuByLooseName(query); ok || err != nil {
		return g, by, err
	}
	return data.GPU{}, "", fmt.Errorf("no GPU %q is in the table: give its compute capability, for instance 8.6", query)
}

// toolkitsFor lists every X.Y that compiles for a capability, newest first.
func toolkitsFor(cc gpu.CC) []version.V {
	var list []version.V
	for _, r := range newestLines() {
		if Knows(r.version, cc.SM()) {
			list = append(list, r.short)
		}
	}
	return list
}

// codeFor lists the targets whose machine code runs on a device: the plain ones, and those with a suffix.
func codeFor(cc gpu.CC) (plain, specific []gpu.Arch) {
	for _, r := range data.Archs() {
		a, err := gpu.ParseArch(r.SM)
		if err != nil {
			continue
		}
		if ok, _ := Runs(a, cc); ok && a.Suffix == "" {
			plain = append(plain, a)
		} else if ok {
			specific = append(specific, a)
		}
	}
	return plain, specific
}

// newestLines gives the newest final release of every X.Y, newest first.
func newestLines() []row {
	var list []row
	all := rows()
	for i := len(all) - 1; i >= 0; i-- {
		last := len(list) - 1
		if all[i].Preview || (last >= 0 && list[last].short == all[i].short) {
			continue
		}
		list = append(list, all[i])
	}
	return list
}
