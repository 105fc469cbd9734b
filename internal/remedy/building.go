package remedy

import (
	"slices"

	"cupel/data"
	"cupel/internal/verify"
)

// ForBuilding says that a check is about what compiles kernels, and not about where a program runs or what else a
// project needs: a machine without a driver builds as well as one with it.
func ForBuilding(c verify.Check) bool {
	t := data.AllRemedies()
	if settledBy(c.ID) == "advice" {
		return slices.Contains(t.BuildingAbout, about(c.ID))
	}
	return verify.Match(t.Building, c.ID)
}

// Unmet are the failed checks of an answer, consequences of others left out.
func Unmet(a verify.Answer) []verify.Check { return failing(a, a.Strict) }

// Brings says that a plan has something for cupel to install.
func (a Answer) Brings() bool {
	return len(a.Plans) > 0 && slices.ContainsFunc(a.Plans[0].Steps, func(s Step) bool { return s.Does != nil && s.Does.Kind != DoUse })
}

// ByPerson are the steps of a route that cupel cannot carry out.
func (r Route) ByPerson() []Step {
	return slices.DeleteFunc(slices.Clone(r.Steps), func(s Step) bool { return s.Does != nil })
}

// ByCupel are those that it can.
func (r Route) ByCupel() []Step {
	return slices.DeleteFunc(slices.Clone(r.Steps), func(s Step) bool { return s.Does == nil })
}
