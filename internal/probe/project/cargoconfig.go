package project

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/probe/rust"
)

// config is what counts of a .cargo/config.toml.
type config struct {
	Env   map[string]any `toml:"env"`
	Build struct {
		Target  any `toml:"target"` // one triple or a list
		Wrapper any `toml:"rustc-wrapper"`
	} `toml:"build"`
}

// cargoConfig unifies the files that cargo started in dir would read; the nearest one wins.
func (s *survey) cargoConfig(dir string) {
	for _, file := range s.configFiles(dir) {
		text, ok := s.text("cargo configuration", file)
		if !ok {
			continue
		}
		var c config
		if err := toml.Unmarshal([]byte(text), &c); err != nil {
			s.trouble("cargo configuration", file, look.Plain(err))
			continue
		}
		s.addConfig(c, text, file)
	}
}

// configFiles: cargo looks into .cargo of dir and of every parent, then into its own folder, and of two files
// takes the one without an ending.
func (s *survey) configFiles(dir string) []string {
	var folders []string
	for d, n := dir, 0; n < maxUp; n++ {
		folders = append(folders, s.Path.Join(d, ".cargo"))
		if d == s.Path.Dir(d) {
			break
		}
		d = s.Path.Dir(d)
	}
	if home := rust.Home(s.At); home != "" {
		folders = append(folders, home)
	}
	var out []string
	for _, f := range folders {
		file := s.FirstFile(s.Path.Join(f, "config"), s.Path.Join(f, "config.toml"))
		if file != "" && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}

func (s *survey) addConfig(c config, text, file string) {
	for _, name := range sortedKeys(c.Env) {
		taken := slices.ContainsFunc(s.out.CargoEnv, func(v fact.FileValue) bool { return v.Name == name })
		if taken || !s.matters(name) { // any other name may be a secret
			continue
		}
		v, err := s.envValue(c.Env[name], file)
		if err != nil {
			s.trouble("cargo [env] "+name, file, err)
			continue
		}
		v.Name, v.File, v.Line = name, file, tomlLine(text, "env", name)
		s.out.CargoEnv = append(s.out.CargoEnv, v)
	}
	for _, b := range []struct {
		key   string
		value any
		into  *fact.FileValue
	}{{"target", c.Build.Target, &s.out.Target}, {"rustc-wrapper", c.Build.Wrapper, &s.out.Wrapper}} {
		if b.value == nil || !b.into.IsZero() {
			continue
		}
		value, err := words(b.value)
		if err != nil {
			s.trouble("cargo build."+b.key, file, err)
			continue
		}
		*b.into = fact.FileValue{Name: "build." + b.key, Value: value, File: file, Line: tomlLine(text, "build", b.key)}
	}
}

// envValue reads NAME = "value" and NAME = { value = "…", force = true, relative = true }.
func (s *survey) envValue(raw any, file string) (fact.FileValue, error) {
	if text, ok := raw.(string); ok {
		return fact.FileValue{Value: text}, nil
	}
	table, ok := raw.(map[string]any)
	if !ok {
		return fact.FileValue{}, fmt.Errorf("its value is neither text nor a table")
	}
	text, ok := table["value"].(string)
	if !ok {
		return fact.FileValue{}, fmt.Errorf("its table has no text under value")
	}
	if isTrue(raw, "relative") {
		// Relative to the folder that holds .cargo.
		text = s.Path.Join(s.Path.Dir(s.Path.Dir(file)), text)
	}
	return fact.FileValue{Value: text, Force: isTrue(raw, "force")}, nil
}

func words(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case []any:
		var out []string
		for _, e := range v {
			text, ok := e.(string)
			if !ok {
				return "", fmt.Errorf("its list holds something other than text")
			}
			out = append(out, text)
		}
		return strings.Join(out, " "), nil
	}
	return "", fmt.Errorf("its value is neither text nor a list")
}

var tableLine = pattern.New(`^\s*\[\s*([A-Za-z0-9_."' -]+?)\s*\]\s*(#.*)?$`)

// tomlLine finds the line that sets table.key in any of its spellings; 0 when it cannot be told.
func tomlLine(text, table, key string) int {
	inline := pattern.New(`^\s*` + table + `\s*\.\s*["']?` + regexp.QuoteMeta(key) + `["']?\s*[.=]`)
	plain := pattern.New(`^\s*["']?` + regexp.QuoteMeta(key) + `["']?\s*[.=]`)
	current := ""
	for i, line := range strings.Split(text, "\n") {
		if m := tableLine.FindStringSubmatch(strings.TrimRight(line, "\r")); m != nil {
			current = strings.NewReplacer(`"`, "", `'`, "", " ", "").Replace(m[1])
			if current == table+"."+key {
				return i + 1
			}
			continue
		}
		if (current == table && plain.MatchString(line)) || (current == "" && inline.MatchString(line)) {
			return i + 1
		}
	}
	return 0
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
