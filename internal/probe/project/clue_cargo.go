package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cupel/data"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

func cargoClues(f *clueFile) {
	var m struct {
		manifest
		Package struct {
			Name string `toml:"name"`
			Rust any    `toml:"rust-version"`
		} `toml:"package"`
		Workspace struct {
			Package struct {
				Rust any `toml:"rust-version"`
			} `toml:"package"`
			Deps map[string]any `toml:"dependencies"`
		} `toml:"workspace"`
	}
	if !f.parse(&m) {
		return
	}
	f.rootBuild("cargo")
	if f.isRoot() {
		f.add("project.name", m.Package.Name, tomlLine(f.text, "package", "name"), "")
	}
	for _, v := range []any{m.Package.Rust, m.Workspace.Package.Rust} {
		if text, ok := v.(string); ok && plainVersion(text) {
			f.add("components.rust", ">="+text, lineOf(f.lines, "rust-version", text), "")
		}
	}
	f.features(m.Features)
	for _, table := range []struct {
		name string
		deps map[string]any
	}{{"dependencies", m.Deps}, {"build-dependencies", m.BuildDeps}, {"workspace.dependencies", m.Workspace.Deps}} {
		for _, name := range sortedKeys(table.deps) {
			f.dependency(name, table.deps[name], tomlLine(f.text, table.name, name))
		}
	}
}

// parse reads TOML; what is wrong with it is told.
func (f *clueFile) parse(into any) bool {
	err := toml.Unmarshal([]byte(f.text), into)
	if err != nil {
		f.fault = look.Plain(err).Error()
	}
	return err == nil
}

func plainVersion(s string) bool { _, err := version.Parse(s); return err == nil }

// features that name CUDA are ways to build; those of a library say when it is needed.
func (f *clueFile) features(all map[string][]string) {
	for _, name := range sortedKeys(all) {
		if !cudaFeature.MatchString(name) {
			continue
		}
		line := tomlLine(f.text, "features", name)
		f.add("config", "cargo build --features "+name, line, "a feature of the crate; when to build it is yours to say")
		for _, lib := range []string{"cudnn", "nccl"} {
			if name == lib {
				f.add("components."+lib+".only-for", name, line, "")
			}
		}
	}
}

// dependency reads what a crate that has to do with CUDA is asked for.
func (f *clueFile) dependency(name string, value any, line int) {
	want, features := "", []any(nil)
	switch v := value.(type) {
	case string:
		want = v
	case map[string]any:
		want, _ = v["version"].(string)
		features, _ = v["features"].([]any)
		if p, ok := v["package"].(string); ok {
			name = p
		}
	}
	if slices.ContainsFunc(data.Builders(), func(b data.Builder) bool { return b.Name == name }) {
		f.add("project.builders", strings.TrimSpace(name+" "+caret(want)), line, "")
		f.builderReads(name, line)
	}
	if name == "cudarc" {
		for _, feature := range features {
			if text, ok := feature.(string); ok {
				f.cudarc(text, line)
			}
		}
	}
}

// builderReads: the table knows which variable carries the architectures to which builder.
func (f *clueFile) builderReads(name string, line int) {
	for _, v := range data.Variables() {
		for _, r := range v.Readers {
			if tool, _, _ := strings.Cut(r.Tool, " "); v.Kind == "arch" && tool == name {
				f.add("arch.env", v.Name, line, name+" reads it: "+r.How)
			}
		}
	}
}

var cudarcRelease = pattern.New(`^cuda-([0-9]{2})0([0-9])0$`)

// cudarc's features are libraries, and the release its bindings are made from.
func (f *clueFile) cudarc(feature string, line int) {
	if m := cudarcRelease.FindStringSubmatch(feature); m != nil {
		f.add("toolkit.recommended", m[1]+"."+m[2], line, "cudarc's bindings are those of this release")
		return
	}
	f.library(feature, line, "a feature of cudarc, which loads the library while it runs unless it is told to link")
}

// caret turns a plain requirement of cargo into a range; "" when it is of another form.
func caret(want string) string {
	want = strings.TrimPrefix(strings.TrimSpace(want), "^")
	v, err := version.Parse(want)
	if err != nil || v.Parts() > 3 {
		return ""
	}
	switch {
	case v.Major() > 0 || v.Parts() == 1:
		return fmt.Sprintf(">=%s, <%d", v, v.Major()+1)
	case v.Minor() > 0 || v.Parts() == 2:
		return fmt.Sprintf(">=%s, <0.%d", v, v.Minor()+1)
	}
	return fmt.Sprintf(">=%s, <0.0.%d", v, v.Patch()+1)
}

// lockClues: a builder that comes with another crate is used like one's own.
func lockClues(f *clueFile) {
	all, _ := parseLock(f.text)
	for _, p := range all {
		if p.source != "" && slices.ContainsFunc(data.Builders(), func(b data.Builder) bool { return b.Name == p.name }) {
			f.add("project.builders", p.name, p.line, "")
		}
	}
}

// toolchainClues: the toolchain rustup would take.
func toolchainClues(f *clueFile) {
	if !f.isRoot() {
		return
	}
	var file struct {
		Toolchain struct {
			Channel string `toml:"channel"`
		} `toml:"toolchain"`
	}
	name := strings.TrimSpace(f.text)
	if toml.Unmarshal([]byte(f.text), &file) == nil && file.Toolchain.Channel != "" {
		name = file.Toolchain.Channel
	}
	if plainName.MatchString(name) {
		f.add("components.rust.toolchain", name, max(1, lineOf(f.lines, name)), "")
	}
}

// cargoConfigClues: what cargo is told to build for in the project's own configuration, it builds for everywhere.
func cargoConfigClues(f *clueFile) {
	var c config
	if !f.parse(&c) {
		return
	}
	for _, name := range sortedKeys(c.Env) {
		line := tomlLine(f.text, "env", name)
		f.reads(name, line, "")
		if v, known := data.VariableByName(name, "linux"); known && v.Kind == "arch" {
			value, _ := c.Env[name].(string)
			if table, ok := c.Env[name].(map[string]any); ok {
				value, _ = table["value"].(string)
			}
			f.add("arch.targets", archWords(value), line, "")
		}
	}
}

// archWords are the targets in the value of a variable, "" when it holds anything else.
func archWords(value string) string {
	words := strings.FieldsFunc(value, func(c rune) bool { return c == ';' || c == ' ' || c == ',' })
	for _, w := range words {
		if !target.MatchString(w) {
			return ""
		}
	}
	return strings.Join(words, " ")
}

// presetClues reads the architectures of CMake's presets.
func presetClues(f *clueFile) {
	values, err := presetValues(f.text)
	if err != nil {
		f.fault = look.Plain(err).Error()
	}
	for _, v := range values {
		if v.Name == archList {
			f.add("arch.targets", archWords(v.Value), v.Line, "of a preset")
		}
	}
}
