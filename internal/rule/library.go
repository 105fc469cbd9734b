package rule

import (
	"fmt"
	"sort"
	"strings"

	"cupel/internal/choice"
	"cupel/internal/compat"
	"cupel/internal/fact"
	"cupel/internal/finding"
)

var libraryRules = []Rule{
	{ID: "cudnn-version-mismatch", Severity: finding.Warning, Title: "cuDNN is built for another CUDA major than the toolkit", Check: cudnnOther},
	{ID: "cudnn-twice", Severity: finding.Warning, Title: "two cuDNN of different versions are found by one program", Label: "cudnn-version-mismatch", Check: cudnnTwice},
	{ID: "libclang-missing", Severity: finding.Error, Title: "the project uses bindgen and no libclang was found", Check: libclang},
	{ID: "libclang-path-wrong", Severity: finding.Error, Title: "LIBCLANG_PATH leads to no libclang", Label: "libclang-missing", Check: libclangPath},
}

// majorOf is the CUDA major a cuDNN is for: what its package says, else the one major the table allows.
func majorOf(l fact.Library) int {
	if l.CUDAMajor != 0 {
		return l.CUDAMajor
	}
	if majors := compat.CuDNNFor(parseV(l.Version.Value)); len(majors) == 1 {
		return majors[0]
	}
	return 0
}

// cudnnOther judges copies that builds see: a wheel's copy belongs to its interpreter.
func cudnnOther(in *Input) []finding.Finding {
	if in.Chosen.Toolkit == nil {
		return nil
	}
	major := choice.Release(*in.Chosen.Toolkit).Major()
	var bad []fact.Library
	for _, l := range in.Machine.Libraries {
		if l.Name != "cudnn" || l.Origin == "pip" {
			continue
		}
		switch m := majorOf(l); {
		case m == 0, major == 0:
			continue
		case m == major:
			return nil
		}
		bad = append(bad, l)
	}
	if len(bad) == 0 {
		return nil
	}
	l := bad[0]
	return one(finding.Finding{
		What:  fmt.Sprintf("cuDNN %s is built for CUDA %d, the chosen toolkit is %s", l.Version.Value, majorOf(l), name(*in.Chosen.Toolkit)),
		Where: l.Path,
		Why:   "cuDNN is built per CUDA major: it loads cuBLAS and the runtime of that major",
		Next:  append(in.ownMore("cudnn"), advice(fmt.Sprintf("install the cuDNN package for CUDA %d (cudnn9-cuda-%d, nvidia-cudnn-cu%d)", major, major, major))),
	})
}

// cudnnTwice compares copies the same program can meet: those of the system and the toolkit; and within one
// interpreter.
func cudnnTwice(in *Input) []finding.Finding {
	groups := map[string][]fact.Library{}
	for _, l := range in.Machine.Libraries {
		if l.Name == "cudnn" && l.Version.Known() {
			groups[l.Python] = append(groups[l.Python], l)
		}
	}
	var keys []string
	for k := range groups {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []finding.Finding
	for _, k := range keys {
		copies := groups[k]
		for _, other := range copies[1:] {
			if parseV(other.Version.Value).Short() == parseV(copies[0].Version.Value).Short() {
				continue
			}
			out = append(out, finding.Finding{
				What:  fmt.Sprintf("cuDNN %s and %s are both here", copies[0].Version.Value, other.Version.Value),
				Where: copies[0].Path + ", " + other.Path,
				Why:   "cuDNN loads its own parts by name: parts of two versions in one process end in CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH",
				Next:  []finding.Step{advice("keep one of them, or take the folder of the other out of the library path")},
			})
			break
		}
	}
	return out
}

func hasLibrary(in *Input, name string) bool {
	for _, l := range in.Machine.Libraries {
		if l.Name == name {
			return true
		}
	}
	return false
}

func libclang(in *Input) []finding.Finding {
	if !in.Project.Bindgen || hasLibrary(in, "libclang") {
		return nil
	}
	f := finding.Finding{
		What: "bindgen needs libclang, and none was found",
		Why:  "the project's Cargo.lock has bindgen, which loads libclang at build time",
		Next: libclangInstall(in),
	}
	return one(f)
}

func libclangInstall(in *Input) []finding.Step {
	switch id := in.Machine.System.Distro.Value.ID; {
	case id == "debian" || id == "ubuntu":
		return []finding.Step{command("sudo apt-get install libclang-dev", "bindgen finds it by itself")}
	case in.Machine.System.OS == fact.Windows:
		return []finding.Step{command("winget install -e --id LLVM.LLVM", "bindgen finds it in C:\\Program Files\\LLVM by itself")}
	}
	return []finding.Step{advice("install libclang; when it lies in an unusual folder, set LIBCLANG_PATH to that folder")}
}

// placeholder is the entry the probe keeps for a LIBCLANG_PATH that leads nowhere; it is no library.
func placeholder(l fact.Library) bool { return l.Version.Source == "LIBCLANG_PATH" }

func libclangPath(in *Input) []finding.Finding {
	value := in.env("LIBCLANG_PATH")
	if value == "" {
		return nil
	}
	s := in.Paths()
	for _, l := range in.Machine.Libraries {
		if l.Name == "libclang" && !placeholder(l) && (s.Within(l.Path, value) || s.Same(l.Path, value)) {
			return nil
		}
	}
	f := finding.Finding{
		What:  "LIBCLANG_PATH leads to no libclang",
		Where: "LIBCLANG_PATH=" + value,
		Why:   "while it is set bindgen looks nowhere else, and stops with \"Unable to find libclang\"",
		Next:  []finding.Step{unset(in, "LIBCLANG_PATH", "lets bindgen search the usual folders")},
	}
	if !in.Project.Bindgen {
		f.Severity = finding.Warning
	}
	for _, l := range in.Machine.Libraries {
		if l.Name == "libclang" && !placeholder(l) {
			f.Next = append(f.Next, setVariable(in, "LIBCLANG_PATH", strings.TrimSuffix(s.Dir(l.Path), s.Separator())))
			return one(f)
		}
	}
	f.Next = append(f.Next, libclangInstall(in)...)
	return one(f)
}
