package driver

import (
	"bytes"
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
	d := Survey(at(t, "-- file /proc/driver/nvidia/version --\nNVRM version:\n"), fact.Linux)
	if d.Kernel.State != fact.Unreadable || d.Kernel.Why == "" {
		t.Errorf("Kernel = %+v, want unreadable with a reason", d.Kernel)
	}
}

func TestLibraries(t *testing.T) {
	for _, tt := range []struct {
		name, archive string
		user          string
		stub          bool
		count         int
	}{
		{"driver in the loader's cache", "-- text /etc/ld.so.cache --\n/lib/x86_64-linux-gnu/libcuda.so.1\n-- tree --\n/lib/x86_64-linux-gnu/libcuda.so.1 -> libcuda.so.535.261.03\n/lib/x86_64-linux-gnu/libcuda.so.535.261.03 f 29384912\n", "535.261.03", false, 1},
		{"a stub first", "-- env --\nLD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs\n-- tree --\n/usr/local/cuda/lib64/stubs/libcuda.so f 70368\n/usr/lib/x86_64-linux-gnu/libcuda.so.1 -> libcuda.so.535.261.03\n/usr/lib/x86_64-linux-gnu/libcuda.so.535.261.03 f 29384912\n", "535.261.03", true, 2},
		{"an empty file", "-- tree --\n/usr/lib/libcuda.so.1 f 0\n", "", true, 1},
		{"nothing", "", "", false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Survey(at(t, tt.archive), fact.Linux)
			if d.UserMode.Value != tt.user || len(d.Libraries) != tt.count {
				t.Fatalf("user mode %q, libraries %+v, want %q and %d", d.UserMode.Value, d.Libraries, tt.user, tt.count)
			}
			if tt.count > 0 && d.Libraries[0].Stub != tt.stub {
				t.Errorf("first library %+v, want stub %v", d.Libraries[0], tt.stub)
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
