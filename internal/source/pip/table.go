package pip

import (
	"slices"

	"cupel/data"
	"cupel/internal/resolve"
	"cupel/internal/version"
)

// row is what the table knows of a release on a platform.
func row(r version.V, p resolve.Platform) (data.SourceOffers, bool) {
	rows := data.SourceOf(sourceName).Releases
	i := slices.IndexFunc(rows, func(o data.SourceOffers) bool { return o.Release == r.String() && p.Is(o.Platform) })
	if i < 0 {
		return data.SourceOffers{}, false
	}
	return rows[i], true
}

// tabled names what a wish comes to from the table alone. An index never changes a file under its name, so what was read
// once holds; a mirror that made the file anew is found out by the checksum. False: the table does not know it all.
func tabled(req resolve.Request) ([]part, bool) {
	offers, ok := row(req.Release, req.Platform)
	words, err := resolve.Closure(sourceName, req)
	if !ok || err != nil {
		return nil, false
	}
	var parts []part
	for i := 0; i < len(words); i++ { // words grows
		at := slices.IndexFunc(offers.Sizes, func(s data.SourceSize) bool { return s.Word == words[i] })
		if at < 0 {
			return nil, false
		}
		p, ok := tabledPart(offers.Sizes[at], req)
		if !ok {
			return nil, false
		}
		parts = append(parts, p)
		for _, w := range offers.Sizes[at].Also {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	return parts, true
}

// tabledPart is the file of a component; a component with releases of its own is asked for, because its newest is wanted.
func tabledPart(s data.SourceSize, req resolve.Request) (part, bool) {
	if c, _ := data.ComponentByWord(s.Word); c.Apart {
		names := resolve.Names(sourceName, []string{s.Word}, req.Release, req.Platform)
		return part{word: s.Word, pin: pin{name: names[0].Name}}, len(names) == 1
	}
	w, _, ok := parseWheel(s.File)
	if !ok || s.SHA256 == "" || w.version.String() != s.Version {
		return part{}, false
	}
	w.sha256 = s.SHA256
	return part{word: s.Word, pin: pin{name: w.name}, known: w}, true
}
