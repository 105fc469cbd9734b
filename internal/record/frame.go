// Package record keeps what package call tells: it writes runs and calls into folders below $CUPEL_HOME/runs, and reads
// them back. Every call has a file of its own, to which its shim alone appends, so no shim waits for another, and a kill
// at any moment costs at most the end of that one file. It judges nothing.
package record

import (
	"encoding/binary"
	"hash/crc32"
)

// magic begins the file of a call and of a run's own output.
const magic = "cupelcl1"

// Kinds of frames besides call.Stdout and call.Stderr, whose payload is output.
const (
	frameBegin byte = 'B' // call.Begin as JSON
	frameEnd   byte = 'X' // call.End as JSON
)

// A frame is its kind (1 byte), the microseconds since the call began (8 bytes, little endian), the length of its payload
// (4 bytes), the payload, and the CRC-32 of all of these (4 bytes).
const frameHead, frameTail = 13, 4

// Bounds of a call's file. The writer keeps below them whatever the call does, so that a reader may refuse what is above.
const (
	maxPiece = 1 << 20  // payload of output
	maxWords = 12 << 20 // payload of JSON
	maxFile  = 64 << 20 // all frames: the writer's bounds come to 2*maxWords + keepFirst + keepLast and a little
)

// appendFrame adds a frame to b.
func appendFrame(b []byte, kind byte, after uint64, payload []byte) []byte {
	at := len(b)
	b = append(b, kind)
	b = binary.LittleEndian.AppendUint64(b, after)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint32(b, sum(b[at:]))
}

// sum is the checksum whose first use costs the shim least: the table of another polynomial takes 0.3 ms to make.
func sum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }
