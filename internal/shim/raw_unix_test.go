//go:build !windows

package shim_test

// rawArgs: there is no command line besides the arguments here.
func rawArgs() string { return "" }
