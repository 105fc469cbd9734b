package pip

import (
	"slices"

	"cupel/data"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// sizeOf is what the table knows of a component's version on a platform.
func sizeOf(word, ver string, p resolve.Platform) resolve.Size {
	for _, r := range data.SourceOf(sourceName).Releases {
		if !p.Is(r.Platform) {
			continue
		}
		for _, s := range r.Sizes {
			if s.Word == word && s.Version == ver {
				return resolve.Size{Download: s.Download, Installed: s.Installed}
			}
		}
	}
	return resolve.Size{}
}

// weigh adds up what the table knows of a release; nothing when it does not know the release.
func weigh(r version.V, p resolve.Platform, req resolve.Request) resolve.Size {
	words, err := resolve.Closure(sourceName, req)
	if err != nil {
		return resolve.Size{}
	}
	offers, ok := row(r, p)
	if !ok {
		return resolve.Size{}
	}
	var parcels []resolve.Parcel
	for _, s := range offers.Sizes {
		if slices.Contains(words, s.Word) {
			parcels = append(parcels, resolve.Parcel{Size: resolve.Size{Download: s.Download, Installed: s.Installed}})
		}
	}
	return resolve.Sum(parcels)
}

// known are the releases of the table, newest first.
func known(p resolve.Platform) []number {
	var out []number
	for _, r := range data.SourceOf(sourceName).Releases {
		if n, ok := parseNumber(r.Release); ok && p.Is(r.Platform) {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b number) int { return b.compare(a) })
	return out
}

// firstRelease is the first release whose wheels hold nvcc.
func firstRelease(p resolve.Platform) (version.V, bool) {
	for _, r := range data.SourceOf(sourceName).Components {
		if r.Word == "nvcc" && (len(r.On) == 0 || slices.ContainsFunc(r.On, p.Is)) {
			return version.MustParse(r.First), true
		}
	}
	return version.V{}, false
}
