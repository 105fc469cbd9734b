package emit

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jsonBuild is the answer of --emit json, format cupel.build-outputs/1: what there is to use, without how it was built.
type jsonBuild struct {
	Format    string       `json:"format"`
	Name      string       `json:"name"`
	Project   string       `json:"project"`
	Out       string       `json:"out"`
	OS        string       `json:"os"`
	Toolkit   jsonToolkit  `json:"toolkit"`
	Kernels   []jsonKernel `json:"kernels"`
	Inputs    []string     `json:"inputs"`
	Variables []string     `json:"variables"`
}

type jsonToolkit struct {
	Root    string   `json:"root"`
	Release string   `json:"release"`
	Include string   `json:"include"`
	LibDirs []string `json:"lib_dirs"`
}

type jsonKernel struct {
	Name     string     `json:"name"`
	Complete bool       `json:"complete"` // false: something of it is not there, as the contract allows
	Archs    []string   `json:"archs"`
	RDC      bool       `json:"rdc"`
	Outputs  []jsonFile `json:"outputs"`
	Link     []string   `json:"link"` // libraries by name, its own first, in the linker's order
}

type jsonFile struct {
	Kind     string `json:"kind"`
	Path     string `json:"path"`
	Source   string `json:"source,omitempty"`
	Arch     string `json:"arch,omitempty"`
	Import   string `json:"import_library,omitempty"`
	Constant string `json:"constant,omitempty"` // the name that rust gives it
}

func asJSON(b Build) ([]byte, error) {
	named := map[string]string{}
	for _, c := range b.constants() {
		named[c.Path] = c.rust()
	}
	out := jsonBuild{Format: "cupel.build-outputs/1", Name: b.name(), Project: b.Project, Out: b.Out, OS: b.OS, Inputs: list(b.Inputs), Variables: list(b.Variables),
		Toolkit: jsonToolkit{b.Toolkit.Root, b.Toolkit.Release, b.Toolkit.Include, list(b.Toolkit.LibDirs)}, Kernels: []jsonKernel{}}
	for _, k := range b.Kernels {
		row := jsonKernel{Name: k.Name, Complete: !k.Failed && !k.Absent, Archs: list(k.Archs), RDC: k.RDC, Outputs: []jsonFile{}, Link: []string{}}
		for _, f := range k.Files {
			file := jsonFile{Kind: f.Kind, Path: f.Path, Source: f.Source, Arch: f.Arch, Constant: named[f.Path]}
			if f.Kind == "shared" && b.OS == "windows" {
				file.Import = importLibrary(k, f)
			}
			row.Outputs = append(row.Outputs, file)
		}
		if libs := b.librariesOf(k); len(libs) > 0 {
			row.Link = append(row.Link, libs[0].name)
			for _, n := range b.needs(libs[:1]) {
				row.Link = append(row.Link, n.name)
			}
		}
		out.Kernels = append(out.Kernels, row)
	}
	return indented(out)
}

// list: an empty list is written as one, never as null.
func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// compileCommands writes compile_commands.json, which clangd and others read.
func compileCommands(b Build) ([]byte, error) {
	type command struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Arguments []string `json:"arguments"`
		Output    string   `json:"output,omitempty"`
	}
	out := []command{}
	for _, c := range b.Calls {
		if c.Source != "" { // what links is of no use to an editor
			out = append(out, command{c.Dir, c.Source, plainly(c.Argv), c.Output})
		}
	}
	return indented(out)
}

// plainly are the words of a call for who takes no lists apart: nvcc's own marks of commas are left out.
func plainly(argv []string) []string {
	words := make([]string, 0, len(argv))
	for _, w := range argv {
		switch {
		case strings.HasPrefix(w, "-I"):
			w = strings.ReplaceAll(w, `"`, "")
		case strings.HasPrefix(w, "-D") && !strings.Contains(w, `"`):
			w = strings.ReplaceAll(w, `\,`, ",")
		}
		words = append(words, w)
	}
	return words
}

// indented leaves < > & as they are: they stand in options.
func indented(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return out.Bytes(), err
}
