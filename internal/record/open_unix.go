//go:build unix

package record

// heldOpen: an open file is in nobody's way here.
func heldOpen(error) bool { return false }
