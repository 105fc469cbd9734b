package closure

import (
	"path/filepath"
	"slices"
	"time"
)

// Entered are the files that the preprocessed files in a folder name, where there are some; none of the folder's own.
func Entered(keep string) []string {
	k, _, _ := readKept(keep, time.Now())
	return slices.DeleteFunc(k.entered, func(name string) bool {
		_, own := below(filepath.Clean(name), filepath.Clean(keep))
		return own
	})
}
