package wire

import (
	"bytes"
	"slices"
	"testing"
)

func TestThereAndBack(t *testing.T) {
	b := List(Text(Bool(Float(Uint(nil, 1<<63+5), -2.5), true), "x\x00y"), []string{"", "a", "bc"})
	r := Read(string(b))
	if v := r.Uint(); v != 1<<63+5 {
		t.Errorf("number %d", v)
	}
	if f, y, s, l := r.Float(), r.Bool(), r.Text(), r.List(); f != -2.5 || !y || s != "x\x00y" || !slices.Equal(l, []string{"", "a", "bc"}) {
		t.Errorf("read %v %v %q %q", f, y, s, l)
	}
	if r.Bad || r.Rest() != "" {
		t.Errorf("bad %v, left %q", r.Bad, r.Rest())
	}
}

// TestTorn: what ends anywhere is bad, and nothing more is read of it.
func TestTorn(t *testing.T) {
	b := List(Text(Uint(nil, 300), "text"), []string{"one", "two"})
	for n := range len(b) {
		r := Read(string(b[:n]))
		r.Uint()
		r.Text()
		r.List()
		if !r.Bad || r.Rest() != "" {
			t.Errorf("the first %d bytes of %d are taken for whole", n, len(b))
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(List(Text(Uint(nil, 300), "text"), []string{"one", "two"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := Read(string(b))
		v, s, l := r.Uint(), r.Text(), r.List()
		if r.Bad {
			return
		}
		again := append(List(Text(Uint(nil, v), s), l), r.Rest()...)
		if q := Read(string(again)); q.Uint() != v || q.Text() != s || !slices.Equal(q.List(), l) || !bytes.Equal([]byte(q.Rest()), []byte(r.Rest())) {
			t.Errorf("%q is read as %d %q %q, and not so again", b, v, s, l)
		}
	})
}
