package toolchain

import (
	"slices"

	"cupel/internal/digest"
	"cupel/internal/stamp"
	"cupel/internal/wire"
)

// Notes in the store: what was found out about a toolkit and about a host compiler, with the digests of their files, so
// that no 90 MB are read again.
const (
	ownKind  = "toolkit"
	hostKind = "compiler"
)

func noteKey(fields ...string) digest.Digest {
	h := digest.NewHash()
	h.Field("toolchain 6", fields...)
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
	return appendKnowns(wire.Bool(append(b, n.nvcc[:]...), n.readsCcbin), n.files)
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
	r := wire.Read(string(b))
	copy(n.nvcc[:], r.Raw(len(n.nvcc)))
	n.readsCcbin = r.Bool()
	n.files = takeKnowns(r)
	return n, whole(r)
}

// answer is what a host compiler said of itself. It stays true while the compiler, the variables it was asked under and
// what it watches stay.
type answer struct {
	programs   []File   // without digests; an assembler by its bare name is looked for on PATH in each call
	candidates []File   // files that it would read if they were there
	includes   []string // where it looks for headers
	folders    []string // where it looks for programs before PATH
	watched    []watch  // folders whose coming or change makes it look elsewhere
	files      []known
}

type watch struct {
	path  string
	stamp stamp.Stamp
}

func (a answer) append(b []byte) []byte {
	for _, list := range [][]File{a.programs, a.candidates} {
		b = wire.Uint(b, uint64(len(list)))
		for _, file := range list {
			b = wire.Text(wire.Text(b, file.Role), file.Path)
		}
	}
	b = wire.List(wire.List(b, a.includes), a.folders)
	b = wire.Uint(b, uint64(len(a.watched)))
	for _, w := range a.watched {
		b = w.stamp.Append(wire.Text(b, w.path))
	}
	return appendKnowns(b, a.files)
}

func takeAnswer(b []byte) (a answer, ok bool) {
	r := wire.Read(string(b))
	for _, list := range []*[]File{&a.programs, &a.candidates} {
		for n := r.Count(); n > 0 && !r.Bad; n-- {
			*list = append(*list, File{Role: r.Text(), Path: r.Text()})
		}
	}
	a.includes, a.folders = r.List(), r.List()
	for n := r.Count(); n > 0 && !r.Bad; n-- {
		a.watched = append(a.watched, watch{r.Text(), stamp.From(r)})
	}
	a.files = takeKnowns(r)
	return a, whole(r)
}
