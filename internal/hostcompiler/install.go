package hostcompiler

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// Install carries a plan for gcc out.
func (i Installer) Install(ctx context.Context, p Plan) (Outcome, error) {
	out, err := i.install(ctx, p, kind{
		folder: depot.Compilers, name: "gcc-" + p.Version + "-" + p.Source + "-" + i.Here.String(),
		finish: finishGCC, prove: proveGCC,
	})
	if err == nil {
		out.Variables = map[string]string{"CUDAHOSTCXX": out.Command}
	}
	return out, err
}

// kind is what differs between a compiler and libclang.
type kind struct {
	folder, name string
	finish       func(dir string) (command string, err error) // command is below dir
	// prove makes its files below scratch: programs cannot be started from every folder for temporary files.
	prove func(ctx context.Context, command, scratch string) (proof []string, err error)
}

func (i Installer) install(ctx context.Context, p Plan, k kind) (Outcome, error) {
	c, err := i.Depot.Begin(ctx, k.folder, k.name, i.Report)
	if err != nil {
		return i.given(p, k, err)
	}
	defer c.End()
	if out, ok := standing(ctx, c, p, k); ok {
		i.forget(p) // a run that was killed after its last step left its downloads
		return out, nil
	}
	m, err := i.fill(ctx, c, p, k)
	if err != nil {
		return Outcome{}, depot.Full(c.Dir, p.Size.Installed, err)
	}
	done, err := c.Commit(m)
	if err != nil {
		return Outcome{}, depot.Full(c.Dir, 0, err)
	}
	i.forget(p)
	return outcome(done, p), nil
}

// fill makes the new folder and proves it.
func (i Installer) fill(ctx context.Context, c *depot.Change, p Plan, k kind) (depot.Manifest, error) {
	m := depot.Manifest{Cupel: i.Cupel, Release: p.Version, Source: p.Source, Platform: i.Here, Installed: time.Now().UTC().Truncate(time.Second)}
	var err error
	if m.Components, err = i.bringAll(ctx, p, c.Dir); err != nil {
		return m, fmt.Errorf("bring %s: %w", p.Name, err)
	}
	i.Report.Send(progress.Event{Phase: progress.Finish, Item: p.Name})
	if m.Command, err = k.finish(c.Dir); err != nil {
		return m, fmt.Errorf("make %s run from its folder: %w", p.Name, err)
	}
	i.Report.Send(progress.Event{Phase: progress.Prove, Item: p.Name})
	if m.Proof, err = k.prove(ctx, filepath.Join(c.Dir, m.Command), c.Dir); err != nil {
		return m, fmt.Errorf("prove %s %s: %w", p.Name, p.Version, err)
	}
	if m.Files, err = listing(c.Dir); err != nil {
		return m, err
	}
	for _, f := range m.Files {
		m.Size += f.Size
	}
	return m, nil
}

func outcome(done depot.Installed, p Plan) Outcome {
	return Outcome{Installed: done, Command: filepath.Join(done.Dir, done.Manifest.Command), Version: p.Version, Proof: done.Manifest.Proof}
}

// standing is what is there already, if it is made of the same packages and still runs.
func standing(ctx context.Context, c *depot.Change, p Plan, k kind) (Outcome, bool) {
	if c.Old == nil || !madeOf(*c.Old, p) {
		return Outcome{}, false
	}
	out := outcome(*c.Old, p)
	if _, err := k.prove(ctx, out.Command, c.Dir); err != nil {
		return Outcome{}, false
	}
	out.Already = true
	return out, true
}

// given: a depot that may not be written can still have it, put there and proved by somebody else.
func (i Installer) given(p Plan, k kind, err error) (Outcome, error) {
	var no depot.NotWritable
	if !errors.As(err, &no) {
		return Outcome{}, err
	}
	all, _ := i.Depot.List(k.folder)
	for _, old := range all {
		if filepath.Base(old.Dir) == k.name && madeOf(old, p) {
			out := outcome(old, p)
			out.Already = true
			return out, nil
		}
	}
	return Outcome{}, err
}

func madeOf(old depot.Installed, p Plan) bool {
	if old.Broken != nil || old.Manifest.Command == "" {
		return false
	}
	return !slices.ContainsFunc(p.Parcels, func(parcel resolve.Parcel) bool {
		return !slices.ContainsFunc(old.Manifest.Components, func(d depot.Component) bool { return d.SHA256 == parcel.SHA256 })
	})
}

// forget removes the downloads, which are of no more use.
func (i Installer) forget(p Plan) {
	for _, parcel := range p.Parcels {
		i.Depot.Forget(parcel.SHA256)
	}
}

// place is where a file of a Debian package goes: programs, libraries and headers stay where they are below usr, of the
// documents only the licences are kept. The merged /usr counts for old packages too.
func place(name string) (string, bool) {
	name = strings.TrimPrefix(name, "./")
	for _, old := range []string{"lib/", "bin/", "sbin/"} {
		if strings.HasPrefix(name, old) {
			name = "usr/" + name
		}
	}
	if rest, ok := strings.CutPrefix(name, "usr/share/doc/"); ok {
		if pkg, ok := strings.CutSuffix(rest, "/copyright"); ok && !strings.Contains(pkg, "/") {
			return "licenses/" + pkg + "/copyright", true
		}
		return "", false
	}
	keep := strings.HasPrefix(name, "usr/bin/") && !strings.Contains(name, "lto-dump") ||
		strings.HasPrefix(name, "usr/lib/") || strings.HasPrefix(name, "usr/libexec/") || strings.HasPrefix(name, "usr/include/")
	return name, keep
}
