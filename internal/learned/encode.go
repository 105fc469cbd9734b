package learned

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"time"

	"cupel/internal/digest"
)

// A book is a magic word, the CRC-32C of the rest, and rows: the name, and time, peak and moment in 8 bytes each.
const (
	magic    = "cupel-learned 1\n"
	header   = len(magic) + 4
	rowSize  = len(name{}) + 3*8
	maxRows  = 20_000
	maxFile  = int64(header + maxRows*rowSize)
	maxGuess = int64(1) << 60 // no sum of a few runs over
)

// name is half of a key: enough to tell 20,000 apart.
type name [digest16]byte

const digest16 = len(digest.Digest{}) / 2

func nameOf(key digest.Digest) name { return name(key[:digest16]) }

type entry struct {
	row Row
	at  int64 // seconds since 1970
}

// encode writes the newest rows, in an order of their own, so that equal books are equal files.
func encode(rows map[name]entry) []byte {
	names := make([]name, 0, len(rows))
	for n := range rows {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b name) int {
		return cmp.Or(cmp.Compare(rows[b].at, rows[a].at), slices.Compare(a[:], b[:]))
	})
	names = names[:min(len(names), maxRows)]
	b := append(make([]byte, 0, header+len(names)*rowSize), magic...)
	b = append(b, 0, 0, 0, 0)
	for _, n := range names {
		e := rows[n]
		b = append(b, n[:]...)
		b = binary.LittleEndian.AppendUint64(b, uint64(e.row.Time))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.row.Peak))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.at))
	}
	binary.LittleEndian.PutUint32(b[len(magic):], sum(b[header:]))
	return b
}

func sum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// decode reads what encode wrote; anything else is an empty book.
func decode(b []byte) map[name]entry {
	if len(b) < header || string(b[:len(magic)]) != magic || (len(b)-header)%rowSize != 0 || int64(len(b)) > maxFile ||
		binary.LittleEndian.Uint32(b[len(magic):]) != sum(b[header:]) {
		return map[name]entry{}
	}
	rows := make(map[name]entry, (len(b)-header)/rowSize)
	for b := b[header:]; len(b) > 0; b = b[rowSize:] {
		number := func(i int) int64 {
			return int64(min(binary.LittleEndian.Uint64(b[digest16+8*i:]), uint64(maxGuess)))
		}
		rows[name(b[:digest16])] = entry{Row{time.Duration(number(0)), number(1)}, number(2)}
	}
	return rows
}
