package environ

import (
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/choice"
	"cupel/internal/contract"
	"cupel/internal/fact"
	"cupel/internal/gpu"
)

// Fill puts values into a template. Words without a value stay as they are and are named in missing.
func Fill(template string, values map[string]string) (text string, missing []string) {
	return contract.Expand(template, func(word string) string { return values[word] })
}

// Facts is what the words of a template stand for.
type Facts struct {
	Machine  fact.Machine
	Toolkit  *fact.Toolkit  // nil: no toolkit, and no word about one has a value
	Compiler *fact.Compiler // nil: what the toolkit takes by itself
	Archs    []gpu.Arch
	Arch     contract.Arch // spelling and separator
	Root     string        // the project's folder
}

// Fill gives the value a variable should have. The list of architectures is spelt as the contract says, else as the
// table says that the readers of the variable want it.
func (f Facts) Fill(name, template string) (text string, missing []string) {
	row, known := data.VariableByName(name, f.Machine.System.OS)
	if strings.Contains(template, archList) && f.Arch.Spelling == "" && known && row.Spelling != "" {
		f.Arch.Spelling = row.Spelling
		switch {
		case f.Arch.Separator != "":
		case row.Separator != "":
			f.Arch.Separator = row.Separator[:1]
		default:
			// Its readers take one number: the lowest, whose PTX the later devices run.
			template = strings.ReplaceAll(template, archList, "{arch.first}")
		}
	}
	return Fill(template, Values(f))
}

const archList = "{arch.list}"

// Values gives every word of contract.Values that has a value here.
func Values(f Facts) map[string]string {
	out := map[string]string{"project.root": f.Root}
	if f.Toolkit != nil {
		toolkitValues(out, f.Machine, *f.Toolkit)
		if f.Compiler == nil {
			f.Compiler = choice.DefaultFor(f.Machine, *f.Toolkit)
		}
	}
	if c := f.Compiler; c != nil {
		s := f.Machine.System.Paths()
		out["host.cxx"], out["host.cxx-dir"] = c.Path, s.Dir(c.Path)
		out["host.cc"] = s.Join(s.Dir(c.Path), cName(s.Base(c.Path)))
	}
	out["arch.list"], out["arch.first"] = spellList(f.Archs, f.Arch)
	return out
}

func toolkitValues(out map[string]string, m fact.Machine, t fact.Toolkit) {
	s := m.System.Paths()
	out["toolkit.root"] = t.Home()
	out["toolkit.nvcc"] = t.Parts[fact.PartNvcc]
	if nvcc := t.Parts[fact.PartNvcc]; nvcc != "" {
		out["toolkit.bin"] = s.Dir(nvcc)
	}
	if len(t.Libs) > 0 {
		out["toolkit.lib"] = t.Libs[0]
	}
	if h := t.Parts[fact.PartHeader]; h != "" {
		out["toolkit.include"] = s.Dir(h)
	}
	if rel := choice.Release(t); !rel.IsZero() {
		dotted := rel.Short().String()
		out["toolkit.release"], out["toolkit.dotted"] = rel.String(), dotted
		out["toolkit.short"] = strings.ReplaceAll(dotted, ".", "")
		out["toolkit.major"], _, _ = strings.Cut(dotted, ".")
	}
}

// cName is the C compiler beside a C++ one: g++-12 has gcc-12, clang++ has clang, cl.exe is both.
func cName(cxx string) string {
	for _, pair := range [][2]string{{"clang++", "clang"}, {"g++", "gcc"}, {"c++", "cc"}} {
		if strings.Contains(cxx, pair[0]) {
			return strings.Replace(cxx, pair[0], pair[1], 1)
		}
	}
	return cxx
}

// spellList writes targets as [arch] says: with PTX for the highest, all or none.
func spellList(list []gpu.Arch, a contract.Arch) (all, first string) {
	if len(list) == 0 {
		return "", ""
	}
	list = slices.Clone(list)
	slices.SortFunc(list, gpu.Arch.Compare)
	spelling, separator := gpu.Spelling(a.Spelling), a.Separator
	if spelling == "" {
		spelling = gpu.SM
	}
	if separator == "" {
		separator = ";"
	}
	var words []string
	for i, arch := range list {
		ptx := a.PTX == "all" || a.PTX == "highest" && i == len(list)-1
		word := gpu.Spell(arch, ptx, spelling)
		if spelling == gpu.CMake && a.PTX != "" && !ptx && !arch.Virtual {
			word += "-real" // a plain number means PTX too
		}
		words = append(words, word)
	}
	return strings.Join(words, separator), words[0]
}
