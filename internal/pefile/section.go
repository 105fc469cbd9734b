package pefile

import (
	"debug/pe"
	"encoding/binary"
	"fmt"
)

// section is the part of the file that holds the resources.
type section struct {
	src     Source
	address uint32 // where it would lie in memory
	size    uint32
	at      int64 // where it lies in the file
	root    uint32
}

// resources finds the section with the resource directory; nil when the file has none.
func resources(src Source, optional int64, head pe.FileHeader) (*section, error) {
	root, err := directory(src, optional, int(head.SizeOfOptionalHeader))
	if err != nil || root == 0 {
		return nil, err
	}
	if head.NumberOfSections > maxSections {
		return nil, fmt.Errorf("read sections: %d of them", head.NumberOfSections)
	}
	table := make([]pe.SectionHeader32, head.NumberOfSections)
	at := optional + int64(head.SizeOfOptionalHeader)
	if err := decode(src, at, binary.Size(table), table); err != nil {
		return nil, fmt.Errorf("read sections: %w", err)
	}
	for _, s := range table {
		size := max(s.VirtualSize, s.SizeOfRawData)
		if root >= s.VirtualAddress && root-s.VirtualAddress < size {
			return &section{src, s.VirtualAddress, size, int64(s.PointerToRawData), root - s.VirtualAddress}, nil
		}
	}
	return nil, fmt.Errorf("read sections: none holds the resources")
}

// directory returns the address of the resource directory, 0 when the optional header names none.
func directory(src Source, at int64, size int) (uint32, error) {
	magic, err := part(src, at, 2)
	if err != nil {
		return 0, fmt.Errorf("read optional header: %w", err)
	}
	first, ok := map[uint16]int{0x10b: 96, 0x20b: 112}[binary.LittleEndian.Uint16(magic)]
	if !ok {
		return 0, fmt.Errorf("read optional header: unknown kind 0x%x", magic)
	}
	entry := first + 8*pe.IMAGE_DIRECTORY_ENTRY_RESOURCE
	if size < entry+8 {
		return 0, nil
	}
	count, err := part(src, at+int64(first)-4, 4)
	if err != nil || binary.LittleEndian.Uint32(count) <= pe.IMAGE_DIRECTORY_ENTRY_RESOURCE {
		return 0, err
	}
	b, err := part(src, at+int64(entry), 4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

// bytes reads n bytes at an offset in the section.
func (s *section) bytes(offset uint32, n int) ([]byte, error) {
	if offset > s.size || s.size-offset < uint32(n) {
		return nil, fmt.Errorf("offset 0x%x is outside the resources", offset)
	}
	return part(s.src, s.at+int64(offset), n)
}
