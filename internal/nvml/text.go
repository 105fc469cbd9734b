package nvml

import (
	"bytes"
	"strings"
	"unicode"
	"unsafe"
)

// longest bounds a text whose length only its terminator tells. The longest one seen is the notice that the
// stub NVML of a toolkit gives for every code, some 600 bytes.
const longest = 1024

// text is the C string in a buffer, the whole buffer when the terminator is missing.
func text(buffer []byte) string {
	if end := bytes.IndexByte(buffer, 0); end >= 0 {
		buffer = buffer[:end]
	}
	return string(buffer)
}

// textAt copies a C string that a library owns.
func textAt(address uintptr) string {
	if address == 0 {
		return ""
	}
	// The address is of C memory, which the garbage collector neither moves nor frees. Reading it through the
	// variable's own address says so without the arithmetic that vet warns of.
	first := *(*unsafe.Pointer)(unsafe.Pointer(&address))
	var out []byte
	for i := range longest {
		b := *(*byte)(unsafe.Add(first, i))
		if b == 0 {
			break
		}
		out = append(out, b)
	}
	return oneLine(string(out))
}

// oneLine leaves out lines without a word (the stub's notice stands between rows of "!") and joins the rest.
func oneLine(s string) string {
	var words []string
	for line := range strings.Lines(s) {
		if strings.IndexFunc(line, unicode.IsLetter) >= 0 {
			words = append(words, strings.Fields(line)...)
		}
	}
	return strings.Join(words, " ")
}
