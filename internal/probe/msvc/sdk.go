package msvc

import (
	"slices"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

var sdkName = pattern.New(`^10\.\d+\.\d+\.\d+$`)

// kitsKeys hold KitsRoot10; the SDK's installer is a 32-bit program, so older ones wrote the second only.
var kitsKeys = []string{
	`HKLM\SOFTWARE\Microsoft\Windows Kits\Installed Roots`,
	`HKLM\SOFTWARE\WOW6432Node\Microsoft\Windows Kits\Installed Roots`,
}

// kits lists the installed Windows SDKs, newest first.
func kits(at *look.At) []fact.WindowsSDK {
	var out []fact.WindowsSDK
	for _, root := range kitsRoots(at) {
		for _, version := range kitVersions(at, root) {
			out = append(out, fact.WindowsSDK{Version: version, Root: root, Libs: hasLibs(at, root, version)})
		}
	}
	slices.SortStableFunc(out, func(a, b fact.WindowsSDK) int { return number(b.Version).Compare(number(a.Version)) })
	return out
}

func kitsRoots(at *look.At) []string {
	var out []string
	seen := newSet(at.Path)
	for _, key := range kitsKeys {
		values, err := at.RegistryValues(key)
		at.Note("Windows SDK", key, err)
		if root := values["KitsRoot10"]; root != "" && seen.add(root) {
			out = append(out, at.Path.Clean(root))
		}
	}
	if usual := at.Path.Join(programFiles(at)[1], `Windows Kits\10`); seen.add(usual) {
		out = append(out, usual)
	}
	return out
}

// kitVersions looks in both folders: a driver kit or a half-removed SDK has only one of them.
func kitVersions(at *look.At, root string) []string {
	var out []string
	for _, part := range []string{"Include", "Lib"} {
		for _, dir := range at.List(at.Path.Join(root, part), sdkName) {
			out = append(out, at.Path.Base(dir))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// libArch is the folder of import libraries by Go's name of the processor.
var libArch = map[string]string{"amd64": "x64", "arm64": "arm64"}

func hasLibs(at *look.At, root, version string) bool {
	arch := libArch[at.System.Arch]
	lib := at.Path.Join(root, "Lib", version)
	return at.IsDir(at.Path.Join(lib, "um", arch)) && at.IsDir(at.Path.Join(lib, "ucrt", arch))
}
