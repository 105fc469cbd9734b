package library

import (
	"cupel/internal/pattern"
)

var anyName = pattern.New(`^[^.]`)

// windowsClang: clang-sys lists the lib folders and looks into the bin beside each.
func windowsClang(at *shelf) []string {
	j := at.Path.Join
	var roots []string
	if at.System.Home != "" {
		roots = append(roots, j(at.System.Home, "scoop", "apps", "llvm", "current"))
	}
	for _, files := range []string{`C:\Program Files`, `C:\Program Files (x86)`} {
		roots = append(roots, j(files, "LLVM"))
	}
	roots = append(roots, `C:\LLVM`)
	for _, files := range []string{`C:\Program Files`, `C:\Program Files (x86)`} {
		roots = append(roots, visualStudioLLVM(at, j(files, "Microsoft Visual Studio"))...)
	}
	var out []string
	for _, r := range roots {
		out = append(out, j(r, "lib"), j(r, "bin"))
	}
	return out
}

func visualStudioLLVM(at *shelf, dir string) []string {
	var out []string
	for _, year := range at.List(dir, pattern.New(`^\d+$`)) {
		for _, edition := range at.List(year, anyName) {
			llvm := at.Path.Join(edition, "VC", "Tools", "Llvm")
			out = append(out, at.Path.Join(llvm, "x64"), at.Path.Join(llvm, "ARM64"), llvm)
		}
	}
	return out
}
