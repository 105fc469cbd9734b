package stub

import (
	"debug/elf"
	"fmt"
)

// Sizes of ELF64's records.
const (
	headerSize  = 64
	programSize = 56
	sectionSize = 64
	symbolSize  = 24
	dynamicSize = 16
)

// section is one part of the file. Its address is its offset, moved up by a page for every segment before its own: parts
// of a file may lie close together though they are mapped with different rights.
type section struct {
	name    string
	kind    elf.SectionType
	flags   elf.SectionFlag
	segment int // which PT_LOAD; none: not in memory
	align   uint64
	entry   uint64
	link    uint32 // the section it speaks of
	info    uint32
	data    []byte
	offset  uint64
	address uint64
}

const none = -1

// The sections by number, in the order of the file.
const (
	_ = iota
	hashSection
	gnuHashSection
	dynsymSection
	dynstrSection
	textSection
	dynamicSection
	namesSection
	sectionCount
)

// loads are the rights of the segments. The dynamic section is writable: loaders of glibc before 2.35 write addresses
// into it.
var loads = []elf.ProgFlag{elf.PF_R, elf.PF_R | elf.PF_X, elf.PF_R | elf.PF_W}

// ELF is the shared library as a file's bytes: the same bytes for the same library.
func ELF(l Library) ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, fmt.Errorf("write stub library: %w", err)
	}
	m := machines[l.Machine]
	symbols := inHashOrder(l.Symbols)
	names := newStrings()
	soname := names.add(l.Soname)
	code, size := m.text(len(symbols), l.Answer)
	s := sections()
	s[hashSection].data, s[gnuHashSection].data = sysvHash(symbols), gnuHash(symbols)
	s[textSection].data = code
	s[dynsymSection].data = make([]byte, symbolSize*(len(symbols)+1))
	s[dynamicSection].data = make([]byte, dynamicSize*8)
	table := make([]uint32, len(symbols))
	for i, name := range symbols {
		table[i] = names.add(name)
	}
	s[dynstrSection].data = names.bytes
	titles := sectionNames(s)
	end := place(s, m.page)
	s[dynsymSection].data = dynsym(table, s[textSection].address, size)
	s[dynamicSection].data = dynamic(s, soname)
	return assemble(m, s, titles, end), nil
}

func sections() []section {
	const read, run, write = elf.SHF_ALLOC, elf.SHF_ALLOC | elf.SHF_EXECINSTR, elf.SHF_ALLOC | elf.SHF_WRITE
	return []section{
		{segment: none},
		{name: ".hash", kind: elf.SHT_HASH, flags: read, align: 8, entry: 4, link: dynsymSection},
		{name: ".gnu.hash", kind: elf.SHT_GNU_HASH, flags: read, align: 8, link: dynsymSection},
		{name: ".dynsym", kind: elf.SHT_DYNSYM, flags: read, align: 8, entry: symbolSize, link: dynstrSection, info: 1},
		{name: ".dynstr", kind: elf.SHT_STRTAB, flags: read, align: 1},
		{name: ".text", kind: elf.SHT_PROGBITS, flags: run, segment: 1, align: stride},
		{name: ".dynamic", kind: elf.SHT_DYNAMIC, flags: write, segment: 2, align: 8, entry: dynamicSize, link: dynstrSection},
		{name: ".shstrtab", kind: elf.SHT_STRTAB, segment: none, align: 1},
	}
}

// sectionNames fills .shstrtab and says where in it each name stands.
func sectionNames(s []section) []uint32 {
	names, at := newStrings(), make([]uint32, len(s))
	for i := range s[1:] {
		at[i+1] = names.add(s[i+1].name)
	}
	s[namesSection].data = names.bytes
	return at
}

// place gives every section its offset and address, and returns where the section headers go.
func place(s []section, page uint64) uint64 {
	at := uint64(headerSize + programSize*(len(loads)+2))
	for i := 1; i < len(s); i++ {
		at = up(at, s[i].align)
		s[i].offset = at
		if s[i].segment != none {
			s[i].address = at + page*uint64(s[i].segment)
		}
		at += uint64(len(s[i].data))
	}
	return up(at, 8)
}

func up(n, align uint64) uint64 { return (n + align - 1) / align * align }

// dynsym has a function for every name, one stride after the other.
func dynsym(names []uint32, text, size uint64) []byte {
	out := concat(elf.Sym64{})
	for i, name := range names {
		out = append(out, concat(elf.Sym64{
			Name: name, Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Other: byte(elf.STV_DEFAULT),
			Shndx: textSection, Value: text + uint64(i)*stride, Size: size,
		})...)
	}
	return out
}

func dynamic(s []section, soname uint32) []byte {
	return concat([]elf.Dyn64{
		{Tag: int64(elf.DT_SONAME), Val: uint64(soname)},
		{Tag: int64(elf.DT_HASH), Val: s[hashSection].address},
		{Tag: int64(elf.DT_GNU_HASH), Val: s[gnuHashSection].address},
		{Tag: int64(elf.DT_STRTAB), Val: s[dynstrSection].address},
		{Tag: int64(elf.DT_SYMTAB), Val: s[dynsymSection].address},
		{Tag: int64(elf.DT_STRSZ), Val: uint64(len(s[dynstrSection].data))},
		{Tag: int64(elf.DT_SYMENT), Val: symbolSize},
		{Tag: int64(elf.DT_NULL)},
	})
}
