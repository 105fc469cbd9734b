// Command cupel tells what CUDA is on a machine, what is wrong with it, and what to type next.
package main

import (
	"os"

	"cupel/internal/cli"
	"cupel/internal/tree"
	"cupel/internal/trial"
)

func main() {
	// A config that must not see CUDA is run by a copy of this program in a namespace of its own; a copy watches over the
	// command of cupel exec.
	if trial.Child(os.Args[1:]) || tree.Child(os.Args[1:]) {
		return
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
