package nvml

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"cupel/internal/fact"
)

// notSupported is NVML_ERROR_NOT_SUPPORTED.
const notSupported = 3

// field is one question about a device, named as in the report.
type field struct {
	name    string
	symbols []string
	// system limits a question to one operating system; elsewhere it has no meaning.
	system string
	// lacking says that "not supported" is an ordinary answer: most GPUs have no such feature.
	lacking bool
	read    func(p proc, device uintptr, g *fact.GPUAnswer) error
}

// fields lists every question. The serial number is left out on purpose: reports are pasted into public issues.
func fields() []field {
	return []field{
		{name: "name", symbols: []string{"nvmlDeviceGetName"}, read: readName},
		{name: "uuid", symbols: []string{"nvmlDeviceGetUUID"}, read: readUUID},
		{name: "pci", symbols: []string{"nvmlDeviceGetPciInfo_v3"}, read: readPCI},
		{name: "compute_capability", symbols: []string{"nvmlDeviceGetCudaComputeCapability"}, read: readCC},
		{name: "memory_bytes", symbols: []string{"nvmlDeviceGetMemoryInfo"}, read: readMemory},
		{name: "compute_mode", symbols: []string{"nvmlDeviceGetComputeMode"}, read: readComputeMode},
		{name: "mig", symbols: []string{"nvmlDeviceGetMigMode"}, lacking: true, read: readMIG},
		// The first form knows only two models and calls an MCDM device something else.
		{name: "driver_model", symbols: []string{"nvmlDeviceGetDriverModel_v2", "nvmlDeviceGetDriverModel"},
			system: "windows", lacking: true, read: readDriverModel},
	}
}

// device asks one GPU every question; a refused one leaves the others.
func (l *library) device(index int) fact.GPUAnswer {
	g := fact.GPUAnswer{Index: index}
	handle, err := l.deviceHandle(index)
	if err != nil {
		g.Errors = map[string]string{"handle": err.Error()}
		return g
	}
	for _, f := range fields() {
		if f.system != "" && f.system != runtime.GOOS {
			continue
		}
		if err := l.ask(f, handle, &g); err != nil {
			note(&g, f.name, err)
		}
	}
	return g
}

func (l *library) deviceHandle(index int) (uintptr, error) {
	p, err := l.find("nvmlDeviceGetHandleByIndex_v2")
	if err != nil {
		return 0, err
	}
	var handle uintptr
	err = p.call(uintptr(index), uintptr(unsafe.Pointer(&handle)))
	return handle, err
}

func (l *library) ask(f field, device uintptr, g *fact.GPUAnswer) error {
	p, err := l.find(f.symbols...)
	if err != nil {
		return err
	}
	err = f.read(p, device, g)
	if f.lacking && code(err) == notSupported {
		return nil
	}
	return err
}

func note(g *fact.GPUAnswer, field string, err error) {
	if g.Errors == nil {
		g.Errors = map[string]string{}
	}
	g.Errors[field] = err.Error()
}

var errEmpty = errors.New("the answer is empty")

// named translates an enumeration; a number without a name is told, not guessed.
func named(p proc, names []string, value uint32) (string, error) {
	if int(value) < len(names) {
		return names[value], nil
	}
	return "", fmt.Errorf("%s: value %d has no known name", p.name, value)
}
