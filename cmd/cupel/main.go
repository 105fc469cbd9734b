// Command cupel tells what CUDA is on a machine, what is wrong with it, and what to type next.
package main

import (
	"os"

	"cupel/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
