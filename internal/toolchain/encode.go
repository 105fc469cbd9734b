package toolchain

import (
	"cupel/internal/stamp"
	"cupel/internal/wire"
)

func appendKnowns(b []byte, all []known) []byte {
	b = wire.Uint(b, uint64(len(all)))
	for _, k := range all {
		b = k.known.Stamp.Append(wire.Text(b, k.path))
		b = wire.Bool(append(b, k.known.Digest[:]...), k.known.Settled)
	}
	return b
}

func takeKnowns(r *wire.Reader) (all []known) {
	for range r.Count() {
		k := known{path: r.Text()}
		k.known.Stamp = stamp.From(r)
		copy(k.known.Digest[:], r.Raw(len(k.known.Digest)))
		k.known.Settled = r.Bool()
		if r.Bad {
			return nil
		}
		all = append(all, k)
	}
	return all
}

// whole: all of a note was taken.
func whole(r *wire.Reader) bool { return !r.Bad && r.Rest() == "" }
