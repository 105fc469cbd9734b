package nvml

import (
	"fmt"
	"unsafe"

	"cupel/internal/fact"
)

// mostDevices is far above any machine's count; a larger one is a library gone wrong.
const mostDevices = 1024

// versionSize holds any version text; the documented size is 80.
const versionSize = 128

// askNVML fills the NVML part. Every question is asked even when an earlier one was refused, except that
// nothing is asked of a library that did not initialise.
func askNVML(names []string, report *fact.GPUReport) {
	lib, err := open(names)
	if err != nil {
		report.NVML.Error = err.Error()
		return
	}
	lib.explain = lib.nvmlError
	report.NVML = lib.answer("nvmlInit_v2")
	if err := lib.initialise(); err != nil {
		refuse(&report.NVML, err)
		return
	}
	report.Driver, err = lib.driverVersion()
	refuse(&report.NVML, err)
	report.CUDA, err = lib.cudaVersion()
	refuse(&report.NVML, err)
	report.GPUs, err = lib.devices()
	refuse(&report.NVML, err)
}

// initialise attaches to the driver. It does not initialise any GPU yet.
func (l *library) initialise() error {
	p, err := l.find("nvmlInit_v2")
	if err != nil {
		return err
	}
	return p.call()
}

func (l *library) driverVersion() (string, error) {
	p, err := l.find("nvmlSystemGetDriverVersion")
	if err != nil {
		return "", err
	}
	var buffer [versionSize]byte
	err = p.call(uintptr(unsafe.Pointer(&buffer[0])), versionSize)
	return text(buffer[:]), err
}

// cudaVersion prefers the form that asks the driver library itself over the one that only knows its own build.
func (l *library) cudaVersion() (int, error) {
	p, err := l.find("nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion")
	if err != nil {
		return 0, err
	}
	var version int32
	err = p.call(uintptr(unsafe.Pointer(&version)))
	return int(version), err
}

func (l *library) devices() ([]fact.GPUAnswer, error) {
	p, err := l.find("nvmlDeviceGetCount_v2")
	if err != nil {
		return nil, err
	}
	var count uint32
	if err := p.call(uintptr(unsafe.Pointer(&count))); err != nil {
		return nil, err
	}
	if count > mostDevices {
		return nil, fmt.Errorf("%s: %d devices cannot be right", p.name, count)
	}
	var gpus []fact.GPUAnswer
	for index := range int(count) {
		gpus = append(gpus, l.device(index))
	}
	return gpus, nil
}

// nvmlError is the library's own name for a code.
func (l *library) nvmlError(code int) string {
	addr := lookup(l.handle, "nvmlErrorString")
	if addr == 0 {
		return ""
	}
	return textAt(invoke(addr, uintptr(uint32(int32(code)))))
}
