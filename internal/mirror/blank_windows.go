package mirror

import "golang.org/x/sys/windows"

// shortName is the name of a folder in the old form. A volume may be set to have none: then it is the long one.
func shortName(dir string) (string, bool) {
	from, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return "", false
	}
	name := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetShortPathName(from, &name[0], uint32(len(name)))
	if err != nil || n == 0 || int(n) > len(name) {
		return "", false
	}
	return windows.UTF16ToString(name[:n]), true
}
