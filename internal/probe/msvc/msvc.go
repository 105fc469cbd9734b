// Package msvc finds Visual Studio, its C++ toolsets, the Windows SDKs and every host compiler of a Windows
// machine. It reads the installer's own records, folders, version resources and the registry through a
// look.At; a process (vswhere) is started only when all of them are silent. It judges nothing: whether a
// compiler fits a toolkit is a rule.
package msvc

import (
	"context"

	"cupel/internal/fact"
	"cupel/internal/ospath"
	"cupel/internal/probe/look"
)

// Survey reads all of it. Instances and SDKs come newest first. The toolsets of an instance begin with the
// one its vcvarsall.bat takes when nothing is said, the others follow newest first. Compilers begin with
// those on PATH in its order; the first cl.exe among them is the default.
func Survey(ctx context.Context, at *look.At) (vs []fact.VisualStudio, sdks []fact.WindowsSDK, compilers []fact.Compiler) {
	if !at.Path.Windows() {
		return nil, nil, nil
	}
	vs = instances(ctx, at)
	for i := range vs {
		vs[i].Toolsets = toolsets(at, vs[i].Path)
	}
	return vs, kits(at), compilersOf(at, vs)
}

// folder is a well-known folder: what the variable says, else where Windows puts it.
func folder(at *look.At, variable, usual string) string {
	if v := at.Env(variable); v != "" {
		return v
	}
	return usual
}

// programFiles are the 64-bit and the 32-bit one.
func programFiles(at *look.At) []string {
	return []string{
		folder(at, "ProgramW6432", folder(at, "ProgramFiles", `C:\Program Files`)),
		folder(at, "ProgramFiles(x86)", `C:\Program Files (x86)`),
	}
}

// set remembers paths under every spelling.
type set struct {
	style ospath.Style
	seen  map[string]bool
}

func newSet(style ospath.Style) set { return set{style, map[string]bool{}} }

// add says whether the path is new.
func (s set) add(path string) bool {
	key := s.style.Key(path)
	if s.seen[key] {
		return false
	}
	s.seen[key] = true
	return true
}
