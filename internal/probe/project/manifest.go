package project

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

const maxMembers = 200

// manifest is what counts of a Cargo.toml.
type manifest struct {
	Package struct {
		Name string `toml:"name"`
	} `toml:"package"`
	Features  map[string][]string `toml:"features"`
	Deps      map[string]any      `toml:"dependencies"`
	BuildDeps map[string]any      `toml:"build-dependencies"`
	Target    map[string]struct {
		Deps      map[string]any `toml:"dependencies"`
		BuildDeps map[string]any `toml:"build-dependencies"`
	} `toml:"target"`
	Workspace struct {
		Members []string       `toml:"members"`
		Deps    map[string]any `toml:"dependencies"`
	} `toml:"workspace"`
	shared map[string]any // the workspace's dependencies
}

func parseManifest(text string) (manifest, error) {
	var m manifest
	if err := toml.Unmarshal([]byte(text), &m); err != nil {
		return manifest{}, look.Plain(err)
	}
	return m, nil
}

// members reads the manifests of the workspace below dir, by package name.
func (s *survey) members(dir string) map[string]manifest {
	out := map[string]manifest{}
	root, ok := s.manifest(dir)
	if !ok {
		return out
	}
	dirs := []string{}
	for _, pattern := range root.Workspace.Members {
		dirs = append(dirs, s.expand(dir, pattern)...)
	}
	if len(dirs) > maxMembers {
		s.trouble("workspace members", s.Path.Join(dir, "Cargo.toml"), fmt.Errorf("more than %d; the rest was not read", maxMembers))
		dirs = dirs[:maxMembers]
	}
	root.shared = root.Workspace.Deps
	out[root.Package.Name] = root
	for _, d := range dirs {
		if m, ok := s.manifest(d); ok && m.Package.Name != "" {
			m.shared = root.Workspace.Deps
			out[m.Package.Name] = m
		}
	}
	return out
}

func (s *survey) manifest(dir string) (manifest, bool) {
	file := s.Path.Join(dir, "Cargo.toml")
	text, ok := s.text("cargo manifest", file)
	if !ok {
		return manifest{}, false
	}
	m, err := parseManifest(text)
	s.trouble("cargo manifest", file, err)
	return m, err == nil
}

// expand resolves a member pattern of the usual forms: crates/foo, crates/*.
func (s *survey) expand(dir, pattern string) []string {
	dirs := []string{dir}
	for _, part := range strings.Split(pattern, "/") {
		if part == ".." || len(dirs) > maxMembers {
			return nil
		}
		var next []string
		for _, d := range dirs {
			if !strings.ContainsAny(part, "*?[") {
				next = append(next, s.Path.Join(d, part))
				continue
			}
			next = append(next, s.matching(d, part)...)
		}
		dirs = next
	}
	return dirs
}

func (s *survey) matching(dir, glob string) []string {
	text := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(glob))
	keep, err := pattern.Compile(`^` + text + `$`)
	if err != nil {
		s.trouble("workspace members", dir, err)
		return nil
	}
	names, err := s.Names(dir, keep)
	s.trouble("workspace members", dir, err)
	var out []string
	for _, n := range names {
		if p := s.Path.Join(dir, n); !strings.HasPrefix(n, ".") && s.IsFile(s.Path.Join(p, "Cargo.toml")) {
			out = append(out, p)
		}
	}
	return out
}

// pulls tells which features of the member bring the dependency in: for an optional one those that name it,
// for one that is always there (deeper is set when the crate lies below it) those that switch CUDA on inside
// it. "" when the manifest does not tell.
func (m manifest) pulls(crate string, deeper bool) string {
	var out []string
	for key, optional := range m.keys(crate) {
		named := m.naming(key, optional, deeper)
		if optional && len(named) == 0 {
			named = []string{key} // an optional dependency is a feature of its own name
		}
		out = append(out, named...)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

var cudaFeature = pattern.New(`cuda|cudnn|nccl|flash-attn`)

func (m manifest) naming(key string, optional, deeper bool) []string {
	var out []string
	for feature, list := range m.Features {
		for _, entry := range list {
			dep, inner, ofDep := strings.Cut(entry, "/")
			weak := strings.HasSuffix(dep, "?")
			switch {
			case optional && !ofDep && (entry == "dep:"+key || entry == key) && feature != key,
				optional && ofDep && !weak && dep == key,
				!optional && deeper && ofDep && strings.TrimSuffix(dep, "?") == key && cudaFeature.MatchString(inner):
				out = append(out, feature)
			}
		}
	}
	return out
}

// keys are the names under which the manifest depends on a crate, and whether that is optional.
func (m manifest) keys(crate string) map[string]bool {
	out := map[string]bool{}
	tables := []map[string]any{m.Deps, m.BuildDeps}
	for _, t := range m.Target {
		tables = append(tables, t.Deps, t.BuildDeps)
	}
	for _, table := range tables {
		for key, value := range table {
			if m.crateOf(key, value) != crate {
				continue
			}
			optional := isTrue(value, "optional")
			if seen, ok := out[key]; ok {
				optional = optional && seen
			}
			out[key] = optional
		}
	}
	return out
}

// crateOf follows a renamed dependency, here or in the workspace's table.
func (m manifest) crateOf(key string, value any) string {
	if isTrue(value, "workspace") {
		value = m.shared[key]
	}
	if table, ok := value.(map[string]any); ok {
		if name, ok := table["package"].(string); ok {
			return name
		}
	}
	return key
}

func isTrue(value any, key string) bool {
	table, ok := value.(map[string]any)
	b, _ := table[key].(bool)
	return ok && b
}
