package apt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cupel/internal/depot"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// Fetch downloads a parcel with apt-get. A whole file that is there already stays. apt-get works in a folder of its own
// beside the file, so nothing unfinished has the file's name.
func (s State) Fetch(ctx context.Context, parcel resolve.Parcel, dir string, report progress.Report) (string, error) {
	path, work := filepath.Join(dir, filepath.Base(parcel.File)), filepath.Join(dir, "apt")
	if whole(path, parcel) {
		return path, nil
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", err
	}
	done := watch(work, parcel, report)
	defer done()
	err := s.download(ctx, parcel, work)
	if err != nil && ctx.Err() == nil {
		// An old list names files that the mirror no longer has: read it anew once.
		s.Stale()
		if err := s.Update(ctx); err != nil {
			return "", err
		}
		err = s.download(ctx, parcel, work)
	}
	if err != nil {
		return "", fmt.Errorf("download %s %s: %w", parcel.Name, parcel.Version, err)
	}
	return path, settle(work, parcel, path)
}

func (s State) download(ctx context.Context, parcel resolve.Parcel, work string) error {
	_, err := s.runIn(ctx, work, s.machine.get, "-q", "download", "--", parcel.Name+"="+parcel.Version)
	return err
}

// settle moves the downloaded file to its place: apt writes the epoch of a version into the name that it chooses.
func settle(work string, parcel resolve.Parcel, path string) error {
	got, err := os.ReadDir(work) // not Glob: the folder's own name may hold a [
	if err != nil {
		return err
	}
	for _, g := range got {
		if strings.HasPrefix(g.Name(), parcel.Name+"_") && strings.HasSuffix(g.Name(), ".deb") {
			return errors.Join(os.Rename(filepath.Join(work, g.Name()), path), os.RemoveAll(work))
		}
	}
	return fmt.Errorf("download %s: apt-get left no file", parcel.Name)
}

func whole(path string, parcel resolve.Parcel) bool {
	info, err := os.Stat(path)
	if err != nil || parcel.SHA256 == "" || info.Size() != parcel.Size.Download {
		return false
	}
	sum, err := depot.Sum(path)
	return err == nil && sum == parcel.SHA256
}

// watch reports how large the file that apt-get writes has become, until the returned function is called.
func watch(dir string, parcel resolve.Parcel, report progress.Report) (done func()) {
	tell := func() {
		report.Send(progress.Event{Phase: progress.Fetch, Item: parcel.Name, Done: min(weight(dir), parcel.Size.Download), Total: parcel.Size.Download})
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				tell()
				return
			case <-tick.C:
				tell()
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

func weight(dir string) int64 {
	var sum int64
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
	}
	return sum
}
