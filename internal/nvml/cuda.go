package nvml

import (
	"unsafe"

	"cupel/internal/fact"
)

// askCUDA fills the part of the driver library. Only cuDriverGetVersion is called, which needs no
// initialisation: initialising would start up every GPU, wait for busy ones and take memory on them.
func askCUDA(names []string, report *fact.GPUReport) {
	lib, err := open(names)
	if err != nil {
		report.Cuda.Error = err.Error()
		return
	}
	lib.explain = lib.cudaError
	report.Cuda = lib.answer("cuDriverGetVersion")
	report.Level, err = lib.level()
	refuse(&report.Cuda, err)
}

func (l *library) level() (int, error) {
	p, err := l.find("cuDriverGetVersion")
	if err != nil {
		return 0, err
	}
	var version int32
	err = p.call(uintptr(unsafe.Pointer(&version)))
	return int(version), err
}

// cudaError is the library's own name for a code. A stub library refuses this question too, and then the
// number has to do.
func (l *library) cudaError(code int) string {
	p, err := l.find("cuGetErrorName")
	if err != nil {
		return ""
	}
	p.explain = unnamed
	var name uintptr
	if p.call(uintptr(uint32(int32(code))), uintptr(unsafe.Pointer(&name))) != nil {
		return ""
	}
	return textAt(name)
}
