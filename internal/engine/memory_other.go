//go:build !linux && !windows

package engine

func freeMemory() int64 { return 0 }
