package choice

import (
	"fmt"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// CompilerFits judges one host compiler against the bounds of a toolkit: its own crt/host_config.h first, the
// table for what stands not there. known is false when no bound or no version is established; ok is then
// false too, because unknown is never fine.
func CompilerFits(t fact.Toolkit, c fact.Compiler) (ok, known bool, why string) {
	if c.Target == "x86" {
		return false, true, fmt.Sprintf("%s makes 32-bit code; CUDA needs the 64-bit compiler", c.Path)
	}
	v, found := version.Find(c.Version.Value)
	if !found {
		v, _ = version.Parse(c.Version.Value)
	}
	if !c.Version.Known() || v.IsZero() {
		return false, false, fmt.Sprintf("the version of %s is not known", c.Path)
	}
	low, high, source := bounds(t, c.Family)
	return judge(t, c, number(c.Family, v), low, high, source)
}

// number is what nvcc's header compares: the major, or _MSC_VER for Microsoft's compiler (19.40 is 1940).
func number(family string, v version.V) int {
	if family == "msvc" {
		return v.Major()*100 + v.Minor()
	}
	return v.Major()
}

// bounds gives the lowest and highest number accepted; 0 means not established.
func bounds(t fact.Toolkit, family string) (low, high int, source string) {
	own := t.Bounds.Value
	table, _ := compat.HostBounds(Release(t))
	header := 0
	switch family {
	case "gcc":
		low, high, header = table.GCCMin, table.GCCMax, own.GCCMax
	case "clang":
		low, high, header = table.ClangMin, table.ClangMax, own.ClangBelow-1
	case "msvc":
		low, high, header = table.MSCMin, table.MSCMax-1, own.MSCBelow-1
		if t.Bounds.Known() && own.MSCMin > 0 {
			low = own.MSCMin
		}
	}
	if t.Bounds.Known() && header > 0 {
		return max(low, 0), header, "its crt/host_config.h"
	}
	return max(low, 0), max(high, 0), "release table"
}

func judge(t fact.Toolkit, c fact.Compiler, n, low, high int, source string) (ok, known bool, why string) {
	name := fmt.Sprintf("%s %s", c.Family, c.Version.Value)
	switch {
	case high == 0:
		return false, false, fmt.Sprintf("it is not known which %s %s accepts", c.Family, Name(t))
	case n > high:
		return false, true, fmt.Sprintf("%s is newer than %s accepts: up to %s (%s)", name, Name(t), bound(c.Family, high), source)
	case n < low:
		if c.Family != "msvc" {
			source = "release table" // the header has no lower bound for gcc and clang
		}
		return false, true, fmt.Sprintf("%s is older than %s accepts: from %s on (%s)", name, Name(t), bound(c.Family, low), source)
	}
	return true, true, fmt.Sprintf("%s accepts %s up to %s (%s)", Name(t), c.Family, bound(c.Family, high), source)
}

// bound writes a limit as people know it: gcc 13, or cl 19.49 for _MSC_VER 1949.
func bound(family string, n int) string {
	if family == "msvc" {
		return fmt.Sprintf("cl %d.%02d", n/100, n%100)
	}
	return fmt.Sprintf("%s %d", family, n)
}
