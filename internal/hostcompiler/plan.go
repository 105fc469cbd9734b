package hostcompiler

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cupel/internal/progress"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/source/apt"
)

// Plan finds where a compiler can be had: for each major in turn the machine's own suites, then other suites of the
// distribution whose packages run on the machine's own libc. Without any, the error says what to do.
func (i Installer) Plan(ctx context.Context, w Want) (Plan, error) {
	if i.Here.Windows() {
		return Plan{}, i.buildTools(w)
	}
	src := i.packages()
	m, err := src.Machine()
	var gone source.Unreachable
	if errors.As(err, &gone) {
		return Plan{}, i.noCompiler(w, gone.Error())
	} else if err != nil {
		return Plan{}, err
	}
	i.Report.Say(progress.Resolve, "looking for a gcc in the distribution's packages")
	var why []string
	for _, major := range w.Majors {
		name := fmt.Sprintf("gcc-%d", major)
		for _, suite := range append([]string{""}, src.Suites(m, major)...) {
			p, err := i.planIn(ctx, src, m, suite, name, fmt.Sprintf("g++-%d", major))
			if err == nil || ctx.Err() != nil {
				return p, err
			}
			why = append(why, reason(suite, err))
		}
	}
	return Plan{}, i.noCompiler(w, why...)
}

func reason(suite string, err error) string {
	if suite == "" {
		return err.Error()
	}
	return suite + ": " + err.Error()
}

// absent is a package that no list has.
type absent struct{ name string }

func (e absent) Error() string { return "there is no " + e.name }

// planIn asks apt what installing packages would bring here. The first of names gives the version.
func (i Installer) planIn(ctx context.Context, src *apt.Source, m apt.Machine, suite, name string, packages ...string) (Plan, error) {
	key, state, err := src.Beside(m, suite)
	if err != nil {
		return Plan{}, err
	}
	if err := state.Update(ctx); err != nil {
		return Plan{}, err
	}
	have, err := state.Show(ctx, packages...)
	if err != nil {
		return Plan{}, err
	}
	for _, p := range packages {
		if len(have[p]) == 0 {
			return Plan{}, absent{p}
		}
	}
	steps, err := state.Simulate(ctx, packages...)
	if err != nil {
		return Plan{}, err
	}
	steps, err = fitting(steps)
	if err != nil {
		return Plan{}, err
	}
	return planOf(ctx, state, key, name, packages[0], steps)
}

// planOf names the parcels of the steps.
func planOf(ctx context.Context, state apt.State, key, name, lead string, steps []apt.Step) (Plan, error) {
	if len(steps) == 0 {
		return Plan{}, fmt.Errorf("%s is installed already", lead)
	}
	var exact []string
	for _, s := range steps {
		exact = append(exact, s.Name+"="+s.New)
	}
	known, err := state.Show(ctx, exact...)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Source: apt.Name, Name: name}
	for _, s := range steps {
		if len(known[s.Name]) == 0 {
			return Plan{}, fmt.Errorf("the package lists do not describe %s %s", s.Name, s.New)
		}
		p.Parcels = append(p.Parcels, known[s.Name][0].Parcel(key, name, nil))
		if s.Name == lead {
			p.Version = upstream(s.New)
		}
	}
	if p.Version == "" {
		return Plan{}, fmt.Errorf("%s is installed already", lead)
	}
	p.Size = resolve.Sum(p.Parcels)
	return p, nil
}

// base are the libraries that every program of the machine runs with. A compiler that wants newer ones would make
// programs that do not run here.
var base = map[string]bool{"libc6": true, "libstdc++6": true, "libgcc-s1": true, "libc-bin": true}

// fitting leaves out what only brings the machine's own packages up to date, and refuses a newer libc.
func fitting(steps []apt.Step) ([]apt.Step, error) {
	var out []apt.Step
	for _, s := range steps {
		switch {
		case !base[s.Name]:
			out = append(out, s)
		case s.Old == "":
			out = append(out, s)
		case upstream(s.Old) != upstream(s.New):
			return nil, fmt.Errorf("it needs %s %s, and the machine has %s", s.Name, upstream(s.New), upstream(s.Old))
		}
	}
	return out, nil
}

// upstream is a version without Debian's epoch and revision: 1:19.1.7-3+b1 is 19.1.7.
func upstream(v string) string {
	if _, after, ok := strings.Cut(v, ":"); ok {
		v = after
	}
	if i := strings.LastIndex(v, "-"); i > 0 {
		v = v[:i]
	}
	return v
}
