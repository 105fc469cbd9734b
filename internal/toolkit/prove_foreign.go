package toolkit

import (
	"debug/elf"
	"debug/pe"
	"fmt"
	"os"
	"path/filepath"

	"cupel/internal/resolve"
)

// foreign looks at the programs of a root that cannot be run here: each is one for its platform.
func (p *prover) foreign() error {
	n := 0
	for _, r := range required(p.plan) {
		if !r.program {
			continue
		}
		file := r.find(p.dir, p.plan.Platform)
		if got := programOf(file); got != p.plan.Platform.String() {
			return p.unproved("look at "+filepath.Base(file), "it is %s, want one for %s", got, p.plan.Platform)
		}
		n++
	}
	p.say("not run: made for %s; %d programs are for it", p.plan.Platform, n)
	return nil
}

var elfMachines = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}
var peMachines = map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}

// programOf is the platform that a file runs on, or what it is instead.
func programOf(file string) string {
	if f, err := elf.Open(file); err == nil {
		defer f.Close()
		if arch, ok := elfMachines[f.Machine]; ok {
			return resolve.Platform{OS: "linux", Arch: arch}.String()
		}
		return "an ELF file for " + f.Machine.String()
	}
	if f, err := pe.Open(file); err == nil {
		defer f.Close()
		if arch, ok := peMachines[f.Machine]; ok {
			return resolve.Platform{OS: "windows", Arch: arch}.String()
		}
		return fmt.Sprintf("a PE file for machine %#x", f.Machine)
	}
	return "no program"
}

// loader explains a program that is there and does not start: the loader it names is missing, as on systems with another
// C library than the one that NVIDIA builds for.
func (p *prover) loader() string {
	f, err := elf.Open(filepath.Join(p.dir, "bin", "nvcc"))
	if err != nil {
		return ""
	}
	defer f.Close()
	for _, prog := range f.Progs {
		if prog.Type != elf.PT_INTERP || prog.Filesz > 4096 {
			continue
		}
		text := make([]byte, prog.Filesz)
		if _, err := prog.ReadAt(text, 0); err != nil {
			return ""
		}
		name := string(text[:max(0, len(text)-1)])
		if _, err := os.Stat(name); err != nil {
			return fmt.Sprintf(": NVIDIA's programs need the GNU C library, and its loader %s is not on this system", name)
		}
	}
	return ""
}
