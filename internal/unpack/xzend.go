package unpack

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// summed reads byte by byte, with the sum of what was read.
type summed struct {
	z   *xzReader
	crc uint32
}

func (s *summed) ReadByte() (byte, error) {
	var b [1]byte
	err := s.z.full(b[:])
	s.crc = crc32.Update(s.crc, crc32.IEEETable, b[:])
	return b[0], err
}

// index reads the index of a stream and its end: it has to name the blocks that came.
func (z *xzReader) index() error {
	begun, came := z.n, z.records.Sum(nil)
	z.records.Reset()
	in := &summed{z: z}
	if err := z.indexRecords(in); err != nil {
		return err
	}
	if !bytes.Equal(came, z.records.Sum(nil)) {
		return errBlock
	}
	for (z.n-begun)%4 != 0 {
		if b, err := in.ReadByte(); err != nil {
			return err
		} else if b != 0 {
			return errBlock
		}
	}
	var crc [4]byte
	if err := z.full(crc[:]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(crc[:]) != in.crc {
		return errCheck
	}
	return z.streamFooter(z.n - begun)
}

func (z *xzReader) indexRecords(in io.ByteReader) error {
	if _, err := in.ReadByte(); err != nil { // the zero that tells it from a block
		return err
	}
	count, err := binary.ReadUvarint(in)
	if err != nil {
		return err
	}
	if count != z.count {
		return errBlock
	}
	for range count {
		unpadded, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		size, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		z.record(unpadded, size)
	}
	return nil
}

// streamFooter repeats the flags and says how long the index was.
func (z *xzReader) streamFooter(index int64) error {
	foot := make([]byte, xzFooter)
	if err := z.full(foot); err != nil {
		return err
	}
	long := (int64(binary.LittleEndian.Uint32(foot[4:])) + 1) * 4
	if crc32.ChecksumIEEE(foot[4:10]) != binary.LittleEndian.Uint32(foot) || long != index || [2]byte(foot[8:10]) != z.flags || string(foot[10:]) != xzEnd {
		return errBlock
	}
	z.next = z.streamPadding
	return nil
}
