package stub

import (
	"debug/elf"
	"encoding/binary"
)

// machine is what differs between processors.
type machine struct {
	elf  elf.Machine
	page uint64 // the largest page that its kernels use: segments lie that far apart in memory
	body func(answer int32) []byte
	fill []byte // between two functions: what traps when it is run
}

var machines = map[string]machine{
	"amd64": {elf.EM_X86_64, 4 << 10, bodyAMD64, []byte{0xcc}},
	"arm64": {elf.EM_AARCH64, 64 << 10, bodyARM64, []byte{0, 0, 0, 0}},
}

// bodyAMD64 is mov eax, answer; ret.
func bodyAMD64(answer int32) []byte {
	code := binary.LittleEndian.AppendUint32([]byte{0xb8}, uint32(answer))
	return append(code, 0xc3)
}

// bodyARM64 is movz w0, low half; movk w0, high half (where there is one); ret.
func bodyARM64(answer int32) []byte {
	low, high := uint32(answer)&0xffff, uint32(answer)>>16
	code := binary.LittleEndian.AppendUint32(nil, 0x52800000|low<<5)
	if high != 0 {
		code = binary.LittleEndian.AppendUint32(code, 0x72a00000|high<<5)
	}
	return binary.LittleEndian.AppendUint32(code, 0xd65f03c0)
}

// stride is how far apart functions start: each has an address of its own, so that a debugger names the right one.
const stride = 16

// text is one body for every symbol.
func (m machine) text(n int, answer int32) (code []byte, size uint64) {
	body := m.body(answer)
	for range n {
		code = append(code, body...)
		for len(code)%stride != 0 {
			code = append(code, m.fill...)
		}
	}
	return code, uint64(len(body))
}
