package pip

import (
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// beat is how often a growing download is looked at.
const beat = 250 * time.Millisecond

// watch reports how much a client has brought of each parcel: the clients tell nothing that could be read, so the folder
// they work in is measured. The returned function ends it.
func watch(dir string, parcels []resolve.Parcel, report progress.Report) (stop func(whole bool)) {
	if report == nil {
		return func(bool) {}
	}
	end := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				tell(dir, parcels, false, report)
			}
		}
	})
	return func(whole bool) {
		close(end)
		wg.Wait()
		if whole {
			tell(dir, parcels, true, report)
		}
	}
}

// tell sends how far each parcel is; one that has not begun is not spoken of.
func tell(dir string, parcels []resolve.Parcel, whole bool, report progress.Report) {
	brought := sizes(dir)
	for _, p := range parcels {
		done, total := brought[p.Name], p.Size.Download
		if p.Format == resolve.Tree {
			done, total = all(dir), p.Size.Installed
		}
		if total > 0 {
			done = min(done, total)
		}
		if whole && total > 0 {
			done = total
		}
		if done > 0 || whole {
			report.Send(progress.Event{Phase: progress.Fetch, Item: p.Name, Done: done, Total: total})
		}
	}
}

// sizes are those of the wheels in a folder by package; pip copies what it downloaded, and the copy must not count
// twice.
func sizes(dir string) map[string]int64 {
	out := map[string]int64{}
	each(dir, func(name string, size int64) {
		if w, _, ok := parseWheel(name); ok {
			out[w.name] = max(out[w.name], size)
		}
	})
	return out
}

func all(dir string) (size int64) {
	each(dir, func(_ string, n int64) { size += n })
	return size
}

func each(dir string, f func(name string, size int64)) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // files come and go meanwhile
		}
		if info, err := d.Info(); err == nil {
			f(d.Name(), info.Size())
		}
		return nil
	})
}
