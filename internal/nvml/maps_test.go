package nvml

import (
	"strings"
	"testing"
)

const sampleMaps = `00400000-004b5000 r-xp 00000000 fe:01 1311  /usr/bin/cupel-gpu
c000000000-c000400000 rw-p 00000000 00:00 0
7f1d3c000000-7f1d3c0a0000 r-xp 00002000 fe:01 991  /usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05
7f1d3d000000-7f1d3d010000 r-xp 00000000 fe:01 992  /opt/my driver/libnvidia-ml.so.1 (deleted)
7ffd1000-7ffd3000 r-xp 00000000 00:00 0  [vdso]
`

func TestMappedFile(t *testing.T) {
	for _, tt := range []struct {
		name    string
		address uint64
		want    string
	}{
		{"first byte of a mapping", 0x7f1d3c000000, "/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05"},
		{"last byte of a mapping", 0x7f1d3c09ffff, "/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05"},
		{"end is outside", 0x7f1d3c0a0000, ""},
		{"blank in the path, file replaced", 0x7f1d3d000010, "/opt/my driver/libnvidia-ml.so.1 (deleted)"},
		{"memory without a file", 0xc000000010, ""},
		{"named memory is no file", 0x7ffd1000, ""},
		{"address nobody has", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := mappedFile(sampleMaps, tt.address); got != tt.want {
				t.Errorf("mappedFile(%#x) = %q, want %q", tt.address, got, tt.want)
			}
		})
	}
}

func FuzzMappedFile(f *testing.F) {
	f.Add(sampleMaps, uint64(0x7f1d3c000000))
	f.Add("-\n \n7f-", uint64(0))
	f.Fuzz(func(t *testing.T, maps string, address uint64) {
		file := mappedFile(maps, address)
		if file != "" && (file[0] != '/' || !strings.Contains(maps, file)) {
			t.Errorf("mappedFile(%q, %#x) = %q, which is no path in the text", maps, address, file)
		}
	})
}
