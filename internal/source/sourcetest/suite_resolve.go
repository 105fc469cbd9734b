package sourcetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"cupel/data"
	"cupel/internal/resolve"
	"cupel/internal/source"
	"cupel/internal/version"
)

// resolve: X.Y and X.Y.Z mean the same parcels, and they hold the compiler.
func (h Harness) resolve(t *testing.T) {
	src := h.New(t)
	exact := h.plan(t, src, h.request(h.Release))
	short := h.plan(t, src, h.request(version.MustParse(h.Release).Short().String()))
	if !reflect.DeepEqual(exact.Parcels, short.Parcels) {
		t.Errorf("%s and %s differ:\n%v\n%v", h.Release, h.request(h.Release).Release.Short(), exact.Parcels, short.Parcels)
	}
	if exact.Release != h.Release || short.Release != h.Release {
		t.Errorf("plans are of %s and %s, want %s", exact.Release, short.Release, h.Release)
	}
	if !slices.Contains(exact.Components, "nvcc") {
		t.Errorf("the minimal plan has no nvcc: %v", exact.Components)
	}
	if again := h.plan(t, src, h.request(h.Release)); !reflect.DeepEqual(again, exact) {
		t.Errorf("resolved again the plan differs:\n%v\n%v", again, exact)
	}
}

// plan resolves and looks at what every plan must be.
func (h Harness) plan(t *testing.T, src source.Source, req resolve.Request) resolve.Plan {
	t.Helper()
	plan, err := src.Resolve(patient(t), req)
	if err != nil {
		t.Fatalf("Resolve(%+v): %v", req, err)
	}
	if plan.Source != src.Name() || plan.Platform != req.Platform || plan.Full != req.Full {
		t.Errorf("plan is %s for %s (full %t), want %s for %s (full %t)", plan.Source, plan.Platform, plan.Full, src.Name(), req.Platform, req.Full)
	}
	brought := map[string]bool{}
	for _, p := range plan.Parcels {
		if p.Component == "" || p.Name == "" || p.Format == "" || p.Size.Download < 0 || p.Size.Installed < 0 {
			t.Errorf("parcel is not whole: %+v", p)
		}
		if p.SHA256 == "" && !h.Unsummed || p.SHA256 != "" && len(p.SHA256) != 64 {
			t.Errorf("parcel %s has the sha256 %q", p.Name, p.SHA256)
		}
		for _, w := range append([]string{p.Component}, p.Brings...) {
			brought[w] = true
		}
	}
	for _, w := range plan.Components {
		if !brought[w] && plan.Root == "" {
			t.Errorf("no parcel brings %s: %+v", w, plan.Parcels)
		}
	}
	return plan
}

// withAndFull: what is asked for comes with all it needs, and full is no less than minimal.
func (h Harness) withAndFull(t *testing.T) {
	src := h.New(t)
	minimal := h.plan(t, src, h.request(h.Release))
	if h.Component != "" {
		req := h.request(h.Release)
		req.With = []string{h.Component}
		with := h.plan(t, src, req)
		c, _ := data.ComponentByWord(h.Component)
		for _, w := range append(slices.Clone(minimal.Components), h.Component) {
			if !slices.Contains(with.Components, w) {
				t.Errorf("with %s the plan has no %s: %v", h.Component, w, with.Components)
			}
		}
		for _, w := range c.Needs {
			if _, offered := resolve.Row(src.Name(), w, req.Release, h.Platform); offered && !slices.Contains(with.Components, w) {
				t.Errorf("with %s the plan has no %s, which it needs: %v", h.Component, w, with.Components)
			}
		}
		if !slices.Equal(with.Asked, req.With) {
			t.Errorf("plan says that %v was asked for, want %v", with.Asked, req.With)
		}
	}
	req := h.request(h.Release)
	req.Full = true
	full := h.plan(t, src, req)
	for _, p := range minimal.Parcels {
		if !slices.ContainsFunc(full.Parcels, func(q resolve.Parcel) bool { return q.Name == p.Name && q.SHA256 == p.SHA256 }) {
			t.Errorf("full has no %s, which minimal has", p.Name)
		}
	}
}

// refusals: each wish that cannot be met has its own error.
func (h Harness) refusals(t *testing.T) {
	src := h.New(t)
	_, err := src.Resolve(patient(t), h.request(h.Unknown))
	if no := (source.NoRelease{}); !errors.As(err, &no) {
		t.Errorf("Resolve of %s: %v (%T), want source.NoRelease", h.Unknown, err, err)
	} else if no.Source != src.Name() || no.Wish != h.Unknown {
		t.Errorf("Resolve of %s: %#v", h.Unknown, no)
	}
	req := h.request(h.Release)
	req.With = []string{"cublass"}
	_, err = src.Resolve(patient(t), req)
	if unknown := (resolve.UnknownComponent{}); !errors.As(err, &unknown) || unknown.Word != "cublass" {
		t.Errorf("Resolve with cublass: %v (%T), want resolve.UnknownComponent", err, err)
	}
	if h.Lacks != "" {
		req.With = []string{h.Lacks}
		_, err = src.Resolve(patient(t), req)
		if lacks := (resolve.NotOffered{}); !errors.As(err, &lacks) || !slices.Contains(lacks.Words, h.Lacks) {
			t.Errorf("Resolve with %s: %v (%T), want resolve.NotOffered", h.Lacks, err, err)
		}
	}
	if _, err := src.Resolve(ended(t), h.request(h.Release)); err != nil && !errors.Is(err, context.Canceled) && !isUnreachable(err) {
		t.Errorf("Resolve with an ended context: %v, want the context's error or source.Unreachable", err)
	}
}

// elsewhere: a plan for another platform is of that platform.
func (h Harness) elsewhere(t *testing.T) {
	if h.Elsewhere == (resolve.Platform{}) {
		return
	}
	src := h.New(t)
	here := h.plan(t, src, h.request(h.Release))
	req := h.request(h.Release)
	req.Platform = h.Elsewhere
	there := h.plan(t, src, req)
	for _, p := range there.Parcels {
		if slices.ContainsFunc(here.Parcels, func(q resolve.Parcel) bool { return q.SHA256 != "" && q.SHA256 == p.SHA256 && p.Component == "nvcc" }) {
			t.Errorf("nvcc for %s is the same file as for %s: %s", h.Elsewhere, h.Platform, p.File)
		}
	}
}
