package snapshot

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// plain gives UTF-8 without a mark: `cupel doctor --json > FILE` in Windows PowerShell writes UTF-16, and editors
// there put a mark before UTF-8.
func plain(b []byte) []byte {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return fromUTF16(b[2:], binary.LittleEndian)
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return fromUTF16(b[2:], binary.BigEndian)
	}
	return bytes.TrimPrefix(b, []byte("\ufeff"))
}

func fromUTF16(b []byte, order binary.ByteOrder) []byte {
	words := make([]uint16, len(b)/2)
	for i := range words {
		words[i] = order.Uint16(b[2*i:])
	}
	return []byte(string(utf16.Decode(words)))
}
