package unpack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"reflect"
	"sync"
	"testing"

	"cupel/internal/resolve"
)

// manyBlocks is a packed tar of some 30 blocks, with dropped entries that span whole ones.
var manyBlocks = sync.OnceValue(func() []byte {
	t := new(testing.T)
	var things []thing
	for i := range 6 {
		things = append(things, thing{name: fmt.Sprintf("keep/%d", i), body: noise(20_000, uint64(i))},
			thing{name: fmt.Sprintf("drop/%d", i), body: noise(300_000, uint64(i)+10)})
	}
	things = append(things, thing{name: "keep/large", body: noise(400_000, 99)})
	return pack(t, ".xz", makeTar(t, things))
})

// The blocks give the same files as reading in a row, and those of dropped entries are never unpacked.
func TestBlocksAgree(t *testing.T) {
	packed := manyBlocks()
	index, err := readIndex(bytes.NewReader(packed), int64(len(packed)))
	if err != nil || len(index.blocks) < 30 {
		t.Fatalf("%d blocks, %v; want 30", len(index.blocks), err)
	}
	for _, place := range []func(string) (string, bool){nil, below("keep", "k"), below("drop", "")} {
		_, byBlocks, err := unpacked(t, saved(t, "a.tar.xz", packed), Options{Format: resolve.TarXZ, Place: place})
		must(t, err)
		// Four zero bytes are padding after a stream: the index is not where it is looked for.
		odd := append(bytes.Clone(packed), 0, 0, 0, 0)
		_, inRow, err := unpacked(t, saved(t, "a.tar.xz", odd), Options{Format: resolve.TarXZ, Place: place})
		must(t, err)
		if len(byBlocks) == 0 || !reflect.DeepEqual(byBlocks, inRow) {
			t.Errorf("by blocks:\n%v\nin a row:\n%v", byBlocks, inRow)
		}
	}
}

func TestBlocksSkipped(t *testing.T) {
	packed := manyBlocks()
	part := io.NewSectionReader(bytes.NewReader(packed), 0, int64(len(packed)))
	index, ok := blocksOf(part)
	if !ok {
		t.Fatal("no blocks")
	}
	root, err := os.OpenRoot(t.TempDir())
	must(t, err)
	defer root.Close()
	opened := func(place func(string) (string, bool)) int {
		s := newSink(t.Context(), "x", root, Options{Place: place})
		b := s.newBlocks(part, index)
		defer b.Close()
		must(t, s.tarStream(tarball{}, b, s.o.place, true))
		return b.opened
	}
	all, some := opened(nil), opened(func(n string) (string, bool) { return n, n == "keep/2" })
	if all != len(index.blocks) || some > all/2 {
		t.Errorf("unpacked %d blocks of %d for everything, %d for one file", all, len(index.blocks), some)
	}
}

// A wrong byte in a block is found by its check; one in a block that nobody reads is nobody's concern.
func TestBlockCheck(t *testing.T) {
	packed := manyBlocks()
	index, err := readIndex(bytes.NewReader(packed), int64(len(packed)))
	must(t, err)
	b := index.blocks[2] // within drop/0
	for _, at := range []int64{b.at + 2000, b.at + b.unpadded - 1} {
		bad := bytes.Clone(packed)
		bad[at] ^= 1
		archive := saved(t, "a.tar.xz", bad)
		_, _, err := unpacked(t, archive, Options{Format: resolve.TarXZ})
		if _, ok := errors.AsType[Damaged](err); !ok {
			t.Errorf("byte %d of block 2 is wrong: %v, want it damaged", at-b.at, err)
		}
		if _, _, err := unpacked(t, archive, Options{Format: resolve.TarXZ, Place: below("keep", "")}); err != nil {
			t.Errorf("byte %d of a dropped block is wrong: %v", at-b.at, err)
		}
	}
}

func TestTwoStreams(t *testing.T) {
	raw := makeTar(t, plain)
	packed := append(pack(t, ".xz", raw[:1000]), pack(t, ".xz", raw[1000:])...)
	_, files, err := unpacked(t, saved(t, "a.tar.xz", packed), Options{Format: resolve.TarXZ})
	if err != nil || len(files) != len(plain) {
		t.Errorf("%d files, %v; want %d", len(files), err, len(plain))
	}
}

func TestParseIndex(t *testing.T) {
	good := []byte{0, 1, 100, 0xAC, 2, 0, 0, 0} // one block: 100 packed, 300 unpacked
	good = binary.LittleEndian.AppendUint32(good, crc32.ChecksumIEEE(good))
	if got, err := parseIndex(good); err != nil || len(got) != 1 || got[0].unpadded != 100 || got[0].size != 300 {
		t.Errorf("parseIndex = %v, %v; want one block of 100 and 300", got, err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0xff
		if got, err := parseIndex(bad); err == nil {
			t.Errorf("byte %d is wrong: %v, want an error", i, got)
		}
	}
}
