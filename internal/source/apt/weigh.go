package apt

import (
	"slices"
	"strings"

	"cupel/data"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// weigh adds up the packages of some components. The small list does not have all of them: for those the table tells,
// and a component that is known nowhere makes the sum unknown.
func weigh(words []string, release version.V, p resolve.Platform, known map[string][]Package, kept map[string]data.SourceSize, full bool) resolve.Size {
	var parcels []resolve.Parcel
	for _, n := range resolve.Names(Name, words, release, p) {
		word := leads(n, release, p)
		row := kept[word]
		switch pkg, ok := pick(known[n.Name], release.String()); {
		case ok:
			parcels = append(parcels, resolve.Parcel{Size: keeps(pkg, word, row, full)})
		case word != "":
			parcels = append(parcels, resolve.Parcel{Size: resolve.Size{Download: row.Download, Installed: row.Installed}})
		}
	}
	return resolve.Sum(parcels)
}

// present parts components by whether a suite has their first package; what the table weighs is there too.
func present(words []string, release version.V, p resolve.Platform, known map[string][]Package, kept map[string]data.SourceSize) (have, missing []string) {
	for _, word := range words {
		named := resolve.Names(Name, []string{word}, release, p)
		_, ok := pick(known[named[0].Name], release.String())
		if ok || kept[word].Download > 0 {
			have = append(have, word)
		} else {
			missing = append(missing, word)
		}
	}
	return have, missing
}

// keeps is what is fetched and kept of a package that leads a component: the layout leaves out most of those that were
// measured. Of one that was measured in another version only, it is not known.
func keeps(p Package, word string, row data.SourceSize, full bool) resolve.Size {
	size := p.Size
	switch {
	case full || !measured(word):
	case row.Version != p.Version:
		size.Installed = 0
	case row.Download == size.Download: // else it is the sum of several packages, which say it themselves
		size.Installed = row.Installed
	}
	return size
}

func measured(word string) bool {
	return slices.ContainsFunc(data.SourceOf(Name).Releases, func(r data.SourceOffers) bool {
		return slices.ContainsFunc(r.Sizes, func(s data.SourceSize) bool { return s.Word == word })
	})
}

// leads is the component whose first package this is; "" when it is a further one.
func leads(n resolve.Named, release version.V, p resolve.Platform) string {
	for _, word := range n.Brings {
		if row, _ := resolve.Row(Name, word, release, p); row.In != "" {
			continue
		}
		if named := resolve.Names(Name, []string{word}, release, p); len(named) > 0 && named[0].Name == n.Name {
			return word
		}
	}
	return ""
}

// sizes are the known components of a release.
func sizes(release string, p resolve.Platform) map[string]data.SourceSize {
	out := map[string]data.SourceSize{}
	for _, r := range data.SourceOf(Name).Releases {
		if r.Release == release && r.Platform == p.String() {
			for _, size := range r.Sizes {
				out[size.Word] = size
			}
		}
	}
	return out
}

// pick takes the version that belongs to a release (12.4.127~12.4.1-2, 11.5.1-1ubuntu1), else the newest of a package
// that does not say.
func pick(versions []Package, release string) (Package, bool) {
	for _, p := range versions {
		if strings.Contains(p.Version, "~"+release+"-") || strings.HasPrefix(p.Version, release+"-") {
			return p, true
		}
	}
	for _, p := range versions {
		if p.Name != compiler && !strings.Contains(p.Version, "~") {
			return p, true
		}
	}
	return Package{}, false
}
