package toolchain

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/digest"
	"cupel/internal/stamp"
)

func sampleKnown() known {
	s := stamp.Stamp{Size: 5, Modified: 1e18, Changed: 2e18, Device: 3, Number: 4}
	return known{"/t/bin/nvcc", stamp.Known{Stamp: s, Digest: digest.Of([]byte("x")), Settled: true}}
}

func sampleAnswer() answer {
	return answer{
		programs:   []File{{Role: "cc1plus", Path: "/l/cc1plus"}, {Role: "as", Path: "as"}},
		candidates: []File{{Role: "specs", Path: "/l/specs"}},
		includes:   []string{"/usr/include"},
		folders:    []string{"/usr/lib/gcc/12/"},
		watched:    []watch{{"/not/there", stamp.Stamp{}}, {"/there", stamp.Stamp{Number: 1, Dir: true}}},
		files:      []known{sampleKnown()},
	}
}

func TestNotesReadBack(t *testing.T) {
	all := cmp.AllowUnexported(answer{}, watch{}, known{}, ownNote{})
	own := ownNote{nvcc: digest.Of(nil), readsCcbin: true, files: []known{sampleKnown()}}
	if got, ok := takeOwn(own.append(nil)); !ok || !cmp.Equal(got, own, all) {
		t.Errorf("toolkit note: %v %s", ok, cmp.Diff(own, got, all))
	}
	a := sampleAnswer()
	if got, ok := takeAnswer(a.append(nil)); !ok || !cmp.Equal(got, a, all) {
		t.Errorf("compiler note: %v %s", ok, cmp.Diff(a, got, all))
	}
}

func TestTornNotesAreNone(t *testing.T) {
	whole := sampleAnswer().append(nil)
	for n := range len(whole) {
		if _, ok := takeAnswer(whole[:n]); ok {
			t.Errorf("the first %d of %d bytes are taken for a note", n, len(whole))
		}
	}
	if _, ok := takeAnswer(append(whole, 0)); ok {
		t.Error("a byte too many is taken for a note")
	}
}

func FuzzNotes(f *testing.F) {
	f.Add(sampleAnswer().append(nil))
	f.Add(ownNote{files: []known{sampleKnown()}}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		takeOwn(b)
		if a, ok := takeAnswer(b); ok {
			if again, ok := takeAnswer(a.append(nil)); !ok || !cmp.Equal(a, again, cmp.AllowUnexported(answer{}, watch{}, known{})) {
				t.Errorf("%x reads back as another note", b)
			}
		}
	})
}
