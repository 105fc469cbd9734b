package toolchain

import (
	"encoding/binary"
	"slices"

	"cupel/internal/digest"
	"cupel/internal/stamp"
)

// Notes in the store: what was found out about a toolkit and about a host compiler, with the digests of their files, so
// that no 90 MB are read again.
const (
	ownKind  = "toolkit"
	hostKind = "compiler"
	maxList  = 1 << 12 // of anything in a note
)

func noteKey(fields ...string) digest.Digest {
	h := digest.NewHash()
	h.Field("toolchain 1", fields...)
	return h.Sum()
}

// known is a file with its digest.
type known struct {
	path  string
	known stamp.Known
}

// knowns are files as they were found.
func (f *finder) knowns(all []File) []known {
	var out []known
	for _, file := range all {
		if k, err := f.files.Known(f.abs(file.Path)); err == nil {
			out = append(out, known{f.abs(file.Path), k})
		}
	}
	return out
}

func (f *finder) learn(all []known) {
	for _, k := range all {
		f.files.Learn(k.path, k.known)
	}
}

// ownNote is about an nvcc.
type ownNote struct {
	nvcc       digest.Digest
	readsCcbin bool
	files      []known
}

func (n ownNote) equal(o ownNote) bool {
	return n.nvcc == o.nvcc && n.readsCcbin == o.readsCcbin && slices.Equal(n.files, o.files)
}

func (n ownNote) append(b []byte) []byte {
	b = append(b, n.nvcc[:]...)
	b = appendBool(b, n.readsCcbin)
	return appendKnowns(b, n.files)
}

func (f *finder) readOwn(key digest.Digest) (ownNote, bool) {
	b, err := f.store.Note(ownKind, key)
	if err != nil {
		return ownNote{}, false
	}
	n, ok := takeOwn(b)
	if ok {
		f.learn(n.files)
	}
	return n, ok
}

func takeOwn(b []byte) (n ownNote, ok bool) {
	r := reader{b: b}
	copy(n.nvcc[:], r.bytes(len(n.nvcc)))
	n.readsCcbin = r.bool()
	n.files = r.knowns()
	return n, r.end()
}

// answer is what a host compiler said of itself. It stays true while the compiler, the variables it was asked under and
// what it watches stay.
type answer struct {
	programs   []File   // without digests; an assembler by its bare name is looked for on PATH in each call
	candidates []File   // files that it would read if they were there
	includes   []string // where it looks for headers
	watched    []watch  // folders whose coming or change makes it look elsewhere
	files      []known
}

type watch struct {
	path  string
	stamp stamp.Stamp
}

func (a answer) append(b []byte) []byte {
	for _, list := range [][]File{a.programs, a.candidates} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, file := range list {
			b = appendString(appendString(b, file.Role), file.Path)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(a.includes)))
	for _, s := range a.includes {
		b = appendString(b, s)
	}
	b = binary.AppendUvarint(b, uint64(len(a.watched)))
	for _, w := range a.watched {
		b = w.stamp.Append(appendString(b, w.path))
	}
	return appendKnowns(b, a.files)
}

func takeAnswer(b []byte) (a answer, ok bool) {
	r := reader{b: b}
	for _, list := range []*[]File{&a.programs, &a.candidates} {
		for range r.count() {
			*list = append(*list, File{Role: r.string(), Path: r.string()})
		}
	}
	for range r.count() {
		a.includes = append(a.includes, r.string())
	}
	for range r.count() {
		a.watched = append(a.watched, watch{r.string(), r.stamp()})
	}
	a.files = r.knowns()
	return a, r.end()
}
