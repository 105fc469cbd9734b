package project

import (
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
)

var assignment = pattern.New(`^ *((?:(?:export|override|unexport)\s+)*)([A-Za-z_][A-Za-z0-9_]*)\s*(::?:?=|\?=|\+=|=)\s*(.*)$`)

// makefile reads the one make would take. Assignments below a target or a condition count like any other:
// what make would do with them is for make to tell.
func (s *survey) makefile() {
	j := s.Path.Join
	file := s.FirstFile(j(s.root, "GNUmakefile"), j(s.root, "makefile"), j(s.root, "Makefile"))
	if file == "" {
		return
	}
	text, ok := s.text("make variables", file)
	if !ok {
		return
	}
	for _, v := range makeValues(text) {
		if s.matters(v.Name) {
			v.File = file
			s.out.Exports = append(s.out.Exports, v)
		}
	}
}

// makeValues reads the assignments of a makefile. NAME ?= keeps a value of the environment; every other form
// wins over it, inside make and, when the variable came from the environment, in what make starts.
func makeValues(text string) []fact.FileValue {
	var out []fact.FileValue
	for i, line := range strings.Split(text, "\n") {
		m := assignment.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil || strings.Contains(m[1], "unexport") {
			continue
		}
		value, _, _ := strings.Cut(m[4], " #")
		out = append(out, fact.FileValue{
			Name: m[2], Value: strings.TrimSpace(value), Line: i + 1, Force: m[3] != "?=" && m[3] != "+=",
		})
	}
	return out
}
