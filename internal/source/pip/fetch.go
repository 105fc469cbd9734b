package pip

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cupel/internal/child"
	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// WrongPlatform is a wheel that is not for the platform of the plan.
type WrongPlatform struct {
	File     string
	Platform resolve.Platform
}

func (e WrongPlatform) Error() string {
	return fmt.Sprintf("%s is not a wheel for %s", e.File, e.Platform)
}

// Fetch lets the client bring a parcel.
func (s *Source) Fetch(ctx context.Context, plan resolve.Plan, parcel resolve.Parcel, dir string, report progress.Report) (string, error) {
	paths, err := s.FetchBatch(ctx, plan, []resolve.Parcel{parcel}, []string{dir}, report)
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

// FetchBatch lets the client bring parcels. A plan may have been made by the other client, in another run.
func (s *Source) FetchBatch(ctx context.Context, plan resolve.Plan, batch []resolve.Parcel, dirs []string, report progress.Report) ([]string, error) {
	c, err := s.client(ctx)
	if err != nil {
		return nil, err
	}
	if format := batch[0].Format; c.format() != format {
		if c, err = s.find(ctx, func(c client) bool { return c.format() == format }); err != nil {
			return nil, err
		}
	}
	paths, err := c.fetch(ctx, plan, batch, dirs, report)
	if err != nil {
		return nil, fmt.Errorf("fetch %s with %s: %w", blamed(batch, err), c.title(), short(err))
	}
	return paths, nil
}

// work is the folder in which a client works. It is within the parcel's own, so that what a killed client leaves is found
// and can be watched.
const work = ".work"

func workIn(dir string) (string, error) {
	path, err := filepath.Abs(filepath.Join(dir, work))
	if err != nil {
		return "", err
	}
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	return path, os.MkdirAll(filepath.Join(path, "out"), 0o755)
}

func (c *pipClient) fetch(ctx context.Context, plan resolve.Plan, parcels []resolve.Parcel, dirs []string, report progress.Report) ([]string, error) {
	paths := make([]string, len(parcels))
	var open []int
	for i, p := range parcels {
		if paths[i] = finished(p, dirs[i]); paths[i] == "" {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return paths, nil
	}
	for _, i := range open { // a killed batch may have begun with another one
		_ = os.RemoveAll(filepath.Join(dirs[i], work))
	}
	tmp, err := workIn(dirs[open[0]])
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if err := c.download(ctx, plan, only(parcels, open), tmp, report); err != nil {
		return nil, err
	}
	return paths, take(filepath.Join(tmp, "out"), plan, parcels, dirs, open, paths)
}

// finished is where a parcel lies that came whole before; "" when it does not.
func finished(p resolve.Parcel, dir string) string {
	if p.File == "" || p.SHA256 == "" {
		return ""
	}
	path := filepath.Join(dir, filepath.Base(p.File))
	if sum, err := depot.Sum(path); err != nil || sum != p.SHA256 {
		return ""
	}
	return path
}

func only(parcels []resolve.Parcel, at []int) []resolve.Parcel {
	var out []resolve.Parcel
	for _, i := range at {
		out = append(out, parcels[i])
	}
	return out
}

// download starts pip once for all parcels; they come to lie in tmp/out.
func (c *pipClient) download(ctx context.Context, plan resolve.Plan, parcels []resolve.Parcel, tmp string, report progress.Report) error {
	// No cache: the same hundreds of megabytes would be kept twice.
	args := append([]string{"download", "--quiet", "--no-deps", "--no-cache-dir", "--dest", filepath.Join(tmp, "out")}, platformArgs(plan.Platform)...)
	for _, p := range parcels {
		args = append(args, p.Place)
	}
	stop := watch(tmp, parcels, report)
	_, err := c.run.with(ctx, child.Command{Args: args, Env: with(c.run.env, temporary(tmp))})
	stop(err == nil)
	return err
}

// take puts the wheels that were brought into their folders, once each of them is the one of the plan.
func take(from string, plan resolve.Plan, parcels []resolve.Parcel, dirs []string, open []int, paths []string) error {
	var files []string
	for _, i := range open {
		file, err := accept(from, len(open), plan, parcels[i])
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	for k, i := range open {
		paths[i] = filepath.Join(dirs[i], files[k])
		if err := os.Rename(filepath.Join(from, files[k]), paths[i]); err != nil {
			return err
		}
	}
	return nil
}

// accept finds the wheel of a parcel among those that were brought, if it is the one of the plan.
func accept(from string, want int, plan resolve.Plan, parcel resolve.Parcel) (string, error) {
	files := filesIn(from, ".whl")
	if len(files) != want {
		return "", fmt.Errorf("pip brought %d wheels, not %d", len(files), want)
	}
	for _, file := range files {
		w, platforms, ok := parseWheel(file)
		if ok && w.name != parcel.Name && want > 1 {
			continue
		}
		switch {
		case !ok || rank(platforms, plan.Platform) < 0:
			return "", WrongPlatform{file, plan.Platform}
		case w.name != parcel.Name || w.version.String() != parcel.Version:
			return "", fmt.Errorf("pip brought %s, not %s %s", file, parcel.Name, parcel.Version)
		case parcel.File != "" && parcel.File != file:
			return "", fmt.Errorf("pip brought %s, the plan names %s", file, parcel.File)
		}
		return file, nil
	}
	return "", fmt.Errorf("pip brought no wheel of %s", parcel.Name)
}

func (c *uvClient) fetch(ctx context.Context, plan resolve.Plan, parcels []resolve.Parcel, dirs []string, report progress.Report) ([]string, error) {
	var paths []string
	for i, p := range parcels {
		path, err := c.fetchOne(ctx, plan, p, dirs[i], report)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func (c *uvClient) fetchOne(ctx context.Context, plan resolve.Plan, parcel resolve.Parcel, dir string, report progress.Report) (string, error) {
	tmp, err := workIn(dir)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	list := filepath.Join(tmp, "requirements.txt")
	if err := os.WriteFile(list, []byte(parcel.Place+"\n"), 0o644); err != nil {
		return "", err
	}
	out := filepath.Join(tmp, "out")
	stop := watch(tmp, []resolve.Parcel{parcel}, report)
	_, err = c.run.with(ctx, child.Command{
		Args: []string{"pip", "install", "--no-deps", "--no-cache", "--only-binary", ":all:", "--link-mode", "hardlink", "--python-version", python,
			"--python-platform", triples[plan.Platform.String()], "--target", out, "-r", list},
		Env: with(c.run.env, temporary(tmp)),
	})
	stop(err == nil)
	if err != nil {
		return "", err
	}
	tree := filepath.Join(dir, "tree")
	return tree, errors.Join(os.RemoveAll(tree), os.Rename(out, tree))
}
