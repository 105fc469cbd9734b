//go:build !windows

package child_test

// gap is a matter of Windows: elsewhere a child is in its group from its first moment.
func gap() {}
