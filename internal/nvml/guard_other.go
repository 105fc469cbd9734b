//go:build !(linux && (amd64 || arm64))

package nvml

// changeNothing has nothing to forbid here: on Windows the driver is loaded by the system, elsewhere there is none.
func changeNothing() {}
