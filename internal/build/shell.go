package build

import (
	"fmt"
	"strings"

	"cupel/internal/nvcc"
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

// shellReads is the character of a name that the recipe of a call with it would be refused for; empty: there is none. It is asked as
// the name of a source: outputs are of kinds that it does not judge.
func shellReads(name string) string {
	at := strings.IndexAny(name, "$`\n")
	if at < 0 { // nearly all
		return ""
	}
	if _, refused := recipe.For(nvcc.Parse([]string{"-c", asFile(name) + ".cu"}), func(string) string { return "" }, false); refused == nil || refused.Reason != "shell-words" {
		return ""
	}
	if name[at] == '\n' {
		return "a line break"
	}
	return name[at : at+1]
}
