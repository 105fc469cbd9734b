package cache

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/closure"
	"cupel/internal/digest"
	"cupel/internal/stamp"
)

func sample(n int) variant {
	known := stamp.Known{Stamp: stamp.Stamp{Size: int64(n) + 1, Modified: 5, Changed: 6, Device: 7, Number: 8}, Digest: digest.Of([]byte{byte(n)}), Settled: true}
	return variant{
		closure: closure.Closure{
			Files:  []closure.File{{Path: "src/k.cu", Known: known}, {Path: "/usr/include/a b.h", Known: known}},
			Absent: []closure.Absent{{Dir: "inc", Stamp: stamp.Stamp{Dir: true, Modified: 1}, Settled: true, Names: []string{"a.h", "b"}}},
		},
		shared: digest.Of([]byte("shared")),
		result: Result{Outputs: []Made{{"main", digest.Of([]byte("o")), 12}, {"depfile", digest.Of([]byte("d")), 3}}, Stdout: []byte("said"), Stderr: []byte{}, Seconds: 1.5, Peak: 1 << 30},
		made:   made{nvcc: "/cuda/bin/nvcc", dir: "/p", args: []string{"-c", "k.cu", ""}, variables: []string{"LANG=C"}, source: "/p/k.cu"},
		folder: n%2 == 1,
	}
}

func TestManifestThereAndBack(t *testing.T) {
	m := manifest{}.first(sample(1), -1).first(sample(2), -1)
	back, err := takeManifest(m.append(nil))
	if err != nil || len(back) != 2 {
		t.Fatalf("%d variants, %v", len(back), err)
	}
	for i, want := range []variant{sample(2), sample(1)} {
		got, err := takeVariant(back[i])
		if d := cmp.Diff(want, got, cmp.AllowUnexported(variant{}, made{})); err != nil || d != "" {
			t.Errorf("variant %d: %v (-want +got):\n%s", i, err, d)
		}
	}
}

// TestFirst: the last used comes first, the same one is not there twice, and there are never more than fit.
func TestFirst(t *testing.T) {
	var m manifest
	for n := range 2 * maxVariants {
		m = m.first(sample(n), -1)
	}
	if len(m) != maxVariants {
		t.Fatalf("%d variants, want %d", len(m), maxVariants)
	}
	third := m[2]
	v, err := takeVariant(third)
	if err != nil {
		t.Fatal(err)
	}
	if m = m.first(v, 2); m[0] != third || len(m) != maxVariants || m[1] == m[2] {
		t.Errorf("the one that was used is not the first")
	}
}

func TestFits(t *testing.T) {
	text := []byte("x")
	for _, tt := range []struct {
		name   string
		r      Result
		merged bool
		want   bool
	}{
		{"two streams told to two", Result{Stdout: text, Stderr: text}, false, true},
		{"two streams told to one: their order is not known", Result{Stdout: text, Stderr: text}, true, false},
		{"one of two told to one", Result{Stderr: text}, true, true},
		{"one told to two: which is which is not known", Result{Stdout: text, Merged: true}, false, false},
		{"nothing was said", Result{Merged: true}, false, true},
	} {
		if got := tt.r.Fits(tt.merged); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestLookup: of several the last counts; a name that only begins alike is another.
func TestLookup(t *testing.T) {
	env := []string{"A=1", "AB=2", "A=3", "C=", "=D:=x"}
	for name, want := range map[string]string{"A": "3", "AB": "2", "C": "", "X": ""} {
		if got := Variable(env, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(manifest{}.first(sample(1), -1).append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := takeManifest(b)
		if err != nil {
			return
		}
		for _, raw := range m {
			v, err := takeVariant(raw)
			if err != nil {
				continue
			}
			again, err := takeVariant(string(v.append(nil)))
			if err != nil || fmt.Sprint(again) != fmt.Sprint(v) {
				t.Errorf("%q is read as %+v, and then as %+v (%v)", raw, v, again, err)
			}
		}
	})
}
