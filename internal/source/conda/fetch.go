package conda

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cupel/internal/child"
	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// Fetch lets the client download one package, named by its address, into a package cache of its own. A package named so
// needs no index. The client unpacks it there too; that copy goes away again.
func (s *Source) Fetch(ctx context.Context, plan resolve.Plan, p resolve.Parcel, dir string, report progress.Report) (string, error) {
	if p.File == "" || p.File != filepath.Base(p.File) || p.Place == "" {
		return "", fmt.Errorf("fetch %s: the plan does not say where it is", p.Name)
	}
	to := filepath.Join(dir, p.File)
	if sum, err := depot.Sum(to); err == nil && sum == p.SHA256 {
		return to, nil
	}
	place, err := s.place(p)
	if err != nil {
		return "", err
	}
	work := filepath.Join(dir, "conda")
	if err := os.RemoveAll(work); err != nil {
		return "", fmt.Errorf("fetch %s: %w", p.Name, err)
	}
	defer os.RemoveAll(work)
	packages := filepath.Join(work, "pkgs")
	if err := os.MkdirAll(packages, 0o755); err != nil {
		return "", fmt.Errorf("fetch %s: %w", p.Name, err)
	}
	report.Send(progress.Event{Phase: progress.Fetch, Item: p.File, Total: p.Size.Download})
	_, err = s.ask(ctx, call{platform: plan.Platform, packages: packages, args: []string{
		"create", "--yes", "--download-only", "--prefix", filepath.Join(work, "prefix"), place,
	}})
	if err == nil {
		err = take(packages, p.File, to)
	}
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", p.Name, err)
	}
	report.Send(progress.Event{Phase: progress.Fetch, Item: p.File, Done: p.Size.Download, Total: p.Size.Download})
	return to, nil
}

// place is the whole address of a parcel. A plan shows it without its secrets; the source that made the plan knows them.
func (s *Source) place(p resolve.Parcel) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if whole, ok := s.places[p.SHA256]; ok && child.Mask(whole) == p.Place {
		return whole, nil
	}
	if child.Hides(p.Place) {
		return "", fmt.Errorf("fetch %s: the plan does not tell the whole address", p.Name)
	}
	return p.Place, nil
}

// take moves the archive out of a package cache. It lies at the top, or since mamba 2.6 below folders named for the
// channel.
func take(packages, file, to string) error {
	found := ""
	err := filepath.WalkDir(packages, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() == file && found == "" {
			found = path
		}
		return err
	})
	if err != nil {
		return err
	}
	if found == "" {
		return fmt.Errorf("the client ended well, but there is no %s in its package cache", file)
	}
	return os.Rename(found, to)
}
