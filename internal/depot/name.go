package depot

import (
	"fmt"
	"strings"

	"cupel/internal/pattern"
)

// A name becomes a folder on every system: lower case, because two names that differ by case alone are one folder on
// Windows; short, because nvcc.exe is called with paths below it.
var (
	goodName = pattern.New(`^[a-z0-9][a-z0-9._+-]*$`)
	badName  = pattern.New(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$`) // devices of Windows, with any ending
)

const longestName = 80

func checkName(name string) error {
	switch {
	case !goodName.MatchString(name), badName.MatchString(name), strings.HasSuffix(name, "."):
		return fmt.Errorf("%q cannot be the name of a folder here: lower-case letters, digits and . _ + - only", name)
	case len(name) > longestName:
		return fmt.Errorf("%q is too long for the name of a folder: %d letters, at most %d", name, len(name), longestName)
	}
	return nil
}

// The folders that are not visible begin with a dot and one of these words, and end with a random part.
const (
	partNew  = ".new-"  // being filled; with a manifest in it, it was committed
	partOld  = ".old-"  // was visible, and makes room for a new one
	partGone = ".gone-" // was visible, and is being removed
	partLock = ".lock-"
)

var parts = []string{partNew, partOld, partGone}

// leftover tells which name a hidden folder belongs to.
func leftover(entry string) (part, name string, ok bool) {
	for _, p := range parts {
		rest, is := strings.CutPrefix(entry, p)
		i := strings.LastIndexByte(rest, '-')
		if is && i > 0 && checkName(rest[:i]) == nil {
			return p, rest[:i], true
		}
	}
	return "", "", false
}
