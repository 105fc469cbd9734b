package cache

import (
	"errors"

	"cupel/internal/digest"
	"cupel/internal/wire"
)

// Result is what a call made and said.
type Result struct {
	Outputs []Made
	Stdout  []byte
	Stderr  []byte
	Merged  bool    // both streams went to one place and were kept as Stdout
	Seconds float64 // that the call took
	Peak    int64   // bytes of memory
}

// Made is one output.
type Made struct {
	Role   string
	Digest digest.Digest
	Size   int64
}

// Main is the output that the call was made for.
func (r Result) Main() digest.Digest {
	m, _ := r.output("main")
	return m.Digest
}

// MaxSaid bounds what a remembered call may have said.
const MaxSaid = 4 << 20

// Fits says whether the streams can be told again to a caller whose streams go to one place, or do not: the order of two
// streams is not known.
func (r Result) Fits(merged bool) bool {
	switch {
	case r.Merged == merged:
		return true
	case r.Merged:
		return len(r.Stdout) == 0
	}
	return len(r.Stdout) == 0 || len(r.Stderr) == 0
}

var errManifest = errors.New("read a manifest: it is torn")

func (r Result) append(b []byte) []byte {
	b = wire.Uint(b, uint64(len(r.Outputs)))
	for _, o := range r.Outputs {
		b = append(wire.Text(b, o.Role), o.Digest[:]...)
		b = wire.Uint(b, uint64(o.Size))
	}
	b = wire.Bool(wire.Text(wire.Text(b, string(r.Stdout)), string(r.Stderr)), r.Merged)
	return wire.Uint(wire.Float(b, r.Seconds), uint64(r.Peak))
}

func takeResult(t *wire.Reader) (r Result) {
	for range t.Count() {
		o := Made{Role: t.Text()}
		copy(o.Digest[:], t.Raw(len(o.Digest)))
		o.Size = int64(t.Uint())
		r.Outputs = append(r.Outputs, o)
	}
	r.Stdout, r.Stderr, r.Merged = []byte(t.Text()), []byte(t.Text()), t.Bool()
	r.Seconds, r.Peak = t.Float(), int64(t.Uint())
	return r
}
