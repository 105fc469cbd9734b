package driver

import (
	"bytes"
	"strings"
	"testing"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/probe/look"
)

func at(t testing.TB, archive string) *look.At {
	t.Helper()
	h, err := host.Parse([]byte("-- host --\nos = linux\narch = amd64\n"+archive), nil)
	if err != nil {
		t.Fatal(err)
	}
	return look.New(h)
}

func TestParseProcVersion(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		open           bool
	}{
		{"proprietary module", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.261.03  Tue Jun 10 21:02:27 UTC 2025\nGCC version:  gcc version 12.2.0", "535.261.03", false},
		{"open module", "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.10  Release Build", "570.86.10", true},
		{"two parts", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  390.157  Wed", "390.157", false},
		{"no version on the line", "NVRM version:", "", false},
		{"no such line", "GCC version:  gcc version 12.2.0", "", false},
		{"garbage", "\x00\xff\xfe", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, open := parseProcVersion(tt.in); got != tt.want || open != tt.open {
				t.Errorf("parseProcVersion(%q) = %q, %v, want %q, %v", tt.in, got, open, tt.want, tt.open)
			}
		})
	}
}

func TestKernelModuleUnreadable(t *testing.T) {
	for _, tt := range []struct{ name, archive, value, why string }{
		{"no version in it", "-- file /proc/driver/nvidia/version --\nNVRM version:\n", "", "no version"},
		{"closed /proc", "-- tree --\n/proc/driver/nvidia/version f ! permission denied\n", "", "permission denied"},
		{"closed /sys", "-- tree --\n/sys/module/nvidia/version ? ! input/output error\n", "", "input/output error"},
		{"closed /proc, /sys tells", "-- tree --\n/proc/driver/nvidia/version f ! permission denied\n-- file /sys/module/nvidia/version --\n550.54.15\n", "550.54.15", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := Survey(at(t, tt.archive), fact.Linux).Kernel
			if k.IsAbsent() || k.Value != tt.value || k.Known() != (tt.why == "") || !strings.Contains(k.Why, tt.why) {
				t.Errorf("Kernel = %+v, want %q or unreadable with %q", k, tt.value, tt.why)
			}
		})
	}
}

// TestTroublesNoted: what may not be read of the bus and the packages is told.
func TestTroublesNoted(t *testing.T) {
	a := at(t, "-- tree --\n/sys/bus/pci/devices/0000:01:00.0/vendor f ! permission denied\n/var/lib/dpkg/info d ! permission denied\n")
	Survey(a, fact.Linux)
	var about []string
	for _, trouble := range a.Troubles() {
		about = append(about, trouble.About)
	}
	if s := strings.Join(about, ", "); !strings.Contains(s, "devices on the bus") || !strings.Contains(s, "driver packages") {
		t.Errorf("troubles about %s, want the bus and the packages", s)
	}
}

// A library of 64 bits that needs no other, and the first bytes of one of 32 bits.
const (
	stubELF = "f0VMRgIBAQAAAAAAAAAAAAMAPgABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAEAAAAAAAA=="
	elf32   = "f0VMRgEBAQ=="
)

func TestLibraries(t *testing.T) {
	for _, tt := range []struct {
		name, archive string
		user          string
		stub          bool
		broken        string
		count         int
	}{
		{"driver in the loader's cache", "-- text /etc/ld.so.cache --\n/lib/x86_64-linux-gnu/libcuda.so.1\n-- tree --\n/lib/x86_64-linux-gnu/libcuda.so.1 -> libcuda.so.535.261.03\n/lib/x86_64-linux-gnu/libcuda.so.535.261.03 f 29384912\n", "535.261.03", false, "", 1},
		{"a stub first", "-- env --\nLD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs\n-- tree --\n/usr/lib/x86_64-linux-gnu/libcuda.so.1 -> libcuda.so.535.261.03\n/usr/lib/x86_64-linux-gnu/libcuda.so.535.261.03 f 29384912\n-- part 0 /usr/local/cuda/lib64/stubs/libcuda.so --\n" + stubELF + "\n", "535.261.03", true, "", 2},
		{"an empty file first", "-- env --\nLD_LIBRARY_PATH=/x\n-- tree --\n/x/libcuda.so.1 f 0\n/usr/lib64/libcuda.so.1 -> libcuda.so.535.261.03\n/usr/lib64/libcuda.so.535.261.03 f 9\n", "535.261.03", false, "empty", 2},
		{"an empty file named for a driver", "-- tree --\n/usr/lib64/libcuda.so.1 -> libcuda.so.535.261.03\n/usr/lib64/libcuda.so.535.261.03 f 0\n", "", false, "empty", 1},
		{"a text file", "-- file /usr/lib/libcuda.so.1 --\nINPUT(libcuda.so)\n", "", false, "not an ELF", 1},
		{"32 bits by its bytes, as on Fedora", "-- env --\nLD_LIBRARY_PATH=/usr/lib\n-- part 0 /usr/lib/libcuda.so.1 --\n" + elf32 + "\n-- tree --\n/usr/lib64/libcuda.so.1 -> libcuda.so.535.261.03\n/usr/lib64/libcuda.so.535.261.03 f 9\n", "535.261.03", false, "", 1},
		{"32 bits by its folder", "-- env --\nLD_LIBRARY_PATH=/usr/lib/i386-linux-gnu:/usr/lib32\n-- tree --\n/usr/lib/i386-linux-gnu/libcuda.so.1 f 9\n/usr/lib32/libcuda.so.1 f 9\n", "", false, "", 0},
		{"32 bits first in the loader's cache", "-- text /etc/ld.so.cache --\n/lib/i386-linux-gnu/libcuda.so.1\n/opt/x86_64-linux-gnu/nv/libcuda.so.1\n-- tree --\n/lib/i386-linux-gnu/libcuda.so.1 -> libcuda.so.470.1\n/lib/i386-linux-gnu/libcuda.so.470.1 f 9\n/opt/x86_64-linux-gnu/nv/libcuda.so.1 -> libcuda.so.535.261.03\n/opt/x86_64-linux-gnu/nv/libcuda.so.535.261.03 f 9\n", "535.261.03", false, "", 1},
		{"nothing", "", "", false, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Survey(at(t, tt.archive), fact.Linux)
			if d.UserMode.Value != tt.user || len(d.Libraries) != tt.count {
				t.Fatalf("user mode %q, libraries %+v, want %q and %d", d.UserMode.Value, d.Libraries, tt.user, tt.count)
			}
			if tt.count == 0 {
				return
			}
			if l := d.Libraries[0]; l.Stub != tt.stub || (l.Broken == "") != (tt.broken == "") || !strings.Contains(l.Broken, tt.broken) {
				t.Errorf("first library %+v, want stub %v, broken %q", l, tt.stub, tt.broken)
			}
		})
	}
}

func TestPCI(t *testing.T) {
	d := Survey(at(t, `-- file /sys/bus/pci/devices/0000:01:00.0/vendor --
0x10de
-- file /sys/bus/pci/devices/0000:01:00.0/class --
0x030000
-- file /sys/bus/pci/devices/0000:01:00.0/device --
0x2d04
-- file /sys/bus/pci/devices/0000:01:00.1/vendor --
0x10de
-- file /sys/bus/pci/devices/0000:01:00.1/class --
0x040300
-- file /sys/bus/pci/devices/0000:00:02.0/vendor --
0x8086
-- tree --
/sys/bus/pci/devices/0000:01:00.0/driver -> ../../../bus/pci/drivers/nouveau
/sys/bus/pci/drivers/nouveau d
/sys/bus/bus/pci/drivers/nouveau d
`), fact.Linux)
	if len(d.PCI) != 1 || d.PCI[0].Device != "2D04" || d.PCI[0].Driver != "nouveau" {
		t.Errorf("PCI = %+v, want the display device alone, held by nouveau", d.PCI)
	}
}

func FuzzProcVersion(f *testing.F) {
	f.Add("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.10  Release Build")
	f.Fuzz(func(t *testing.T, s string) {
		if v, _ := parseProcVersion(s); v != "" && !driverVersion.MatchString(v) {
			t.Errorf("parseProcVersion(%q) = %q", s, v)
		}
	})
}

// FuzzLibcuda: whatever stands where a libcuda is looked for must not crash the reader.
func FuzzLibcuda(f *testing.F) {
	f.Add([]byte("\x7fELF\x02\x01\x01"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := dynamicNeeds(bytes.NewReader(b)); err == nil && len(b) < 64 {
			t.Errorf("%d bytes were taken for an ELF library", len(b))
		}
	})
}
