package unpack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/crc64"
	"io"
	"math"
	"slices"
	"sync"
)

// What a block's header may say, section 3.1 of the specification.
const (
	xzFilters  = 0x03 // one less than there are
	xzReserved = 0x3C
	xzPacked   = 0x40 // the header names the packed size
	xzUnpacked = 0x80
	xzLZMA2    = 0x21
)

var (
	errBlock  = errors.New("a block of it is not what its index says")
	errFilter = Refused{Why: "it is packed with a filter that cupel cannot read"}
	errCheck  = errors.New("the checksum of a block does not fit")
)

// ecma is made once an xz file is read: it is larger than all other tables of the program together.
var ecma = sync.OnceValue(func() *crc64.Table { return crc64.MakeTable(crc64.ECMA) })

// check is the sum that a block carries.
type check interface {
	io.Writer
	Sum([]byte) []byte
	Size() int
}

// checks by the number in a stream's flags.
var checks = map[byte]func() check{
	0:  func() check { return noCheck{} },
	1:  func() check { return crc32.NewIEEE() },
	4:  func() check { return crc64.New(ecma()) },
	10: func() check { return sha256.New() },
}

type noCheck struct{}

func (noCheck) Write(p []byte) (int, error) { return len(p), nil }
func (noCheck) Sum(b []byte) []byte         { return b }
func (noCheck) Size() int                   { return 0 }

// stored is a sum as xz writes it: that of a CRC has its lowest byte first.
func stored(c check) []byte {
	sum := c.Sum(nil)
	if len(sum) <= crc64.Size {
		slices.Reverse(sum)
	}
	return sum
}

// readBlock unpacks block k into out, which has its size, and holds it against its check. made is called on the way
// with how many bytes are there.
func readBlock(r io.ReaderAt, index xzStream, k int, out, scratch []byte, made func(int) error) ([]byte, error) {
	b := index.blocks[k]
	padded := int(b.unpadded+3) / 4 * 4 // the padding lies before the check
	scratch = slices.Grow(scratch[:0], padded+slack)[:padded]
	if _, err := r.ReadAt(scratch, b.at); err != nil {
		return scratch, damage("", err)
	}
	clear(scratch[:len(scratch)+slack][len(scratch):])
	head, err := blockHeader(scratch)
	if err != nil {
		return scratch, err
	}
	if head.size >= 0 && head.size != b.size {
		return scratch, damage("", errBlock)
	}
	var d lzma2
	d.begin(out, head.dict)
	used, err := d.all(scratch[head.length:], made)
	if err != nil {
		return scratch, damage("", err)
	}
	sum := checks[index.flags[1]]()
	sum.Write(out)
	want := stored(sum)
	if int64(head.length+used+len(want)) != b.unpadded || head.packed >= 0 && head.packed != int64(used) {
		return scratch, damage("", errBlock)
	}
	if !bytes.Equal(scratch[padded-len(want):], want) {
		return scratch, damage("", errCheck)
	}
	return scratch, nil
}

// blockHead is what a block's header says.
type blockHead struct {
	length       int   // of the header itself
	packed, size int64 // -1: not said
	dict         int
}

// blockHeader reads a header, if it says what cupel can read.
func blockHeader(raw []byte) (blockHead, error) {
	if len(raw) < 8 {
		return blockHead{}, damage("", errBlock)
	}
	h := blockHead{length: (int(raw[0]) + 1) * 4, packed: -1, size: -1}
	n := h.length
	if raw[0] == 0 || n > len(raw) || crc32.ChecksumIEEE(raw[:n-4]) != binary.LittleEndian.Uint32(raw[n-4:]) {
		return blockHead{}, damage("", errBlock)
	}
	flags, rest := raw[1], raw[2:n-4]
	for _, f := range []struct {
		flag byte
		to   *int64
	}{{xzPacked, &h.packed}, {xzUnpacked, &h.size}} {
		if flags&f.flag == 0 {
			continue
		}
		v, k := binary.Uvarint(rest)
		if k <= 0 || v > math.MaxInt64/4 {
			return blockHead{}, damage("", errBlock)
		}
		*f.to, rest = int64(v), rest[k:]
	}
	if flags&(xzFilters|xzReserved) != 0 || len(rest) < 3 || rest[0] != xzLZMA2 || rest[1] != 1 {
		return blockHead{}, errFilter
	}
	dict := dictSize(rest[2])
	if dict > widest {
		return blockHead{}, Refused{Why: fmt.Sprintf("unpacking it takes more than %d MiB of memory", widest>>20)}
	}
	h.dict = int(dict)
	return h, nil
}

// dictSize is how large a dictionary is: a byte stands for every size from 4 KiB to 4 GiB with at most two bits set.
func dictSize(b byte) int64 {
	if b >= 40 {
		return 1 << 32
	}
	return int64(2|b&1) << (b/2 + 11)
}
