// Program cupel-nvcc stands in the place of nvcc (and, when asked, of other tools) in a build under cupel exec: it passes
// the call through and writes it down.
package main

import (
	"os"

	"cupel/internal/shim"
)

func main() { os.Exit(shim.Main(os.Args)) }
