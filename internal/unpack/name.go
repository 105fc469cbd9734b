package unpack

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest names that the usual file systems hold.
const (
	longestPart = 255
	longestName = 4096
)

// devices are names that Windows takes for itself, in every folder and with every ending.
var devices = []string{"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}

// clean is an entry's name without the "./" that tars like; why says what is wrong with it.
func clean(name string) (cleaned, why string) {
	name = undotted(name)
	if why := oddName(name); why != "" {
		return "", why
	}
	return path.Clean(name), ""
}

// oddName is what makes a name unfit for any folder; "" is fine.
func oddName(name string) string {
	switch why := hostileName(name); {
	case why != "":
		return why
	case name == "":
		return "has no name"
	case len(name) > longestName, slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return len(part) > longestPart }):
		return "has a name too long for a file"
	case !utf8.ValidString(name):
		return "has a name that is not UTF-8"
	}
	return ""
}

// hostileName is what makes a name one that leads elsewhere; "" is fine. No honest archive holds one, not even for a file
// that nobody wants. Backslashes and drive letters mean nothing on Unix, but a name that holds one was made for a reader
// that follows it.
func hostileName(name string) string {
	switch {
	case strings.ContainsFunc(name, unicode.IsControl):
		return "has a control character in its name"
	case strings.Contains(name, `\`):
		return "has a backslash in its name"
	case strings.HasPrefix(name, "/"), len(name) > 1 && name[1] == ':':
		return "has an absolute path"
	case slices.Contains(strings.Split(name, "/"), ".."):
		return "climbs out of its folder with .."
	}
	return ""
}

// folderName looks at the name of a folder's own entry. Folders are made for files alone, so that is all it is for.
func folderName(name string) error {
	if why := hostileName(undotted(name)); why != "" {
		return Refused{Entry: name, Why: why}
	}
	return nil
}

// undotted is a name without the "./" that tars like.
func undotted(name string) string {
	for strings.HasPrefix(name, "./") {
		name = name[2:]
	}
	return name
}

// oddOnWindows is what makes a name unfit for Windows.
func oddOnWindows(name string) string {
	for part := range strings.SplitSeq(name, "/") {
		if strings.ContainsAny(part, `<>:"|?*`) {
			return "has a character in its name that Windows does not allow"
		}
		if part != "." && strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return "has a name that ends in a dot or a blank, which Windows drops"
		}
		if isDevice(part) {
			return "has the name of a Windows device"
		}
	}
	return ""
}

func isDevice(part string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(part), ".")
	stem = strings.TrimRight(stem, " ")
	if slices.Contains(devices, stem) {
		return true
	}
	port, ok := strings.CutPrefix(stem, "com")
	if !ok {
		port, ok = strings.CutPrefix(stem, "lpt")
	}
	return ok && utf8.RuneCountInString(port) == 1 && strings.ContainsAny(port, "0123456789¹²³")
}
