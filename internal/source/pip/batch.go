package pip

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"cupel/internal/child"
	"cupel/internal/resolve"
)

// batchBytes is how much one start of pip brings: a Python takes about half a second of a core to start, a fast line
// brings this in the same time. Larger parcels come alone, so that they are unpacked while others still come, and a
// broken download costs no more than it.
const batchBytes = 48 << 20

// Batches puts small parcels together. uv starts in no time, and what it brings of several packages is one folder.
func (s *Source) Batches(parcels []resolve.Parcel) [][]resolve.Parcel {
	parcels = slices.Clone(parcels)
	slices.SortStableFunc(parcels, func(a, b resolve.Parcel) int { return cmp.Compare(b.Size.Download, a.Size.Download) })
	var out [][]resolve.Parcel
	var weights []int64
	for _, p := range parcels {
		i := slices.IndexFunc(weights, func(w int64) bool { return p.Format == resolve.Wheel && w+p.Size.Download <= batchBytes })
		if i < 0 {
			i = len(out)
			out, weights = append(out, nil), append(weights, 0)
		}
		out[i] = append(out[i], p)
		weights[i] += p.Size.Download
	}
	return out
}

// blamed are the parcels that the client's error is about: those it names, else the whole batch.
func blamed(batch []resolve.Parcel, err error) string {
	var said string
	var failed child.Failed
	if errors.As(err, &failed) {
		said = strings.ReplaceAll(failed.Result.Stderr, "_", "-")
	}
	named := slices.DeleteFunc(slices.Clone(batch), func(p resolve.Parcel) bool { return !strings.Contains(said, p.Name) })
	if len(named) == 0 {
		named = batch
	}
	var out []string
	for _, p := range named {
		out = append(out, p.Name+" "+p.Version)
	}
	return strings.Join(out, ", ")
}
