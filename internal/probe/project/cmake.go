package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// preset is what counts of one configure, build or test preset.
type preset struct {
	Environment map[string]*string         `json:"environment"`
	Cache       map[string]json.RawMessage `json:"cacheVariables"`
}

// presets reads CMakePresets.json and its private twin. What a preset sets wins over the environment.
func (s *survey) presets() {
	for _, name := range []string{"CMakePresets.json", "CMakeUserPresets.json"} {
		file := s.Path.Join(s.root, name)
		text, ok := s.text("CMake presets", file)
		if !ok {
			continue
		}
		values, err := presetValues(text)
		s.trouble("CMake presets", file, err)
		for _, v := range values {
			if s.matters(v.Name) || slices.Contains(cacheNames, v.Name) {
				v.File = file
				s.out.Presets = append(s.out.Presets, v)
			}
		}
	}
}

func presetValues(text string) ([]fact.FileValue, error) {
	var file struct {
		Configure []preset `json:"configurePresets"`
		Build     []preset `json:"buildPresets"`
		Test      []preset `json:"testPresets"`
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		return nil, look.Plain(err)
	}
	var out []fact.FileValue
	for _, p := range slices.Concat(file.Configure, file.Build, file.Test) {
		for _, name := range sortedKeys(p.Environment) {
			if v := p.Environment[name]; v != nil {
				out = append(out, fact.FileValue{Name: name, Value: *v, Force: true})
			}
		}
		for _, name := range sortedKeys(p.Cache) {
			if v, ok := cacheValue(p.Cache[name]); ok {
				out = append(out, fact.FileValue{Name: name, Value: v, Force: true})
			}
		}
	}
	addLines(out, text)
	return out, nil
}

// cacheValue reads "value", true, and { "type": …, "value": … }; null takes a variable away.
func cacheValue(raw json.RawMessage) (string, bool) {
	var table struct {
		Value json.RawMessage `json:"value"`
	}
	if json.Unmarshal(raw, &table) == nil && table.Value != nil {
		raw = table.Value
	}
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return "", false
	}
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strings.ToUpper(fmt.Sprint(v)), true
	}
	return "", false
}

// addLines gives the n-th value of a name the n-th line that has the name as a key.
func addLines(values []fact.FileValue, text string) {
	lines := map[string][]int{}
	wanted := map[string]bool{}
	for _, v := range values {
		wanted[v.Name] = true
	}
	for i, line := range strings.Split(text, "\n") {
		for _, m := range jsonKey.FindAllStringSubmatch(line, -1) {
			if wanted[m[1]] {
				lines[m[1]] = append(lines[m[1]], i+1)
			}
		}
	}
	for i := range values {
		if l := lines[values[i].Name]; len(l) > 0 {
			values[i].Line, lines[values[i].Name] = l[0], l[1:]
		}
	}
}

var (
	jsonKey    = pattern.New(`"([A-Za-z_][A-Za-z0-9_]*)"\s*:`)
	cacheLine  = pattern.New(`^(CMAKE_CACHEFILE_DIR|` + strings.Join(cacheNames, "|") + `):[A-Z]+=(.*)$`)
	buildName  = pattern.New(`^(build[^.]*|cmake-build-.*|out|_build)$`)
	presetName = pattern.New(`^[^.]`)
)

// maxCaches bounds the build folders that are looked at.
const maxCaches = 24

// caches reads the CMakeCache.txt of build folders: what is written there wins over the environment until the
// folder is deleted.
func (s *survey) caches() {
	dirs := []string{s.root}
	names, err := s.Names(s.root, buildName)
	s.trouble("build folders", s.root, err)
	for _, n := range names {
		dir := s.Path.Join(s.root, n)
		dirs = append(dirs, dir)
		if n == "out" || n == "build" { // out/build/NAME of Visual Studio, build/NAME of presets
			dirs = append(dirs, s.below(dir)...)
		}
	}
	for _, dir := range dirs[:min(len(dirs), maxCaches)] {
		s.cache(s.Path.Join(dir, "CMakeCache.txt"))
	}
}

func (s *survey) below(dir string) []string {
	var out []string
	for _, d := range []string{dir, s.Path.Join(dir, "build")} {
		names, err := s.Names(d, presetName)
		if err != nil {
			continue
		}
		for _, n := range names {
			out = append(out, s.Path.Join(d, n))
		}
	}
	return out[:min(len(out), maxCaches)]
}

func (s *survey) cache(file string) {
	if !s.IsFile(file) {
		return
	}
	lines, err := s.Lines(file, cacheLine)
	if err != nil {
		s.trouble("CMake cache", file, err)
		return
	}
	values, err := cacheValues(lines)
	s.trouble("CMake cache", file, err)
	for _, v := range values {
		v.File = file
		s.out.Cache = append(s.out.Cache, v)
	}
}

// cacheValues reads NAME:TYPE=VALUE lines. Every cache has the line that says where it belongs; a file without
// it was cut off or is something else.
func cacheValues(lines []string) ([]fact.FileValue, error) {
	var out []fact.FileValue
	err := errors.New("no CMAKE_CACHEFILE_DIR line: it is cut off, or no CMake cache")
	for _, l := range lines {
		m := cacheLine.FindStringSubmatch(l)
		switch {
		case m == nil:
		case m[1] == "CMAKE_CACHEFILE_DIR":
			err = nil
		case m[2] != "" && !strings.HasSuffix(m[2], "-NOTFOUND"):
			out = append(out, fact.FileValue{Name: m[1], Value: m[2], Force: true})
		}
	}
	return out, err
}

// Cache reads the CMakeCache.txt of one build folder, whatever it is called.
func Cache(at *look.At, dir string) []fact.FileValue {
	s := &survey{At: at, root: dir}
	s.cache(at.Path.Join(dir, "CMakeCache.txt"))
	return s.out.Cache
}
