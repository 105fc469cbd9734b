package cache

import (
	"slices"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// spoken says that nvcc.exe gets a name as it is: its words come to it in the system's code page, and what that does not have
// becomes ?. A file on the way is then named with a ?, which no file can be, and nvcc.exe fails with other words when it
// keeps them than when it does not (13.0: "Failed to create the host compiler response file").
func spoken(name string) bool {
	if ascii(name) { // nearly always
		return true
	}
	const acp = 0 // CP_ACP, winnls.h
	wide := utf16.Encode([]rune(name))
	narrow := make([]byte, 4*len(wide)) // the most that a code page needs for a unit is 4 (GB18030)
	narrower := windows.NewLazySystemDLL("kernel32.dll").NewProc("WideCharToMultiByte")
	n, _, _ := narrower.Call(acp, 0, uintptr(unsafe.Pointer(&wide[0])), uintptr(len(wide)), uintptr(unsafe.Pointer(&narrow[0])), uintptr(len(narrow)), 0, 0)
	if n == 0 {
		return false
	}
	back := make([]uint16, len(narrow))
	m, err := windows.MultiByteToWideChar(acp, 0, &narrow[0], int32(n), &back[0], int32(len(back)))
	return err == nil && slices.Equal(back[:m], wide)
}

func ascii(name string) bool {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return false
		}
	}
	return true
}
