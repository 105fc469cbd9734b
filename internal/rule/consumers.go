package rule

import (
	"strings"

	"cupel/internal/fact"
)

// Versions tells which version of each consumer is in use here: by Cargo.lock, by the tool's own files.
func Versions(m fact.Machine, p fact.Project) map[string]string {
	out := map[string]string{}
	for _, c := range p.Crates {
		out[c.Name] = c.Version
	}
	for _, t := range m.Tools {
		if t.Name == "cmake" && t.Version.Known() {
			out["cmake"] = t.Version.Value
		}
	}
	for _, py := range m.Pythons {
		if py.Torch.Known() && out["torch"] == "" {
			out["torch"], _, _ = strings.Cut(py.Torch.Value, "+") // without the build, 2.11.0+cu130
		}
		if py.Bitsandbytes.Known() && out["bitsandbytes"] == "" {
			out["bitsandbytes"] = py.Bitsandbytes.Value
		}
	}
	return out
}
