//go:build linux

package testbed

import (
	"bytes"
	"debug/elf"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestToolkitsCompile: every toolkit of the test bed makes PTX and an object with its host compiler.
func TestToolkitsCompile(t *testing.T) {
	for _, tt := range []struct{ part, cxx string }{
		{"cuda-11.8", "g++-11"}, {"cuda-12.4", "g++-12"}, {"cuda-13.0", "g++-12"}, {"cuda-13.1", "g++-12"},
		{"cuda-13.2", "g++-12"}, {"cuda-13.3", "g++-12"}, {"cuda-13.4", "g++-12"},
	} {
		t.Run(tt.part, func(t *testing.T) {
			nvcc := filepath.Join(Toolkit(t, tt.part), "bin", "nvcc")
			dir := t.TempDir()
			write(t, filepath.Join(dir, "k.cu"), kernel)
			for _, args := range [][]string{{"-ptx", "-o", "k.ptx"}, {"-c", "-o", "k.o"}} {
				cmd := exec.CommandContext(limit(t), nvcc, append(args, "-ccbin", tt.cxx, "-arch=sm_80", "k.cu")...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", cmd, err, out)
				}
			}
			if ptx := read(t, filepath.Join(dir, "k.ptx")); !bytes.Contains(ptx, []byte(".target sm_80")) {
				t.Errorf("k.ptx has no .target sm_80:\n%s", ptx)
			}
			if _, err := elf.NewFile(bytes.NewReader(read(t, filepath.Join(dir, "k.o")))); err != nil {
				t.Errorf("k.o is no ELF object: %v", err)
			}
		})
	}
}
