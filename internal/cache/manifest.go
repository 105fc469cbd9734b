package cache

import (
	"cupel/internal/closure"
	"cupel/internal/digest"
	"cupel/internal/wire"
)

// kindManifest is the kind of the notes that manifests are.
const kindManifest = "manifest"

// maxVariants is how many states of the files one manifest remembers: branches that are switched to and fro.
const maxVariants = 8

// variant is one state of the files that a call reads, and the result in it.
type variant struct {
	closure closure.Closure // but for what is shared
	shared  digest.Digest   // names a note of that
	result  Result
	made    made
	folder  bool // its names hold a hash of the source's whole path: it is the result in this folder alone
}

// made is the call that the result came from, so that it can be made again (cupel cache verify).
type made struct {
	nvcc, dir string
	args      []string
	variables []string // NAME=VALUE of those in the key
	source    string   // where the source really lies
}

func (v variant) append(b []byte) []byte {
	b = wire.Text(wire.Text(v.result.append(b), v.made.nvcc), v.made.dir)
	b = wire.Bool(wire.List(wire.List(b, v.made.args), v.made.variables), v.folder)
	b = wire.Text(b, v.made.source)
	return v.closure.Append(append(b, v.shared[:]...))
}

func takeVariant(b string) (v variant, err error) {
	t := wire.Read(b)
	v.result = takeResult(t)
	v.made = made{nvcc: t.Text(), dir: t.Text(), args: t.List(), variables: t.List()}
	v.folder, v.made.source = t.Bool(), t.Text()
	copy(v.shared[:], t.Raw(len(v.shared)))
	if t.Bad {
		return variant{}, errManifest
	}
	var rest string
	if v.closure, rest, err = closure.Take(t.Rest()); err == nil && rest != "" {
		err = errManifest
	}
	return v, err
}

// manifest is the variants of one key, the one that was used last first, each as it is written.
type manifest []string

func (m manifest) append(b []byte) []byte { return wire.List(b, m) }

func takeManifest(note []byte) (manifest, error) {
	t := wire.Read(string(note))
	m := manifest(t.List())
	if t.Bad || t.Rest() != "" || len(m) > maxVariants {
		return nil, errManifest
	}
	return m, nil
}

// first puts a variant in front and takes the one at old out (-1: none).
func (m manifest) first(v variant, old int) manifest {
	out := manifest{string(v.append(nil))}
	for i, other := range m {
		if i != old && len(out) < maxVariants {
			out = append(out, other)
		}
	}
	return out
}
