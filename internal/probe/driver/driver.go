// Package driver finds the NVIDIA driver of a Linux host: kernel module, user-mode library, device nodes and
// devices on the bus. It reads /proc, /sys, /dev and the loader's places; it starts no process and never opens
// a device. What NVML and nvidia-smi say is added by package gpus.
package driver

import (
	"errors"
	"io/fs"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/pattern"
	"cupel/internal/probe/look"
)

// Survey gathers what files tell.
func Survey(a *look.At, platform string) fact.Driver {
	d := fact.Driver{Nodes: nodes(a), PCI: pci(a), Packages: packages(a)}
	d.Kernel, d.Open = kernelModule(a)
	d.Libraries, d.CompatDirs = libraries(a, platform)
	d.UserMode = userMode(d.Libraries)
	d.SMI = smi(a, platform)
	return d
}

func kernelModule(a *look.At) (fact.Fact[string], bool) {
	const proc, sys = "/proc/driver/nvidia/version", "/sys/module/nvidia/version"
	b, err := a.ReadFile(proc)
	if err == nil {
		v, open := parseProcVersion(string(b))
		if v == "" {
			return fact.Fact[string]{State: fact.Unreadable, Source: proc, Why: "no version on the NVRM line"}, open
		}
		return fact.Of(v, proc), open
	}
	refused := unlessAbsent(proc, err)
	if b, err = a.ReadFile(sys); err == nil {
		if v := strings.TrimSpace(string(b)); driverVersion.MatchString(v) {
			return fact.Of(v, sys), false
		}
		return fact.Fact[string]{State: fact.Unreadable, Source: sys, Why: "no version in it"}, false
	}
	return refused.Or(unlessAbsent(sys, err)), false
}

// unlessAbsent: only what does not exist is absent.
func unlessAbsent(path string, err error) fact.Fact[string] {
	if errors.Is(err, fs.ErrNotExist) {
		return fact.None[string](path)
	}
	return fact.Bad[string](path, errors.New(look.Reason(err)))
}

var (
	driverVersion = pattern.New(`\b(\d{3,4}\.\d{1,4}(?:\.\d{1,4})?)\b`)
	nvrmLine      = pattern.New(`(?m)^NVRM version:(.*)$`)
)

// parseProcVersion reads /proc/driver/nvidia/version.
func parseProcVersion(text string) (version string, open bool) {
	m := nvrmLine.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	if v := driverVersion.FindStringSubmatch(m[1]); v != nil {
		version = v[1]
	}
	return version, strings.Contains(m[1], "Open Kernel Module")
}

var nodeName = pattern.New(`^(nvidia\d+|nvidiactl|nvidia-uvm|nvidia-modeset|dxg|nvmap|nvhost-gpu|nvhost-ctrl-gpu)$`)

func nodes(a *look.At) []fact.Node {
	var out []fact.Node
	for _, p := range a.List("/dev", nodeName) {
		out = append(out, fact.Node{Path: p})
	}
	return out
}

var anyName = pattern.New(`.`)

// pci lists NVIDIA display devices (class 0300 VGA, 0302 3D controller): hardware is there even when the
// driver is not.
func pci(a *look.At) []fact.PCIDevice {
	const root = "/sys/bus/pci/devices"
	var out []fact.PCIDevice
	for _, dir := range a.List(root, anyName) {
		if word(a, dir+"/vendor") != "0x10de" {
			continue
		}
		if class := word(a, dir+"/class"); !strings.HasPrefix(class, "0x0300") && !strings.HasPrefix(class, "0x0302") {
			continue
		}
		d := fact.PCIDevice{
			Slot:   a.Path.Base(dir),
			Device: strings.ToUpper(strings.TrimPrefix(word(a, dir+"/device"), "0x")),
		}
		if target, err := a.Resolve(dir + "/driver"); err == nil {
			d.Driver = a.Path.Base(target)
		}
		out = append(out, d)
	}
	return out
}

func word(a *look.At, path string) string {
	b, err := a.ReadFile(path)
	if err != nil {
		a.Note("devices on the bus", path, err)
		return ""
	}
	return strings.ToLower(strings.TrimSpace(string(b)))
}

var packageFile = pattern.New(`^(nvidia-driver-\d+|nvidia-driver|nvidia-utils-\d+|libnvidia-compute-\d+|nvidia-dkms-\d+|nvidia-kernel-dkms|cuda-drivers|libcuda1|nvidia-smi)(-open|-server|:amd64|:arm64)*\.md5sums$`)

// packages lists driver packages by the names of dpkg's checksum files: no version is needed to know that a
// driver was installed where none belongs (WSL2). The .list file of a package stays when it is removed and its
// configuration kept; the checksums go with it.
func packages(a *look.At) []fact.Package {
	const dir = "/var/lib/dpkg/info"
	names, err := a.Names(dir, packageFile)
	a.Note("driver packages", dir, err)
	var out []fact.Package
	for _, n := range names {
		n = strings.TrimSuffix(n, ".md5sums")
		n, _, _ = strings.Cut(n, ":")
		out = append(out, fact.Package{Name: n})
	}
	return out
}

func smi(a *look.At, platform string) fact.Fact[string] {
	if p := a.Which("nvidia-smi"); p != "" {
		return fact.Of(p, "PATH")
	}
	if p := "/usr/lib/wsl/lib/nvidia-smi"; platform == fact.WSL2 && a.IsFile(p) {
		return fact.Of(p, p)
	}
	return fact.None[string]("PATH")
}
