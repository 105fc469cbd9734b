package stamp

import (
	"encoding/binary"
	"math"

	"cupel/internal/wire"
)

// A stamp is written as a byte for what it is, and then, but for a file that is not there: the size, both times in 8 bytes
// each, the device and the number. Times hardly get shorter as varints, and are most of what is read.
const (
	codeAbsent byte = iota
	codeFile
	codeDir
)

// Append writes it down.
func (s Stamp) Append(b []byte) []byte {
	switch {
	case !s.Exists():
		return append(b, codeAbsent)
	case s.Dir:
		b = append(b, codeDir)
	default:
		b = append(b, codeFile)
	}
	b = binary.AppendUvarint(b, uint64(s.Size))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Modified))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Changed))
	b = binary.AppendUvarint(b, s.Device)
	return binary.AppendUvarint(b, s.Number)
}

// Take reads what Append wrote, and gives what stands behind it.
func Take(b []byte) (s Stamp, rest []byte, ok bool) {
	if len(b) == 0 || b[0] > codeDir {
		return Stamp{}, nil, false
	}
	if b[0] == codeAbsent {
		return Stamp{}, b[1:], true
	}
	s.Dir = b[0] == codeDir
	size, n := binary.Uvarint(b[1:])
	if n <= 0 || size > math.MaxInt64 || len(b) < 1+n+16 {
		return Stamp{}, nil, false
	}
	b = b[1+n:]
	s.Size = int64(size)
	s.Modified = int64(binary.LittleEndian.Uint64(b))
	s.Changed = int64(binary.LittleEndian.Uint64(b[8:]))
	b = b[16:]
	if s.Device, n = binary.Uvarint(b); n <= 0 {
		return Stamp{}, nil, false
	}
	b = b[n:]
	if s.Number, n = binary.Uvarint(b); n <= 0 || !s.Exists() {
		return Stamp{}, nil, false
	}
	return s, b[n:], true
}

// longest is the most that Append writes.
const longest = 1 + binary.MaxVarintLen64 + 16 + 2*binary.MaxVarintLen64

// From takes what Append wrote off a reader of more.
func From(r *wire.Reader) Stamp {
	var b [longest]byte
	n := copy(b[:], r.Rest())
	s, rest, ok := Take(b[:n])
	if !ok {
		r.Fail()
		return Stamp{}
	}
	r.Raw(n - len(rest))
	return s
}
