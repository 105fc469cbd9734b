package msvc

import (
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var (
	toolsetName = pattern.New(`^\d+\.\d+(\.\d+)*$`)
	hostName    = pattern.New(`(?i)^Host\w+$`)
	targetName  = pattern.New(`(?i)^(x64|x86|arm64|arm)$`)
	wholeLine   = pattern.New(`\d`)
)

// toolsets lists the MSVC toolsets of one instance, the default one first, then newest first.
func toolsets(at *look.At, root string) []fact.Toolset {
	first := defaultToolset(at, root)
	var out []fact.Toolset
	for _, dir := range at.List(at.Path.Join(root, `VC\Tools\MSVC`), toolsetName) {
		// The headers alone stay behind after a removal; only what has a bin is a toolset.
		if at.IsDir(at.Path.Join(dir, "bin")) {
			out = append(out, toolset(at, dir))
		}
	}
	slices.SortStableFunc(out, func(a, b fact.Toolset) int {
		if (a.Version == first) != (b.Version == first) {
			if a.Version == first {
				return -1
			}
			return 1
		}
		return number(b.Version).Compare(number(a.Version))
	})
	return out
}

// defaultToolset is what vcvarsall.bat reads when no -vcvars_ver is given.
func defaultToolset(at *look.At, root string) string {
	file := at.Path.Join(root, `VC\Auxiliary\Build\Microsoft.VCToolsVersion.default.txt`)
	lines, err := at.Lines(file, wholeLine)
	if err != nil || len(lines) == 0 {
		at.Note("default MSVC toolset", file, err)
		return ""
	}
	return strings.TrimSpace(lines[0])
}

func toolset(at *look.At, dir string) fact.Toolset {
	ts := fact.Toolset{Version: at.Path.Base(dir), Dir: dir}
	for _, host := range at.List(at.Path.Join(dir, "bin"), hostName) {
		for _, target := range at.List(host, targetName) {
			if at.IsFile(at.Path.Join(target, "cl.exe")) {
				ts.Hosts = append(ts.Hosts, at.Path.Base(host)+"/"+at.Path.Base(target))
			}
		}
	}
	if best := bestHost(ts.Hosts, at.System.Arch); best != "" {
		ts.ClPath = at.Path.Join(dir, "bin", strings.ReplaceAll(best, "/", `\`), "cl.exe")
		ts.Cl = clVersion(at, ts.ClPath)
	}
	return ts
}

// order is which compiler of a toolset serves best on a machine, by Go's name of its processor.
var order = map[string][]string{
	"amd64": {"hostx64/x64", "hostx86/x64"},
	"arm64": {"hostarm64/arm64", "hostx64/arm64", "hostx64/x64", "hostx86/x64"},
}

// bestHost returns the fitting entry of hosts; a toolset without any has only compilers for other targets,
// and the first of those is better than none.
func bestHost(hosts []string, arch string) string {
	for _, want := range order[arch] {
		for _, h := range hosts {
			if strings.EqualFold(h, want) {
				return h
			}
		}
	}
	if len(hosts) > 0 {
		return hosts[0]
	}
	return ""
}
