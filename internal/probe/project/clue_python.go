package project

import (
	"strings"

	"cupel/internal/pattern"
	"cupel/internal/version"
)

// backends are the build systems behind the names in pyproject.toml.
var backends = []struct {
	name  *pattern.Pattern
	words []string
}{
	{pattern.New(`^(scikit_build_core|skbuild|py_build_cmake)\b`), []string{"cmake", "pip"}},
	{pattern.New(`^setuptools\b`), []string{"setuptools"}},
	{pattern.New(`^mesonpy\b`), []string{"meson", "pip"}},
	{pattern.New(`^maturin\b`), []string{"cargo", "pip"}},
}

func pyprojectClues(f *clueFile) {
	var p struct {
		Build struct {
			Requires []string `toml:"requires"`
			Backend  string   `toml:"build-backend"`
		} `toml:"build-system"`
		Project struct {
			Name   string   `toml:"name"`
			Python string   `toml:"requires-python"`
			Deps   []string `toml:"dependencies"`
		} `toml:"project"`
		Tool struct {
			Scikit map[string]any `toml:"scikit-build"`
		} `toml:"tool"`
	}
	if !f.parse(&p) {
		return
	}
	for _, b := range backends {
		if f.isRoot() && b.name.MatchString(p.Build.Backend) {
			for _, w := range b.words {
				f.add("project.build", w, lineOf(f.lines, "build-backend"), "")
			}
		}
	}
	if f.isRoot() {
		f.add("project.name", p.Project.Name, tomlLine(f.text, "project", "name"), "")
	}
	f.specifier("python", p.Project.Python, lineOf(f.lines, "requires-python"), "")
	for _, d := range p.Project.Deps {
		f.requirement(d, "")
	}
	for _, d := range p.Build.Requires {
		f.requirement(d, "pip fetches it for a build in isolation")
	}
	f.scikit(p.Tool.Scikit)
}

// wantedPackages are those the probe can tell the version of.
var wantedPackages = pattern.New(`^(torch|cmake|ninja|bitsandbytes)\s*(?:\[[^\]]*\])?\s*([^;]*)(;.*)?$`)

// requirement reads one line of PEP 508.
func (f *clueFile) requirement(text, note string) {
	m := wantedPackages.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return
	}
	if m[3] != "" {
		note = "only when " + strings.TrimSpace(m[3][1:])
	}
	f.specifier(m[1], m[2], lineOf(f.lines, strings.TrimSpace(text)), note)
}

// specifier turns Python's version specifier into a range of the contract: what has no counterpart is told.
func (f *clueFile) specifier(name, text string, line int, note string) {
	if strings.TrimSpace(text) == "" {
		if name != "python" {
			f.add("components."+name, "any", line, note)
		}
		return
	}
	out, left := specifierRange(text)
	if left != "" {
		note = strings.TrimPrefix(note+"; "+left+" cannot be said as a range", "; ")
	}
	f.add("components."+name, out, line, note)
}

var specifierPart = pattern.New(`^(>=|<=|>|<|==|~=)\s*([0-9]+(?:\.[0-9]+)*)(\.\*)?$`)

func specifierRange(text string) (out, left string) {
	var parts, not []string
	for _, p := range strings.Split(strings.Trim(strings.TrimSpace(text), "()"), ",") {
		m := specifierPart.FindStringSubmatch(strings.TrimSpace(p))
		v := version.V{}
		if m != nil {
			v, _ = version.Parse(m[2])
		}
		switch {
		case m == nil || v.IsZero():
			not = append(not, strings.TrimSpace(p))
		case m[1] == "==" && m[3] != "":
			parts = append(parts, m[2])
		case m[1] == "==":
			parts = append(parts, "="+m[2])
		case m[1] == "~=" && v.Parts() > 1:
			parts = append(parts, ">="+m[2], "<"+next(v.Cut(v.Parts()-1)))
		default:
			parts = append(parts, m[1]+m[2])
		}
	}
	if len(parts) == 0 {
		return "any", strings.Join(not, ", ")
	}
	return strings.Join(parts, ", "), strings.Join(not, ", ")
}

// next is the version after v in its last place.
func next(v version.V) string {
	parts := make([]int, v.Parts())
	for i := range parts {
		parts[i] = v.Part(i)
	}
	parts[len(parts)-1]++
	return version.Of(parts...).String()
}

// scikit reads the settings of scikit-build-core that speak of CMake.
func (f *clueFile) scikit(s map[string]any) {
	table := func(m map[string]any, key string) map[string]any { t, _ := m[key].(map[string]any); return t }
	cmake := table(s, "cmake")
	if v, ok := cmake["minimum-version"].(string); ok && plainVersion(v) {
		f.add("components.cmake", ">="+v, lineOf(f.lines, "minimum-version", v), "")
	}
	for _, name := range []string{"cmake", "ninja"} {
		if v, ok := table(s, name)["version"].(string); ok && strings.ContainsAny(v, "<>=~") {
			f.specifier(name, v, lineOf(f.lines, "version", v), "pip fetches it where the system has none")
		}
	}
	if v, ok := table(cmake, "define")[archList].(string); ok {
		f.add("arch.targets", archWords(v), lineOf(f.lines, archList), "")
	}
	if args, ok := cmake["args"].([]any); ok {
		for _, a := range args {
			if text, ok := a.(string); ok && strings.HasPrefix(text, "-D"+archList+"=") {
				_, v, _ := strings.Cut(text, "=")
				f.add("arch.targets", archWords(v), lineOf(f.lines, archList), "")
			}
		}
	}
}
