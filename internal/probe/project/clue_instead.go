package project

import (
	"strings"

	"cupel/internal/pattern"
)

// Between two reads that stand for one another: whoever writes a.or(b) needs only one of them to be set.
var (
	rustInstead = pattern.New(`(?s)^\s*\)[^;]*(?:\bor_else\s*\(\s*\|[^|]*\||\.or\s*\(|\bunwrap_or_else\s*\(\s*\|[^|]*\||\bErr\s*\([^)]*\)\s*=>|\bNone\s*=>)[\s{(]*(?:\w+::)*$|\belse\s+if\s+let\s+\w+\s*\([^)]*\)\s*=\s*(?:\w+::)*$`)
	pyInstead   = pattern.New(`(?s)^\s*(?:,[^()]*)?[)\]]\s*or[\s(]*$|^\s*,\s*(?:default\s*=\s*)?$|^\s*[)\]]\s*if\s[^\n]*\selse\s*\(?$`)
)

// maxBetween bounds the text between two reads that are taken for one expression.
const maxBetween = 400

// eitherOr finds chains of reads in a text whose comments are blanked, before the reads themselves are told.
func (f *clueFile) eitherOr(text string, read, between *pattern.Pattern) {
	end, first := -1, ""
	for _, m := range read.FindAllStringSubmatchIndex(text, maxCluesFile) {
		name := text[m[2]:m[3]]
		gap := ""
		if end >= 0 && m[0]-end <= maxBetween && m[0] >= end {
			gap = text[end:m[0]]
		}
		if gap != "" && between.MatchString(gap) {
			f.standsIn(name, first)
		} else {
			first = name
		}
		end = m[1]
	}
}

// standsIn keeps that a variable is read only where first is not set. What is a first one elsewhere stays one.
func (f *clueFile) standsIn(name, first string) {
	if f.instead == nil {
		f.instead = map[string]string{}
	}
	for _, head := range f.instead {
		if head == name {
			return
		}
	}
	if _, known := f.instead[name]; !known && name != first && first != "" {
		f.instead[name] = first
	}
}

// cmakeEitherOr: if(DEFINED ENV{A}) … elseif(DEFINED ENV{B}) needs one of them.
func (f *clueFile) cmakeEitherOr(all []command) {
	var firsts []string
	for _, c := range all {
		name := ""
		if m := envRef.FindStringSubmatch(strings.Join(c.args, " ")); m != nil {
			name = m[1]
		}
		top := len(firsts) - 1
		switch {
		case c.name == "if":
			firsts = append(firsts, name)
		case top < 0:
		case c.name == "endif":
			firsts = firsts[:top]
		case c.name == "elseif" && name != "" && firsts[top] != "":
			f.standsIn(name, firsts[top])
		}
	}
}
