package nvml

import (
	"fmt"
	"unsafe"

	"cupel/internal/fact"
)

// textSize holds any name or UUID; the documented sizes are 64 and 96.
const textSize = 128

// The enumerations of nvml.h, in their order from 0.
var (
	computeModes = []string{"default", "exclusive-thread", "prohibited", "exclusive-process"}
	migModes     = []string{"off", "on"}
	driverModels = []string{"wddm", "tcc", "mcdm"}
)

// pciInfo is nvmlPciInfo_t as nvmlDeviceGetPciInfo_v3 fills it: 68 bytes. What follows is room that a library
// with a longer struct may write to without harm.
type pciInfo struct {
	legacyBusID [16]byte
	domain      uint32
	bus         uint32
	device      uint32
	deviceID    uint32 // the device in the upper half, the vendor in the lower
	subsystemID uint32
	busID       [32]byte
	_           [60]byte
}

// memory is nvmlMemory_t (the first form, which has no version word), 24 bytes, and room.
type memory struct {
	total uint64
	free  uint64
	used  uint64
	_     [40]byte
}

func readName(p proc, device uintptr, g *fact.GPUAnswer) (err error) {
	g.Name, err = readText(p, device)
	return err
}

func readUUID(p proc, device uintptr, g *fact.GPUAnswer) (err error) {
	g.UUID, err = readText(p, device)
	return err
}

func readText(p proc, device uintptr) (string, error) {
	var buffer [textSize]byte
	if err := p.call(device, uintptr(unsafe.Pointer(&buffer[0])), textSize); err != nil {
		return "", err
	}
	if s := text(buffer[:]); s != "" {
		return s, nil
	}
	return "", fmt.Errorf("%s: %w", p.name, errEmpty)
}

func readPCI(p proc, device uintptr, g *fact.GPUAnswer) error {
	var pci pciInfo
	if err := p.call(device, uintptr(unsafe.Pointer(&pci))); err != nil {
		return err
	}
	g.PCI = text(pci.busID[:])
	g.PCIDevice = fmt.Sprintf("%04x", pci.deviceID>>16)
	return nil
}

func readCC(p proc, device uintptr, g *fact.GPUAnswer) error {
	var major, minor int32
	if err := p.call(device, uintptr(unsafe.Pointer(&major)), uintptr(unsafe.Pointer(&minor))); err != nil {
		return err
	}
	g.CC = fmt.Sprintf("%d.%d", major, minor)
	return nil
}

func readMemory(p proc, device uintptr, g *fact.GPUAnswer) error {
	var m memory
	if err := p.call(device, uintptr(unsafe.Pointer(&m))); err != nil {
		return err
	}
	g.MemoryBytes = m.total
	return nil
}

func readComputeMode(p proc, device uintptr, g *fact.GPUAnswer) error {
	var mode uint32
	err := p.call(device, uintptr(unsafe.Pointer(&mode)))
	if err == nil {
		g.ComputeMode, err = named(p, computeModes, mode)
	}
	return err
}

func readMIG(p proc, device uintptr, g *fact.GPUAnswer) (err error) {
	g.MIG, err = readCurrent(p, device, migModes)
	return err
}

func readDriverModel(p proc, device uintptr, g *fact.GPUAnswer) (err error) {
	g.DriverModel, err = readCurrent(p, device, driverModels)
	return err
}

// readCurrent asks for a pair of current and pending value; what holds now is what a program meets.
func readCurrent(p proc, device uintptr, names []string) (string, error) {
	var current, pending uint32
	err := p.call(device, uintptr(unsafe.Pointer(&current)), uintptr(unsafe.Pointer(&pending)))
	if err != nil {
		return "", err
	}
	return named(p, names, current)
}
