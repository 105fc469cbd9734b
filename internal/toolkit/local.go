package toolkit

import (
	"context"
	"fmt"
	"time"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// register keeps a root that lies elsewhere by name alone: nothing is copied, and removing it leaves it where it is.
func (i Installer) register(ctx context.Context, change *depot.Change, plan resolve.Plan) (Outcome, error) {
	if registered(ctx, change.Old, plan) {
		return Outcome{Installed: *change.Old, Already: true, Proof: change.Old.Manifest.Proof}, nil
	}
	times := newClock()
	stop := times.start(progress.Prove)
	got, err := i.prove(ctx, plan.Root, change.Dir, plan)
	stop()
	if err != nil {
		return Outcome{}, err
	}
	installed, err := change.Commit(depot.Manifest{
		Cupel: i.Cupel, Release: plan.Release, Nvcc: got.nvcc, Source: plan.Source, Platform: plan.Platform, Installed: time.Now().UTC().Truncate(time.Second),
		Root: plan.Root, Asked: plan.Asked, Words: plan.Components, Components: []depot.Component{}, Proof: got.lines,
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("register %s: %w", plan.Root, err)
	}
	return Outcome{Installed: installed, Times: times.all(), Proof: got.lines}, nil
}

// registered says that the root of a plan was registered before and is still there.
func registered(ctx context.Context, old *depot.Installed, plan resolve.Plan) bool {
	if plan.Root == "" || old == nil || old.Broken != nil || old.Manifest.Root != plan.Root {
		return false
	}
	faults, err := depot.Glance(ctx, *old)
	return err == nil && len(faults) == 0
}
