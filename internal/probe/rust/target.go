package rust

import (
	"errors"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// tripleName begins with a processor: other entries of the folder have hyphens too.
var tripleName = pattern.New(`^(x86_64|i[3-6]86|aarch64|arm|thumb|riscv|powerpc|s390x|loongarch|wasm32|nvptx64)[a-z0-9_]*-[a-z0-9_]+(-[a-z0-9_]+){0,2}$`)

// hostOf tells the host triple of a toolchain by its libraries: lib/rustlib has a folder for each target, of
// which only the host's has programs in it.
func hostOf(at *look.At, sysroot string) fact.Fact[string] {
	dir := at.Path.Join(sysroot, "lib", "rustlib")
	names, err := at.Names(dir, tripleName)
	if err != nil {
		return fact.Bad[string](dir, errors.New(look.Reason(err)))
	}
	if len(names) > 1 {
		names = narrow(at, dir, names)
	}
	if len(names) != 1 {
		return fact.Bad[string](dir, errors.New("its folders do not tell the host triple: "+strings.Join(names, ", ")))
	}
	return fact.Of(names[0], at.Path.Join(dir, names[0]))
}

func narrow(at *look.At, dir string, names []string) []string {
	var withBin, usual []string
	for _, n := range names {
		if at.IsDir(at.Path.Join(dir, n, "bin")) {
			withBin = append(withBin, n)
		}
		if n == usualHost(at) {
			usual = append(usual, n)
		}
	}
	if len(withBin) == 1 {
		return withBin
	}
	if len(usual) == 1 {
		return usual
	}
	return names
}
