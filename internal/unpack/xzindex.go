package unpack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
)

// The frame of an xz stream, after the file format's specification 1.2 (sections 2.1 and 4).
const (
	xzMagic    = "\xFD7zXZ\x00"
	xzEnd      = "YZ"
	xzHeader   = 12
	xzFooter   = 12
	xzMaxIndex = 16 << 20  // a block has a few bytes in it
	xzMaxBlock = 256 << 20 // unpacked; larger ones are read in a row
)

// xzBlock is a part of a stream that can be unpacked by itself.
type xzBlock struct {
	at       int64 // in the file
	unpadded int64 // header, packed bytes and check
	start    int64 // in the unpacked stream
	size     int64
}

// xzStream is one stream with its index.
type xzStream struct {
	flags  [2]byte // which check its blocks carry
	blocks []xzBlock
	size   int64 // unpacked
}

// errOdd is a file that is not one stream with an index: it may still be read from its beginning.
var errOdd = errors.New("no single xz stream")

// readIndex reads the frame of a file that is one stream, from its end.
func readIndex(r io.ReaderAt, size int64) (xzStream, error) {
	if size < xzHeader+xzFooter {
		return xzStream{}, errOdd
	}
	head, foot := make([]byte, xzHeader), make([]byte, xzFooter)
	if _, err := r.ReadAt(head, 0); err != nil {
		return xzStream{}, err
	}
	if _, err := r.ReadAt(foot, size-xzFooter); err != nil && err != io.EOF {
		return xzStream{}, err
	}
	flags := foot[8:10]
	long := (int64(binary.LittleEndian.Uint32(foot[4:])) + 1) * 4
	switch {
	case string(head[:6]) != xzMagic, string(foot[10:]) != xzEnd, !bytes.Equal(head[6:8], flags):
		return xzStream{}, errOdd
	case crc32.ChecksumIEEE(flags) != binary.LittleEndian.Uint32(head[8:]), crc32.ChecksumIEEE(foot[4:10]) != binary.LittleEndian.Uint32(foot):
		return xzStream{}, errOdd
	case long > xzMaxIndex, long > size-xzHeader-xzFooter:
		return xzStream{}, errOdd
	}
	raw := make([]byte, long)
	if _, err := r.ReadAt(raw, size-xzFooter-long); err != nil {
		return xzStream{}, err
	}
	blocks, err := parseIndex(raw)
	if err != nil {
		return xzStream{}, err
	}
	return placed(blocks, [2]byte(flags), size-xzFooter-long)
}

// parseIndex reads the records of an index: sizes alone.
func parseIndex(raw []byte) ([]xzBlock, error) {
	if len(raw) < 8 || raw[0] != 0 || crc32.ChecksumIEEE(raw[:len(raw)-4]) != binary.LittleEndian.Uint32(raw[len(raw)-4:]) {
		return nil, errOdd
	}
	rest := raw[1 : len(raw)-4]
	next := func() int64 {
		v, n := binary.Uvarint(rest)
		if n <= 0 || v > math.MaxInt64/4 {
			rest = nil
			return -1
		}
		rest = rest[n:]
		return int64(v)
	}
	count := next()
	if count < 0 || count > int64(len(rest))/2 {
		return nil, errOdd
	}
	blocks := make([]xzBlock, count)
	for i := range blocks {
		blocks[i].unpadded, blocks[i].size = next(), next()
		if blocks[i].unpadded <= 0 || blocks[i].size < 0 {
			return nil, errOdd
		}
	}
	if len(rest) > 3 || bytes.Trim(rest, "\x00") != nil && len(bytes.Trim(rest, "\x00")) > 0 {
		return nil, errOdd
	}
	return blocks, nil
}

// placed finds where each block begins; the last one has to end where the index begins.
func placed(blocks []xzBlock, flags [2]byte, index int64) (xzStream, error) {
	out := xzStream{flags: flags, blocks: blocks}
	at := int64(xzHeader)
	for i := range blocks {
		b := &blocks[i]
		b.at, b.start = at, out.size
		at += (b.unpadded + 3) / 4 * 4
		out.size += b.size
		if at > index || out.size < 0 {
			return xzStream{}, errOdd
		}
	}
	if at != index {
		return xzStream{}, errOdd
	}
	return out, nil
}

// blocksOf is the index of a stream that can be unpacked by blocks. A single block is unpacked in a row as fast, with
// less memory.
func blocksOf(part *io.SectionReader) (xzStream, bool) {
	index, err := readIndex(part, part.Size())
	if err != nil || len(index.blocks) < 2 || checks[index.flags[1]] == nil {
		return xzStream{}, false
	}
	for _, b := range index.blocks {
		if b.size > xzMaxBlock || b.size == 0 || b.unpadded > b.size+b.size/64+4096 {
			return xzStream{}, false
		}
	}
	return index, true
}

// sizeXZ is how large a stream is unpacked; 0: not known.
func sizeXZ(part *io.SectionReader) int64 {
	index, err := readIndex(part, part.Size())
	if err != nil {
		return 0
	}
	return index.size
}

func measureXZ(archive string, _ Options) (int64, error) {
	f, err := os.Open(archive)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return sizeXZ(io.NewSectionReader(f, 0, info.Size())), nil
}
