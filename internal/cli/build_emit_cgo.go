package cli

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"cupel/internal/emit"
	"cupel/internal/stamp"
)

// digestArchives: see emit.File. An archive that cannot be read has none; the linker will tell why.
func digestArchives(b *emit.Build) {
	for _, k := range b.Kernels {
		for i, f := range k.Files {
			if now, err := stamp.New().Now(f.Path); err == nil && f.Kind == "static" {
				k.Files[i].Digest = now.Digest.String()
			}
		}
	}
}

// packageBeside is the package of the Go files in the folder of one, without it and without tests; empty: there are none.
func packageBeside(file string) string {
	dir := filepath.Dir(file)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || name == filepath.Base(file) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err == nil && !ignored(f) {
			return f.Name.Name
		}
	}
	return ""
}

// ignored: a program for go run may lie beside a package, with a tag that nobody sets.
func ignored(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			rule, err := constraint.Parse(c.Text)
			if err == nil && c.Pos() < f.Package && rule.String() == "ignore" {
				return true
			}
		}
	}
	return false
}
