package build

import (
	"fmt"

	"cupel/internal/recipe"
)

// literally refuses files whose names the shell would change that nvcc calls: a file $(x).cu would run x. cmd of Windows knows
// variables between two % alone, and leaves a name with one of them as it is.
func (p *planner) literally(source, out string) error {
	if p.style.Windows() {
		return nil
	}
	if char := shellReads(source); char != "" {
		return fmt.Errorf("%s has %s in its name, which means something to the shell that nvcc calls: rename it", source, char)
	}
	if char := shellReads(out); char != "" {
		return fmt.Errorf("%s would be made, and %s in its name means something to the shell that nvcc calls: choose another folder with --out, or another name for the kernel", out, char)
	}
	return nil
}

// shellReads is the character in words.
func shellReads(name string) string {
	if char := recipe.ShellReads(name, false); char != "\n" {
		return char
	}
	return "a line break"
}
