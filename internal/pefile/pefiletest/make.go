// Package pefiletest makes the smallest Windows program that carries a version resource, for tests and for
// recorded hosts. It writes what package pefile reads and nothing that could run.
package pefiletest

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
)

const (
	optionalSize = 112 + 3*8 // up to the resource entry
	rsrcAddress  = 0x1000
	rsrcAt       = 64 + 4 + 20 + optionalSize + 40
	dataAt       = 3*24 + 16 // behind three directories of one entry and the data entry
	dataSize     = 40 + 52
)

// Make returns a PE32+ file for a machine (pe.IMAGE_FILE_MACHINE_…) with that file version.
func Make(machine uint16, version [4]uint16) []byte {
	var b bytes.Buffer
	dos := make([]byte, 64)
	copy(dos, "MZ")
	dos[0x3c] = 64
	b.Write(dos)
	b.WriteString("PE\x00\x00")
	put(&b, pe.FileHeader{Machine: machine, NumberOfSections: 1, SizeOfOptionalHeader: optionalSize})
	b.Write(optional())
	put(&b, pe.SectionHeader32{
		Name: [8]byte{'.', 'r', 's', 'r', 'c'}, VirtualAddress: rsrcAddress, PointerToRawData: rsrcAt,
		VirtualSize: dataAt + dataSize, SizeOfRawData: dataAt + dataSize,
	})
	folder(&b, 16, 24|0x80000000)
	folder(&b, 1, 48|0x80000000)
	folder(&b, 0x409, 72)
	put(&b, []uint32{rsrcAddress + dataAt, dataSize, 0, 0})
	info(&b, version)
	return b.Bytes()
}

func optional() []byte {
	o := make([]byte, optionalSize)
	binary.LittleEndian.PutUint16(o, 0x20b)
	binary.LittleEndian.PutUint32(o[108:], 3)
	binary.LittleEndian.PutUint32(o[112+16:], rsrcAddress)
	binary.LittleEndian.PutUint32(o[112+20:], dataAt+dataSize)
	return o
}

func folder(b *bytes.Buffer, id, offset uint32) {
	put(b, []uint32{0, 0, 0, 1 << 16, id, offset})
}

// info writes VS_VERSIONINFO: three words, its key in UTF-16, then VS_FIXEDFILEINFO.
func info(b *bytes.Buffer, v [4]uint16) {
	put(b, []uint16{dataSize, 52, 0})
	for _, c := range "VS_VERSION_INFO\x00\x00" {
		put(b, uint16(c))
	}
	high, low := uint32(v[0])<<16|uint32(v[1]), uint32(v[2])<<16|uint32(v[3])
	put(b, []uint32{0xfeef04bd, 1 << 16, high, low, high, low, 0, 0, 0, 0, 0, 0, 0})
}

func put(b *bytes.Buffer, value any) { binary.Write(b, binary.LittleEndian, value) }
