// Package vcenv computes the environment that Microsoft's vcvarsall.bat would set for one toolset and one
// Windows SDK: INCLUDE, LIB and the folders put in front of PATH. It is pure text over facts; it starts no
// batch file and does not look whether a folder is there.
//
// The lists follow what vcvars64.bat of Visual Studio 2022 leaves behind (environments printed in public bug
// reports: xmake pull request 5176, vcpkg-tool pull request 1173, vscode-cpptools issue 14084). Left out are
// the folders of optional parts that CUDA code does not use: ATL/MFC, the .NET SDK, MSBuild, the IDE.
package vcenv

import (
	"strings"

	"cupel/internal/fact"
	"cupel/internal/ospath"
)

var paths = ospath.For("windows")

// Env returns the three lists. arch is the processor the code is for: x64, x86 or arm64. Without an SDK
// (the zero value) only the toolset's own folders are named.
func Env(vs fact.VisualStudio, ts fact.Toolset, sdk fact.WindowsSDK, arch string) (include, lib, path []string) {
	include = []string{paths.Join(ts.Dir, "include"), paths.Join(vs.Path, `VC\Auxiliary\VS\include`)}
	lib = []string{paths.Join(ts.Dir, "lib", arch)}
	path = programs(ts, arch)
	if sdk.Root == "" || sdk.Version == "" {
		return include, lib, path
	}
	for _, part := range []string{"ucrt", "um", "shared", "winrt", "cppwinrt"} {
		include = append(include, paths.Join(sdk.Root, "Include", sdk.Version, part))
	}
	for _, part := range []string{"ucrt", "um"} {
		lib = append(lib, paths.Join(sdk.Root, "Lib", sdk.Version, part, arch))
	}
	host := hostArch(ts, arch)
	path = append(path, paths.Join(sdk.Root, "bin", sdk.Version, host), paths.Join(sdk.Root, "bin", host))
	return include, lib, path
}

// programs lists the folder of the compiler. A cross compiler loads libraries (mspdb) that lie beside the
// native one, so that folder follows.
func programs(ts fact.Toolset, arch string) []string {
	host := hostArch(ts, arch)
	out := []string{paths.Join(ts.Dir, "bin", "Host"+host, arch)}
	if host != arch {
		out = append(out, paths.Join(ts.Dir, "bin", "Host"+host, host))
	}
	return out
}

// hostArch is the processor the compiler itself runs on: that of the toolset's own best compiler, unless it
// has none for arch.
func hostArch(ts fact.Toolset, arch string) string {
	best := ""
	for _, h := range ts.Hosts {
		host, target, _ := strings.Cut(strings.ToLower(h), "/")
		host = strings.TrimPrefix(host, "host")
		if target != strings.ToLower(arch) {
			continue
		}
		own := strings.Contains(strings.ToLower(ts.ClPath), `\host`+host+`\`)
		if best == "" || own {
			best = host
		}
	}
	if best == "" {
		return "x64"
	}
	return best
}
