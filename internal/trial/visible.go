package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// many is how many entries of one folder are named one by one.
const many = 8

// summary names paths one by one, but folders of which much is hidden only once.
func summary(paths []string) []string {
	count := map[string]int{}
	for _, p := range paths {
		count[filepath.Dir(p)]++
	}
	var out []string
	for _, p := range paths {
		dir := filepath.Dir(p)
		if n := count[dir]; n > many {
			p = fmt.Sprintf("%s (%d of its entries)", dir, n)
		}
		out = append(out, p)
	}
	return unique(out)
}

// stillVisible is what an environment alone cannot hide: whoever names the path, or looks where the system's
// loader looks, finds it.
func stillVisible(h Hide) []string {
	var out []string
	for _, p := range slices.Concat(h.Libraries, h.Roots, h.Programs, h.Headers, h.Devices) {
		if _, err := os.Stat(p); err == nil {
			out = append(out, p)
		}
	}
	return summary(unique(out))
}
