//go:build !windows

package mirror

func shortName(string) (string, bool) { return "", false }
