package nvml

import (
	"testing"
	"unsafe"
)

// The layouts of nvml.h (NVML API 12, nvmlPciInfo_t and nvmlMemory_t). A wrong one is memory corruption.
func TestStructLayouts(t *testing.T) {
	var pci pciInfo
	var m memory
	for _, tt := range []struct {
		name      string
		got, want uintptr
	}{
		{"pci domain", unsafe.Offsetof(pci.domain), 16},
		{"pci bus", unsafe.Offsetof(pci.bus), 20},
		{"pci device", unsafe.Offsetof(pci.device), 24},
		{"pci device id", unsafe.Offsetof(pci.deviceID), 28},
		{"pci subsystem", unsafe.Offsetof(pci.subsystemID), 32},
		{"pci bus id", unsafe.Offsetof(pci.busID), 36},
		{"pci end of the documented part", unsafe.Offsetof(pci.busID) + unsafe.Sizeof(pci.busID), 68},
		{"pci with room", unsafe.Sizeof(pci), 128},
		{"memory total", unsafe.Offsetof(m.total), 0},
		{"memory free", unsafe.Offsetof(m.free), 8},
		{"memory end of the documented part", unsafe.Offsetof(m.used) + unsafe.Sizeof(m.used), 24},
		{"memory with room", unsafe.Sizeof(m), 64},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("at %d, want %d", tt.got, tt.want)
			}
		})
	}
}
