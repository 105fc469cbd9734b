// Package nvcc knows nvcc's command line: its options in every tested release, which of them take values, what a call
// reads and writes. It reads no file; the shim uses it, so it leans on little. What it knows was tried with the real
// programs: the tests hold it against them.
package nvcc

// Invocation is a call of nvcc, read.
type Invocation struct {
	Args    []string
	Given   []Given
	Inputs  []string // source, object and library files, in order
	Unknown []string // options that no tested release has
}

// Given is one option as it was given.
type Given struct {
	Name   string // its long name without dashes: gpu-architecture
	Values []string
	At, N  int // where it stands in Args: N words from At on
}
