package pefile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	typeVersion = 16         // RT_VERSION
	subfolder   = 0x80000000 // the entry leads to a directory, not to data
	maxEntries  = 1024       // in one directory; nvcuda.dll and cl.exe have fewer than ten
	fixedMark   = 0xfeef04bd // VS_FIXEDFILEINFO.dwSignature
	fixedAt     = 40         // behind three words and the key "VS_VERSION_INFO" in UTF-16, aligned to 4
)

// version walks type → name → language → data, which is the whole depth of a resource tree, so a loop in the
// file cannot make it go round. "" when there is no version resource.
func (s *section) version() (string, error) {
	offset, err := s.entry(s.root, func(id uint32) bool { return id == typeVersion })
	if err != nil || offset == 0 {
		return "", err
	}
	for range 2 {
		if offset&subfolder == 0 {
			break
		}
		offset, err = s.entry(s.root+offset&^subfolder, func(uint32) bool { return true })
		if err != nil {
			return "", err
		}
	}
	if offset == 0 || offset&subfolder != 0 {
		return "", errors.New("the tree has no data")
	}
	return s.fixed(s.root + offset)
}

// entry finds the first entry of a directory that want accepts; 0 when there is none.
func (s *section) entry(at uint32, want func(id uint32) bool) (uint32, error) {
	head, err := s.bytes(at, 16)
	if err != nil {
		return 0, err
	}
	named, numbered := binary.LittleEndian.Uint16(head[12:]), binary.LittleEndian.Uint16(head[14:])
	count := int(named) + int(numbered)
	if count > maxEntries {
		return 0, fmt.Errorf("a directory of %d entries", count)
	}
	list, err := s.bytes(at+16, 8*count)
	if err != nil {
		return 0, err
	}
	for ; len(list) > 0; list = list[8:] {
		if want(binary.LittleEndian.Uint32(list)) {
			return binary.LittleEndian.Uint32(list[4:]), nil
		}
	}
	return 0, nil
}

// fixed reads the four numbers behind a data entry.
func (s *section) fixed(at uint32) (string, error) {
	entry, err := s.bytes(at, 8)
	if err != nil {
		return "", err
	}
	address, size := binary.LittleEndian.Uint32(entry), binary.LittleEndian.Uint32(entry[4:])
	if address < s.address || size < fixedAt+16 {
		return "", errors.New("too short or in another section")
	}
	b, err := s.bytes(address-s.address+fixedAt, 16)
	if err != nil {
		return "", err
	}
	if binary.LittleEndian.Uint32(b) != fixedMark {
		return "", errors.New("no VS_FIXEDFILEINFO")
	}
	high, low := binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:])
	return fmt.Sprintf("%d.%d.%d.%d", high>>16, high&0xffff, low>>16, low&0xffff), nil
}
