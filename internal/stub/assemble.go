package stub

import "debug/elf"

// assemble writes header, segments, sections and the sections' headers.
func assemble(m machine, s []section, titles []uint32, end uint64) []byte {
	out := make([]byte, end, end+sectionSize*uint64(len(s)))
	copy(out, concat(header(m, end)))
	copy(out[headerSize:], concat(programs(m, s)))
	for _, part := range s {
		copy(out[part.offset:], part.data)
	}
	for i, part := range s {
		out = append(out, concat(elf.Section64{
			Name: titles[i], Type: uint32(part.kind), Flags: uint64(part.flags), Addr: part.address, Off: part.offset,
			Size: uint64(len(part.data)), Link: part.link, Info: part.info, Addralign: part.align, Entsize: part.entry,
		})...)
	}
	return out
}

func header(m machine, sections uint64) elf.Header64 {
	h := elf.Header64{
		Type: uint16(elf.ET_DYN), Machine: uint16(m.elf), Version: uint32(elf.EV_CURRENT),
		Phoff: headerSize, Shoff: sections, Ehsize: headerSize, Phentsize: programSize, Phnum: uint16(len(loads) + 2),
		Shentsize: sectionSize, Shnum: sectionCount, Shstrndx: namesSection,
	}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB)
	h.Ident[elf.EI_VERSION] = byte(elf.EV_CURRENT)
	return h
}

// programs are the segments: one for each kind of rights, the dynamic section, and a stack that is not run.
func programs(m machine, s []section) []elf.Prog64 {
	var out []elf.Prog64
	for i, rights := range loads {
		from, to := span(s, i)
		out = append(out, segment(elf.PT_LOAD, rights, from, uint64(i)*m.page, to-from, m.page))
	}
	d := s[dynamicSection]
	return append(out,
		segment(elf.PT_DYNAMIC, elf.PF_R|elf.PF_W, d.offset, d.address-d.offset, uint64(len(d.data)), d.align),
		elf.Prog64{Type: uint32(elf.PT_GNU_STACK), Flags: uint32(elf.PF_R | elf.PF_W), Align: 16})
}

// span is which part of the file a segment maps; the first one has the headers too.
func span(s []section, number int) (from, to uint64) {
	for i := 1; i < len(s); i++ {
		if s[i].segment != number {
			continue
		}
		if from == 0 && number > 0 {
			from = s[i].offset
		}
		to = s[i].offset + uint64(len(s[i].data))
	}
	return from, to
}

func segment(kind elf.ProgType, rights elf.ProgFlag, offset, moved, size, align uint64) elf.Prog64 {
	return elf.Prog64{
		Type: uint32(kind), Flags: uint32(rights), Off: offset, Vaddr: offset + moved, Paddr: offset + moved,
		Filesz: size, Memsz: size, Align: align,
	}
}

// stringTable is a string table under construction. It begins with the empty string.
type stringTable struct{ bytes []byte }

func newStrings() *stringTable { return &stringTable{bytes: []byte{0}} }

func (t *stringTable) add(s string) uint32 {
	at := uint32(len(t.bytes))
	t.bytes = append(append(t.bytes, s...), 0)
	return at
}
