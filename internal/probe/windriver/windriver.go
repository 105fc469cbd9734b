// Package windriver finds the NVIDIA driver and the GPUs of a native Windows machine from files and the
// registry, without starting a process or loading a library: nvcuda.dll's version, the display class keys and
// the PCI devices. NVML and nvidia-smi know more and are asked elsewhere; WSL is Linux and not here.
package windriver

import (
	"context"
	"fmt"

	"cupel/internal/fact"
	"cupel/internal/pefile"
	"cupel/internal/probe/look"
	"cupel/internal/version"
)

// Survey reads the driver and the GPUs. The registry keeps what was once installed: a class key that no PCI
// device refers to is left out, but a card that was pulled out can still be listed.
func Survey(_ context.Context, at *look.At) (fact.Driver, []fact.GPU) {
	if !at.Path.Windows() {
		return fact.Driver{}, nil
	}
	var d fact.Driver
	readLibrary(at, &d)
	d.SMI = smi(at)
	devices := pciDevices(at)
	for _, dev := range devices {
		d.PCI = append(d.PCI, dev.PCIDevice)
	}
	adapters := adapters(at, devices)
	d.Kernel = installed(adapters)
	return d, gpus(adapters)
}

func windows(at *look.At) string {
	if root := at.Env("SystemRoot"); root != "" {
		return root
	}
	return `C:\Windows`
}

// readLibrary reads nvcuda.dll in System32, the only place Windows' loader takes it from.
func readLibrary(at *look.At, d *fact.Driver) {
	path := at.Path.Join(windows(at), "System32", "nvcuda.dll")
	if !at.IsFile(path) {
		d.UserMode = fact.None[string](path)
		return
	}
	lib := fact.DriverLibrary{Path: path, From: "system32", Rank: 1}
	b, err := at.Open(path)
	if err == nil {
		defer b.Close()
		var f pefile.File
		f, err = pefile.Read(b)
		lib.Version = DriverNumber(f.Version)
		d.UserMode = fact.Of(lib.Version, path+" (file version "+f.Version+")")
		if err == nil && lib.Version == "" {
			err = fmt.Errorf("file version %q is not in NVIDIA's form", f.Version)
		}
	}
	if err != nil {
		d.UserMode = fact.Bad[string](path, err)
	}
	d.Libraries = append(d.Libraries, lib)
}

// DriverNumber turns Windows' form of a driver version (32.0.15.8088) into NVIDIA's (580.88); "" when the text is
// not of that form.
func DriverNumber(windows string) string {
	v, ok := version.WindowsDriver(windows)
	if !ok {
		return ""
	}
	return v.String()
}

// smi finds nvidia-smi where drivers put it, now and before 2019.
func smi(at *look.At) fact.Fact[string] {
	files := at.Env("ProgramFiles")
	if files == "" {
		files = `C:\Program Files`
	}
	path := at.FirstFile(
		at.Path.Join(windows(at), "System32", "nvidia-smi.exe"),
		at.Path.Join(files, `NVIDIA Corporation\NVSMI\nvidia-smi.exe`),
		at.Which("nvidia-smi"),
	)
	if path == "" {
		return fact.None[string]("System32, NVSMI, PATH")
	}
	return fact.Of(path, path)
}
