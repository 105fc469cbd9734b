package cas

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Variables that say where the store is and how it is used.
const (
	dirVariable   = "CUPEL_CACHE"
	limitVariable = "CUPEL_CACHE_LIMIT" // 20G, 500M, bytes
	linksVariable = "CUPEL_CACHE_LINKS" // 1: hard links
	offVariable   = "CUPEL_NO_CACHE"    // 1: compiler calls do not use the store
)

// Here is the store of this process: below CUPEL_CACHE, else where the system keeps such things (as look.CupelCache has
// it). ok is false where no place is known, or CUPEL_NO_CACHE switches it off.
func Here() (s Store, ok bool) {
	s = Store{Limit: Size(os.Getenv(limitVariable)), Hard: on(linksVariable)}
	dir := os.Getenv(dirVariable)
	if dir == "" {
		dir = usual()
	}
	if dir == "" {
		return s, false
	}
	dir, err := filepath.Abs(dir)
	s.Dir = filepath.Join(dir, "store")
	return s, err == nil && !on(offVariable)
}

func on(variable string) bool {
	v := os.Getenv(variable)
	return v != "" && v != "0"
}

func usual() string {
	if runtime.GOOS == "windows" {
		if local := os.Getenv("LOCALAPPDATA"); filepath.IsAbs(local) {
			return filepath.Join(local, "cupel", "cache")
		}
		return ""
	}
	if xdg := os.Getenv("XDG_CACHE_HOME"); filepath.IsAbs(xdg) {
		return filepath.Join(xdg, "cupel")
	}
	if home := os.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".cache", "cupel")
	}
	return ""
}

// Size reads a size as people write it: 500M, 20G, 1.5T, bytes without a letter; 0 when it is none.
func Size(text string) int64 {
	text = strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "B")
	unit := float64(1)
	if n := len(text); n > 0 {
		if at := strings.IndexByte("KMGT", text[n-1]); at >= 0 {
			text = text[:n-1]
			for range at + 1 {
				unit *= 1 << 10
			}
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v*unit <= 1<<62) { // not a number is neither
		return 0
	}
	return int64(v * unit)
}
