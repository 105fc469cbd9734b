package choice

import (
	"fmt"

	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/version"
)

// Verdict is where a host compiler stands with a toolkit. Limit is the bound it was held against, in words.
type Verdict struct {
	Fit   compat.Fit
	Limit string // "CUDA 11.8.0 accepts: up to gcc 11 (its crt/host_config.h)"
}

// WrongTarget is the fit of a compiler that makes code of another kind: 32-bit.
const WrongTarget compat.Fit = "wrong-target"

// JudgeCompiler holds one host compiler against the bounds of a toolkit: its own crt/host_config.h first, the
// table for what does not stand there. Unknown is never fine.
func JudgeCompiler(t fact.Toolkit, c fact.Compiler) Verdict {
	if c.Target == "x86" {
		return Verdict{WrongTarget, fmt.Sprintf("%s makes 32-bit code; CUDA needs the 64-bit compiler", c.Path)}
	}
	v := VersionOf(c.Version)
	if v.IsZero() {
		return Verdict{compat.Unknown, fmt.Sprintf("the version of %s is not known", c.Path)}
	}
	low, high, source := bounds(t, c.Family)
	return judge(t, c.Family, number(c.Family, v), low, high, source)
}

// CompilerFits is the verdict in short: known is false when no bound or no version is established; ok is then
// false too.
func CompilerFits(t fact.Toolkit, c fact.Compiler) (ok, known bool, why string) {
	v := JudgeCompiler(t, c)
	why = v.Limit
	switch v.Fit {
	case compat.TooNew:
		why = fmt.Sprintf("%s %s is newer than %s", c.Family, c.Version.Value, v.Limit)
	case compat.TooOld:
		why = fmt.Sprintf("%s %s is older than %s", c.Family, c.Version.Value, v.Limit)
	}
	return v.Fit == compat.Fits, v.Fit != compat.Unknown, why
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

func judge(t fact.Toolkit, family string, n, low, high int, source string) Verdict {
	switch {
	case high == 0:
		return Verdict{compat.Unknown, fmt.Sprintf("it is not known which %s %s accepts", family, Name(t))}
	case n > high:
		return Verdict{compat.TooNew, fmt.Sprintf("%s accepts: up to %s (%s)", Name(t), bound(family, high), source)}
	case n < low:
		if family != "msvc" {
			source = "release table" // the header has no lower bound for gcc and clang
		}
		return Verdict{compat.TooOld, fmt.Sprintf("%s accepts: from %s on (%s)", Name(t), bound(family, low), source)}
	}
	return Verdict{compat.Fits, fmt.Sprintf("%s accepts %s up to %s (%s)", Name(t), family, bound(family, high), source)}
}

// bound writes a limit as people know it: gcc 13, or cl 19.49 for _MSC_VER 1949.
func bound(family string, n int) string {
	if family == "msvc" {
		return fmt.Sprintf("cl %d.%02d", n/100, n%100)
	}
	return fmt.Sprintf("%s %d", family, n)
}
