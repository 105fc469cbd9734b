package redist

import (
	"context"
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/fetch"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// cudnnList is the list of the newest cuDNN that fits a release and platform: of a folder what lies there, of a server
// what the table of cuDNN releases knows. An empty list when there is none.
func (s *Source) cudnnList(ctx context.Context, release version.V, p resolve.Platform) (manifest, error) {
	for _, v := range s.cudnns(release, p) {
		list, err := s.lists.read(ctx, s.listAddress(s.cudnn, v))
		if fetch.Missing(err) {
			continue
		}
		if err != nil {
			return manifest{}, s.listError(ctx, release, err)
		}
		if _, _, ok := list.on("cudnn", platformName(p), release.Major()); ok {
			return list, nil
		}
	}
	return manifest{}, nil
}

// cudnns are the releases worth asking for, newest first.
func (s *Source) cudnns(release version.V, p resolve.Platform) []version.V {
	if dir, ok := fetch.Local(s.cudnn); ok {
		found, _ := listed(dir)
		return slices.DeleteFunc(found, s.notCuDNN)
	}
	var out []version.V
	for _, c := range data.CuDNNs() {
		there := slices.ContainsFunc(c.Platforms, func(n string) bool { return strings.HasPrefix(n, platformName(p)) })
		if slices.Contains(c.Majors, release.Major()) && (there || len(c.Platforms) == 0) {
			out = append(out, version.MustParse(c.Version))
		}
	}
	slices.SortFunc(out, func(a, b version.V) int { return b.Compare(a) })
	return out
}

// notCuDNN tells the lists of the toolkit in the same folder by their numbers.
func (s *Source) notCuDNN(v version.V) bool {
	return slices.ContainsFunc(data.Releases(), func(r data.Release) bool { return r.Version == v.String() })
}
