//go:build !linux

package trial

func startPlanted() {}
