package contract

import "slices"

// Platform is the kind of machine requirements are asked for.
type Platform struct {
	Name string // linux, windows, wsl2, jetson
	CI   bool
}

// Is says whether the platform is one of the words of an `on` or `exclude-on` list. WSL2 and Jetson are Linux too.
func (p Platform) Is(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return w == p.Name || w == "ci" && p.CI || w == "linux" && (p.Name == "wsl2" || p.Name == "jetson")
	})
}

// Wanted applies an on and an exclude-on list. On CI the word ci in exclude-on wins over everything.
func (p Platform) Wanted(on, exclude []string) bool {
	return (len(on) == 0 || p.Is(on)) && !p.Is(exclude)
}

// Requirements are what the contract demands on one platform, overrides applied. Every field keeps the key
// path it came from, so that a finding can point at the line: see Contract.At.
type Requirements struct {
	Platform   Platform
	Contract   *Contract // the whole file: arch, pins, kernels, gpu, configs are read from it
	Toolkit    Bands
	ToolkitKey map[string]string // min → toolkit.windows.min …: which key each field of Toolkit came from
	Driver     *DriverLimit
	DriverKey  string
	PTXJIT     string
	Host       Host
	HostKey    map[string]string   // gcc → host.wsl2.gcc …
	Names      map[string][]string // [env]: value → variables
	Vars       map[string]string   // [env]: variable → template
	Runtime    EnvTable
	Components map[string]Component // those wanted here
	GPU        *GPU                 // nil: none needed here
}
