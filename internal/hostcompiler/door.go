package hostcompiler

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// page is the alignment of segments: the largest page of each processor.
var page = map[elf.Machine]uint64{elf.EM_X86_64: 0x1000, elf.EM_AARCH64: 0x10000}

// door makes a shared library that holds nothing and needs others, named relative to itself with $ORIGIN. Who loads it
// has their functions. So libraries that need each other load from a folder that the system does not search, without a
// variable in everybody's environment. It is for dlopen: it has no sections that a linker could read.
func door(machine elf.Machine, needed []string) ([]byte, error) {
	align, ok := page[machine]
	if !ok {
		return nil, fmt.Errorf("no shared library can be made for %s", machine)
	}
	const header, program = 64, 56
	names := []byte{0}
	var entries []elf.Dyn64
	for _, n := range needed {
		entries = append(entries, elf.Dyn64{Tag: int64(elf.DT_NEEDED), Val: uint64(len(names))})
		names = append(append(names, n...), 0)
	}
	for len(names)%8 != 0 {
		names = append(names, 0)
	}
	hash := uint64(header + 3*program)
	symbols := hash + 16                        // one bucket and one chain, both empty
	text := symbols + 24                        // the symbol that is none
	dynamic := text + uint64(len(names))        //
	size := uint64((len(entries) + 6) * 16)     //
	add := func(tag elf.DynTag, value uint64) { //
		entries = append(entries, elf.Dyn64{Tag: int64(tag), Val: value})
	}
	add(elf.DT_HASH, hash)
	add(elf.DT_SYMTAB, symbols)
	add(elf.DT_STRTAB, text)
	add(elf.DT_STRSZ, uint64(len(names)))
	add(elf.DT_SYMENT, 24)
	add(elf.DT_NULL, 0)
	end := dynamic + size
	h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Phoff: header, Ehsize: header, Phentsize: program, Phnum: 3, Shentsize: 64}
	copy(h.Ident[:], []byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)})
	parts := []any{h,
		// The loader writes into the dynamic section.
		elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Filesz: end, Memsz: end, Align: align},
		elf.Prog64{Type: uint32(elf.PT_DYNAMIC), Flags: uint32(elf.PF_R | elf.PF_W), Off: dynamic, Vaddr: dynamic, Paddr: dynamic, Filesz: size, Memsz: size, Align: 8},
		elf.Prog64{Type: uint32(elf.PT_GNU_STACK), Flags: uint32(elf.PF_R | elf.PF_W), Align: 16},
		[4]uint32{1, 1, 0, 0}, [24]byte{}, names, entries}
	var b bytes.Buffer
	for _, p := range parts {
		if err := binary.Write(&b, binary.LittleEndian, p); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
