package mirror

import (
	"strings"

	"cupel/internal/ospath"
)

const blanks = " \t"

// Place is the mirror's folder as Redirect names it. On Windows that is its short name (8.3) where the real one has a blank:
// a makefile that writes $(NVCC) without quotes breaks at one.
func (p Plan) Place() string { return p.unblanked().Dir }

// Warning says, after Make, that the mirror's name has a blank that could not be avoided; else it is empty.
func (p Plan) Warning() string {
	dir := p.Place()
	if !strings.ContainsAny(dir, blanks) {
		return ""
	}
	s := ospath.For(p.os)
	home := s.Dir(s.Dir(dir))
	return "the folder " + home + " has a blank in its name, and a build that does not quote $(NVCC) breaks there: set CUPEL_HOME to a folder without one"
}

// unblanked is the plan with a name of the mirror that has no blank, where there is one.
func (p Plan) unblanked() Plan {
	if !strings.ContainsAny(p.Dir, blanks) {
		return p
	}
	short, ok := shortName(p.Dir)
	if !ok || strings.ContainsAny(short, blanks) {
		return p
	}
	long := p.Dir
	rename := func(path string) string { return short + strings.TrimPrefix(path, long) }
	p.Dir, p.Nvcc = short, rename(p.Nvcc)
	path := make([]string, len(p.path))
	for i, dir := range p.path {
		path[i] = rename(dir)
	}
	p.path = path
	return p
}
