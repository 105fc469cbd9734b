package unpack

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/ulikunitz/xz"
	lzma2ref "github.com/ulikunitz/xz/lzma"

	"cupel/internal/resolve"
)

// small keeps fuzzing fast.
var small = Limits{Files: 50, Bytes: 1 << 20}

// fuzzSeeds are honest and hostile entries.
var fuzzSeeds = [][]thing{
	{{name: "bin/tool", body: "x", mode: 0o755}, {name: "lib/a.so", link: "a.so.1"}, {name: "lib/a.so.1", body: "y"}},
	{{name: "l", link: "../.."}, {name: "l/x", body: "x"}},
	{{name: "/etc/passwd", body: "x"}},
	{{name: "a", body: "x"}, {name: "b", link: "a"}, {name: "c", link: "b"}, {name: "c", link: "b"}},
}

// stays unpacks foreign bytes and looks that nothing lies beside the root, that no link leads out of it, and that what
// is listed is there.
func stays(t *testing.T, format string, raw []byte) {
	around := t.TempDir()
	root := filepath.Join(around, "root")
	must(t, os.Mkdir(root, 0o755))
	archive := filepath.Join(around, "archive")
	must(t, os.WriteFile(archive, raw, 0o644))
	for _, noLinks := range []bool{true, false} {
		files, err := Unpack(t.Context(), archive, root, Options{Format: format, Limits: small, NoLinks: noLinks})
		if left, _ := os.ReadDir(around); len(left) != 2 {
			t.Fatalf("beside the root lies %v (%v)", left, err)
		}
		below, no := os.OpenRoot(root)
		must(t, no)
		for _, f := range files {
			if _, no := below.Stat(filepath.FromSlash(f.Path)); no != nil {
				t.Errorf("%+v is listed: %v", f, no)
			}
		}
		linksStay(t, below, root)
		below.Close()
		must(t, os.RemoveAll(root))
		must(t, os.Mkdir(root, 0o755))
	}
}

func linksStay(t *testing.T, below *os.Root, root string) {
	must(t, filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, at)
		if err == nil && d.Type() == fs.ModeSymlink {
			if _, err := below.Stat(rel); err != nil {
				t.Errorf("link %s leads nowhere or out: %v", rel, err)
			}
		}
		return err
	}))
}

func FuzzZip(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(makeZip(f, s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { stays(t, resolve.Wheel, raw) })
}

func FuzzTar(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(makeTar(f, s))
	}
	f.Add(makeTar(f, []thing{{name: "a", body: "x"}, {name: "b", hard: "a"}, {name: "c", hard: "/a"}}))
	f.Fuzz(func(t *testing.T, raw []byte) { stays(t, "tar", raw) })
}

func FuzzDeb(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(makeDeb(f, "", makeTar(f, s)))
		f.Add(makeDeb(f, ".gz", pack(f, ".gz", makeTar(f, s))))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { stays(t, resolve.Deb, raw) })
}

func FuzzXZIndex(f *testing.F) {
	packed := pack(f, ".xz", bytes.Repeat([]byte("abcdefgh"), 20_000))
	f.Add(packed)
	f.Add(packed[len(packed)-40:])
	f.Fuzz(func(t *testing.T, raw []byte) {
		index, err := readIndex(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			return
		}
		var at, size int64 = xzHeader, 0
		for _, b := range index.blocks {
			if b.at != at || b.start != size || b.at+b.unpadded > int64(len(raw)) {
				t.Fatalf("block %+v does not lie in the %d bytes, or not after the one before", b, len(raw))
			}
			at, size = at+(b.unpadded+3)/4*4, size+b.size
		}
		if size != index.size {
			t.Fatalf("blocks make %d bytes, the index says %d", size, index.size)
		}
	})
}

// FuzzLZMA holds the decoder against another one: it never panics, and what it accepts is what the other makes of it.
func FuzzLZMA(f *testing.F) {
	for _, text := range []string{"", "a", "abcabcabcabc", noise(3000, 5), noise(200, 6) + noise(200, 6)} {
		packed := pack(f, ".xz", []byte(text))
		if index, err := readIndex(bytes.NewReader(packed), int64(len(packed))); err == nil && len(index.blocks) == 1 {
			head, _ := blockHeader(packed[xzHeader:])
			f.Add(packed[xzHeader+head.length:int(xzHeader+index.blocks[0].unpadded)], len(text))
		}
	}
	f.Fuzz(func(t *testing.T, packed []byte, size int) {
		if size < 0 || size > 1<<16 {
			return
		}
		out := make([]byte, size)
		in := append(bytes.Clone(packed), make([]byte, slack)...)[:len(packed)]
		var d lzma2
		d.begin(out, 8<<20)
		if _, err := d.all(in, func(int) error { return nil }); err != nil {
			return
		}
		want, err := theirs(packed, size)
		if err == nil && !bytes.Equal(out, want) {
			t.Fatalf("%x unpacks to %x, want %x", packed, out, want)
		}
	})
}

// FuzzXZ holds the reader of whole xz files against another one, in the same way.
func FuzzXZ(f *testing.F) {
	one := pack(f, ".xz", []byte("abcabcabc"))
	f.Add(one)
	f.Add(append(append(bytes.Clone(one), 0, 0, 0, 0), pack(f, ".xz", []byte(noise(300, 3)))...))
	for _, c := range xzConfigs {
		f.Add(packXZ(f, c, []byte(noise(3000, 4))))
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		got, err := io.ReadAll(io.LimitReader(newXZReader(bytes.NewReader(packed)), 1<<20))
		if err != nil || len(got) == 1<<20 {
			return
		}
		r, err := xz.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatalf("%d bytes, where the other reader has %v", len(got), err)
		}
		if want, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, want %d (%v)", len(got), len(want), err)
		}
	})
}

func theirs(packed []byte, size int) ([]byte, error) {
	r, err := lzma2ref.NewReader2(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	out := make([]byte, size)
	_, err = io.ReadFull(r, out)
	return out, err
}
