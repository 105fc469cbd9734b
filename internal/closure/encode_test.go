package closure

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cupel/internal/digest"
	"cupel/internal/stamp"
)

func sample(files int) Closure {
	var c Closure
	for i := range files {
		s := stamp.Stamp{Size: int64(i), Modified: int64(i) << 40, Changed: 1_700_000_000_000_000_000, Device: 66306, Number: uint64(1000 + i)}
		path := fmt.Sprintf("/opt/cuda/include/cccl/cub/part%d/header_%d.cuh", i/20, i)
		c.Files = append(c.Files, File{Path: path, Known: stamp.Known{Stamp: s, Digest: digest.Of([]byte(path)), Settled: i%3 > 0}})
	}
	for i := range files / 20 {
		a := Absent{Dir: fmt.Sprintf("dir%d", i), Stamp: stamp.Stamp{Number: 7, Dir: true}, Settled: i%2 == 0}
		for j := range 10 {
			a.Names = append(a.Names, fmt.Sprintf("name%d", j))
		}
		c.Absent = append(c.Absent, a)
	}
	return c
}

func TestAppendTake(t *testing.T) {
	for _, c := range []Closure{{}, sample(1), sample(1000), {Absent: []Absent{{Dir: ".", Names: []string{"", "a", "ab", "é"}}}}} {
		b := c.Append([]byte("before"))[len("before"):]
		got, rest, err := Take(string(b) + "behind")
		if diff := cmp.Diff(c, got, cmp.Transformer("empty", func(c Closure) string { return fmt.Sprintf("%+v", c) })); diff != "" || err != nil || rest != "behind" {
			t.Errorf("%v, %q left, -want +got\n%s", err, rest, diff)
		}
		for n := range min(len(b), 4096) {
			if _, _, err := Take(string(b[:n])); err == nil {
				t.Fatalf("the first %d bytes of %d are taken for a whole closure", n, len(b))
			}
		}
	}
}

// TestTakeBounds: few bytes cannot stand for more words than memory holds.
func TestTakeBounds(t *testing.T) {
	c := Closure{Files: []File{{Path: string(make([]byte, 1<<20))}}}
	for range 100 {
		c.Files = append(c.Files, c.Files[0])
	}
	b := c.Append(nil)
	if _, _, err := Take(string(b)); err != errTorn {
		t.Errorf("%d bytes for %d MB of words: %v, want %v", len(b), len(c.Files), err, errTorn)
	}
}

func FuzzTake(f *testing.F) {
	f.Add(string(sample(3).Append(nil)))
	f.Add(string(sample(40).Append(nil)))
	f.Fuzz(func(t *testing.T, b string) {
		c, rest, err := Take(b)
		if err != nil {
			return
		}
		again, left, err := Take(string(c.Append(nil)))
		if err != nil || len(left) > 0 || fmt.Sprint(again) != fmt.Sprint(c) {
			t.Errorf("Take(%x) with %d bytes left: %+v comes back as %+v, %v", b, len(rest), c, again, err)
		}
	})
}

func BenchmarkTake(b *testing.B) {
	bytes := string(sample(1000).Append(nil))
	b.SetBytes(int64(len(bytes)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Take(bytes); err != nil {
			b.Fatal(err)
		}
	}
}
