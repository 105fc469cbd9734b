package unpack

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
)

// xzReader unpacks an xz file from its beginning to its end: any number of streams, blocks of any size, whether or not
// they can be found from the end. It holds a dictionary and a few chunks in memory. Every block is held against its
// check, and all of them against the index. It follows the xz file format 1.2, as the names of its steps do.
type xzReader struct {
	in   *bufio.Reader
	n    int64        // bytes read
	next func() error // the next step; each makes some bytes or none
	d    lzma2        // d.out is the window
	done int          // handed out of it
	body [largestBody + slack]byte
	err  error

	flags   [2]byte // of the stream
	count   uint64  // its blocks so far
	records hash.Hash

	begun int64 // n where the block begins
	head  blockHead
	made  int64
	sum   check
}

func newXZReader(r io.Reader) *xzReader {
	z := &xzReader{in: newBuffered(r), records: sha256.New()}
	z.next = z.streamHeader
	return z
}

func (z *xzReader) Read(p []byte) (int, error) {
	for z.done == z.d.pos {
		if z.err != nil {
			return 0, z.err
		}
		z.err = z.next()
	}
	n := copy(p, z.d.out[z.done:z.d.pos])
	z.done += n
	return n, nil
}

// full reads all of p: an end within it is none.
func (z *xzReader) full(p []byte) error {
	n, err := io.ReadFull(z.in, p)
	z.n += int64(n)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

var errXZ = errors.New("it is no xz file")

// streamHeader begins a stream.
func (z *xzReader) streamHeader() error {
	head := make([]byte, xzHeader)
	if err := z.full(head); err != nil {
		return err
	}
	if string(head[:6]) != xzMagic || head[6] != 0 || crc32.ChecksumIEEE(head[6:8]) != binary.LittleEndian.Uint32(head[8:]) {
		return errXZ
	}
	if checks[head[7]] == nil {
		return Refused{Why: "it has a kind of checksum that cupel cannot read"}
	}
	z.flags = [2]byte(head[6:8])
	z.records.Reset()
	z.count = 0
	z.next = z.blockHeader
	return nil
}

// blockHeader begins a block, or the index.
func (z *xzReader) blockHeader() error {
	first, err := z.in.Peek(1)
	if err != nil {
		return damage("", err)
	}
	if first[0] == 0 {
		return z.index()
	}
	z.begun = z.n
	raw := make([]byte, (int(first[0])+1)*4)
	if err := z.full(raw); err != nil {
		return err
	}
	if z.head, err = blockHeader(raw); err != nil {
		return err
	}
	z.d.begin(z.d.out, z.head.dict)
	z.sum, z.made, z.done, z.next = checks[z.flags[1]](), 0, 0, z.chunk
	return nil
}

// chunk unpacks the next chunk of a block.
func (z *xzReader) chunk() error {
	var head [longestHead]byte
	if err := z.full(head[:1]); err != nil {
		return err
	}
	if head[0] == chunkEnd {
		return z.blockEnd()
	}
	n := headLength(head[0])
	if n == 0 {
		return errLZMA
	}
	if err := z.full(head[1:n]); err != nil {
		return err
	}
	size, body := sizes(head[:n])
	if err := z.full(z.body[:body]); err != nil {
		return err
	}
	z.d.room(size)
	z.done = z.d.pos
	if err := z.d.chunk(head[:n], z.body[:body]); err != nil {
		z.d.pos = z.done
		return err
	}
	z.sum.Write(z.d.out[z.done:z.d.pos])
	z.made += int64(size)
	return nil
}

// blockEnd holds a block against what its header and its check say.
func (z *xzReader) blockEnd() error {
	long := z.n - z.begun
	if z.head.packed >= 0 && z.head.packed != long-int64(z.head.length) || z.head.size >= 0 && z.head.size != z.made {
		return errBlock
	}
	if err := z.padding(long); err != nil {
		return err
	}
	got := make([]byte, z.sum.Size())
	if err := z.full(got); err != nil {
		return err
	}
	if !bytes.Equal(got, stored(z.sum)) {
		return errCheck
	}
	z.record(uint64(long)+uint64(len(got)), uint64(z.made))
	z.count++
	z.next = z.blockHeader
	return nil
}

// record notes a block's sizes, from the blocks and again from the index. A sum of all is kept: it takes no memory.
func (z *xzReader) record(unpadded, size uint64) {
	z.records.Write(binary.AppendUvarint(binary.AppendUvarint(nil, unpadded), size))
}

// padding reads the zeros that make a length a multiple of four.
func (z *xzReader) padding(long int64) error {
	var zeros [3]byte
	pad := zeros[:-long&3]
	if err := z.full(pad); err != nil {
		return err
	}
	if zeros != [3]byte{} {
		return errBlock
	}
	return nil
}

// streamPadding is what may follow a stream: zeros in fours, another stream, or the end.
func (z *xzReader) streamPadding() error {
	four, err := z.in.Peek(4)
	if len(four) == 0 && err == io.EOF {
		return io.EOF
	}
	if err != nil {
		return damage("", err)
	}
	if !bytes.Equal(four, make([]byte, 4)) {
		return z.streamHeader()
	}
	k, err := z.in.Discard(len(four))
	z.n += int64(k)
	return err
}
