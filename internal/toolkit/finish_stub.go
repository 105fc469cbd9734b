package toolkit

import (
	"path"

	"cupel/internal/stub"
)

// makeStub writes a libcuda.so to link against when the source brought none: the driver's own library is on no machine
// that only builds. NVIDIA's stub has this one name too; its soname is libcuda.so.1, so a program that was linked with it
// looks for the driver's.
func (r *root) makeStub() error {
	rel := path.Join("targets", r.plan.Platform.Target(), "lib", "stubs", "libcuda.so")
	if r.has(rel) {
		return nil
	}
	l, err := stub.Driver(r.plan.Release, r.plan.Platform.Arch)
	if err != nil {
		return err
	}
	data, err := stub.ELF(l)
	if err != nil {
		return err
	}
	return r.make(rel, data, 0o755)
}
