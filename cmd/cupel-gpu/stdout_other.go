//go:build !linux && !windows

package main

import "os"

// setStdoutAside has nothing to guard against where no library is loaded.
func setStdoutAside() (*os.File, error) { return os.Stdout, nil }
