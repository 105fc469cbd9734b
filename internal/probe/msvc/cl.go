package msvc

import (
	"fmt"
	"strings"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/pefile"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

// compilerGap is how far the compiler's own major number is ahead of the toolset's: toolset 14.40 holds cl
// 19.40, and so for every release since Visual Studio 2015 (Microsoft C++ compiler versioning table;
// devblogs.microsoft.com/oldnewthing, 2022-12-19).
const compilerGap = 5

// program reads the version resource of a program.
func program(at *look.At, path string) (pefile.File, error) {
	b, err := at.Open(path)
	if err != nil {
		return pefile.File{}, err
	}
	defer b.Close()
	return pefile.Read(b)
}

// clVersion is the number cl.exe prints. Its version resource carries the toolset's form of it
// (14.44.35228.0 for 19.44.35228), which servicing keeps right while the folder's name stays that of the
// first release. Without it the folder tells the first two parts.
func clVersion(at *look.At, path string) fact.Fact[string] {
	f, err := program(at, path)
	if err == nil && f.Version != "" {
		if v, perr := version.Parse(f.Version); perr == nil {
			return fact.Of(printed(v), path+" (file version "+f.Version+")")
		}
	}
	if v, ok := folderVersion(at, path); ok {
		return fact.Of(fmt.Sprintf("%d.%d", v.Major()+compilerGap, v.Minor()), "folder name "+v.String()+" of "+path)
	}
	if err == nil {
		return fact.None[string](path)
	}
	return fact.Bad[string](path, err)
}

// printed turns a file version into what the compiler prints. A number the table knows as a compiler's own
// stays as it is: compilers older than the toolset folders carry that form.
func printed(v version.V) string {
	if _, ok := compat.MSVCByCl(v); !ok {
		v = version.Of(v.Major()+compilerGap, v.Minor(), v.Patch(), v.Part(3))
	}
	if v.Part(3) == 0 {
		v = v.Cut(3)
	}
	return v.String()
}

// folderVersion finds the toolset's folder above a cl.exe.
func folderVersion(at *look.At, path string) (version.V, bool) {
	parts := strings.Split(path, `\`)
	for i := len(parts) - 1; i > 0; i-- {
		if strings.EqualFold(parts[i-1], "MSVC") && toolsetName.MatchString(parts[i]) {
			v, err := version.Parse(parts[i])
			return v, err == nil
		}
	}
	return version.V{}, false
}

// targets are the folder names compilers lie in, old (Visual Studio 2015) and new.
var targets = map[string]string{
	"x64": "x64", "x86": "x86", "arm64": "arm64", "arm": "arm",
	"amd64": "x64", "x86_amd64": "x64", "amd64_x86": "x86", "amd64_arm": "arm", "x86_arm": "arm",
}

// clTarget is the processor a cl.exe makes code for: the folder says it, because a cross compiler runs on
// another one. Only where the folder is silent does the program's own machine stand for it.
func clTarget(at *look.At, path string) string {
	if t := targets[strings.ToLower(at.Path.Base(at.Path.Dir(path)))]; t != "" {
		return t
	}
	f, _ := program(at, path)
	return f.Machine
}
