package python

import (
	"errors"
	"fmt"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

// layout is where an interpreter keeps its parts.
type layout struct {
	prefix  string
	kind    string
	version fact.Fact[string]
	short   string  // 3.11, or 3.13t for a free-threaded one: what its folders are named by
	base    *layout // of a virtual environment that shows the packages below it too
}

var (
	cfgLine    = pattern.New(`^\s*(home|include-system-site-packages|version|version_info)\s*=`)
	libFolder  = pattern.New(`^python(\d+\.\d+t?)$`)
	program    = pattern.New(`^python(\d+\.\d+t?)(\.exe)?$`)
	windowsDLL = pattern.New(`(?i)^python(\d)(\d+)(t?)\.dll$`)
	patchLevel = pattern.New(`^#define\s+PY_VERSION\s+"([^"]+)"`)
	pyenvName  = pattern.New(`^(\d+\.\d+\.\d+)(t?)$`)
)

func layoutOf(at *look.At, c candidate) layout {
	prefix := prefixOf(at, c.path)
	cfg := at.FirstFile(at.Path.Join(prefix, "pyvenv.cfg"), at.Path.Join(at.Path.Dir(c.path), "pyvenv.cfg"))
	if cfg != "" {
		return venvLayout(at, c, prefix, cfg)
	}
	// Python itself finds its folders from where its program really is.
	real := at.Real(c.path)
	prefix = prefixOf(at, real)
	in := layout{prefix: prefix, kind: kindOf(at, prefix, c.kind)}
	in.short = shortOf(at, prefix, real)
	in.version = versionOf(at, in, real)
	if in.short == "" && in.version.Known() {
		in.short = twoParts(in.version.Value)
	}
	return in
}

// prefixOf cuts bin/python off; on Windows the program stands in the prefix itself or in Scripts.
func prefixOf(at *look.At, path string) string {
	dir := at.Path.Dir(path)
	if at.Path.Windows() && !strings.EqualFold(at.Path.Base(dir), "Scripts") {
		return dir
	}
	return at.Path.Dir(dir)
}

func kindOf(at *look.At, prefix, told string) string {
	switch {
	case at.IsDir(at.Path.Join(prefix, "conda-meta")):
		return Conda
	case pyenvRoot(at) != "" && at.Path.Within(prefix, at.Path.Join(pyenvRoot(at), "versions")):
		return Pyenv
	case told == Pyenv:
		return Pyenv
	}
	return System
}

func venvLayout(at *look.At, c candidate, prefix, cfg string) layout {
	in := layout{prefix: prefix, kind: Venv, short: shortOf(at, prefix, "")}
	values, err := readCfg(at, cfg)
	if err != nil {
		in.version = fact.Bad[string](cfg, err)
		return in
	}
	v, ok := version.Find(values["version"] + " " + values["version_info"])
	if !ok {
		in.version = fact.Bad[string](cfg, errors.New("no version line in it"))
		if in.short != "" {
			in.version = fact.Of(strings.TrimSuffix(in.short, "t"), at.Path.Join(prefix, "lib"))
		}
	} else {
		in.version = fact.Of(v.Cut(3).String(), cfg)
	}
	if in.short == "" && ok {
		in.short = v.Short().String()
	}
	if home := values["home"]; home != "" && strings.EqualFold(values["include-system-site-packages"], "true") {
		if p := baseProgram(at, home, in.short); p != "" {
			base := layoutOf(at, candidate{path: p})
			in.base = &base
		}
	}
	return in
}

func readCfg(at *look.At, cfg string) (map[string]string, error) {
	lines, err := at.Lines(cfg, cfgLine)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, l := range lines {
		key, value, _ := strings.Cut(l, "=")
		values[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return values, nil
}

// baseProgram finds the interpreter a virtual environment was made from. One that is itself in a virtual
// environment is left out: a file that names itself as its home would never end.
func baseProgram(at *look.At, home, short string) string {
	if at.FirstFile(at.Path.Join(home, "pyvenv.cfg"), at.Path.Join(at.Path.Dir(home), "pyvenv.cfg")) != "" {
		return ""
	}
	return at.FirstFile(at.Path.Join(home, at.Path.Program("python"+short)), at.Path.Join(home, at.Path.Program("python3")), at.Path.Join(home, at.Path.Program("python")))
}

// shortOf tells 3.11 by the program's own name, else by the one folder or DLL of a version in the prefix.
func shortOf(at *look.At, prefix, exe string) string {
	if m := program.FindStringSubmatch(at.Path.Base(exe)); m != nil {
		return m[1]
	}
	if at.Path.Windows() {
		return shortOfDLL(at, prefix)
	}
	var found []string
	for _, lib := range []string{"lib", "lib64"} {
		names, err := at.Names(at.Path.Join(prefix, lib), libFolder)
		at.Note("Python folders", at.Path.Join(prefix, lib), err)
		for _, n := range names {
			if s := libFolder.FindStringSubmatch(n)[1]; len(found) == 0 || found[len(found)-1] != s {
				found = append(found, s)
			}
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

func shortOfDLL(at *look.At, prefix string) string {
	names, err := at.Names(prefix, windowsDLL)
	at.Note("Python DLLs", prefix, err)
	if len(names) != 1 {
		return ""
	}
	m := windowsDLL.FindStringSubmatch(names[0])
	return m[1] + "." + m[2] + m[3]
}

// versionOf looks for the whole version in the places that carry it, then falls back to the short one.
func versionOf(at *look.At, in layout, exe string) fact.Fact[string] {
	for _, p := range CondaPackages(at, in.prefix) {
		if p.Name == "python" {
			return fact.Of(p.Version, p.File)
		}
	}
	if m := pyenvName.FindStringSubmatch(at.Path.Base(in.prefix)); in.kind == Pyenv && m != nil {
		return fact.Of(m[1], in.prefix)
	}
	if v, ok := headerVersion(at, in); ok {
		return v
	}
	if in.short != "" {
		return fact.Of(strings.TrimSuffix(in.short, "t"), exe)
	}
	return fact.Bad[string](exe, fmt.Errorf("neither its name nor the folders below %s tell the version", in.prefix))
}

func headerVersion(at *look.At, in layout) (fact.Fact[string], bool) {
	header := at.Path.Join(in.prefix, "include", "python"+in.short, "patchlevel.h")
	if at.Path.Windows() {
		header = at.Path.Join(in.prefix, "include", "patchlevel.h")
	}
	lines, err := at.Lines(header, patchLevel)
	at.Note("Python version", header, err)
	if len(lines) == 0 {
		return fact.Fact[string]{}, false
	}
	return fact.Of(patchLevel.FindStringSubmatch(lines[0])[1], header), true
}

func twoParts(v string) string {
	parsed, ok := version.Find(v)
	if !ok {
		return ""
	}
	return parsed.Short().String()
}
