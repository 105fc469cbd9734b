package snapshot

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

// Windows PowerShell's > writes UTF-16, and the command cupel names there is `cupel doctor --json > FILE`.
func TestEncodings(t *testing.T) {
	const text = `{"format": "cupel.machine/1", "system": {"os": "windows", "platform": "windows", "arch": "amd64", "home": "C:\\Users\\Zoë"}}`
	wide := func(order binary.AppendByteOrder, mark ...byte) []byte {
		b := mark
		for _, w := range utf16.Encode([]rune(text)) {
			b = order.AppendUint16(b, w)
		}
		return b
	}
	for _, tt := range []struct {
		name string
		in   []byte
	}{
		{"UTF-8", []byte(text)},
		{"UTF-8 with a mark", []byte("\ufeff" + text)},
		{"UTF-16, little end first", wide(binary.LittleEndian, 0xff, 0xfe)},
		{"UTF-16, big end first", wide(binary.BigEndian, 0xfe, 0xff)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Parse(tt.in)
			if err != nil || m.System.Home != `C:\Users\Zoë` {
				t.Errorf("Parse = home %q, %v", m.System.Home, err)
			}
		})
	}
}
