package nvml

import (
	"strconv"
	"strings"
)

// mappedFile finds the file whose mapping holds an address, in the text of /proc/self/maps. The kernel names
// the file itself there, links resolved, so the driver's version is mostly in the name; "(deleted)" after it
// means that the file was replaced since it was loaded.
func mappedFile(maps string, address uint64) string {
	for line := range strings.Lines(maps) {
		bounds, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !holds(bounds, address) {
			continue
		}
		if slash := strings.IndexByte(rest, '/'); slash >= 0 {
			return rest[slash:]
		}
		return ""
	}
	return ""
}

// holds reads "7f00a000-7f00b000"; the end is outside.
func holds(bounds string, address uint64) bool {
	low, high, _ := strings.Cut(bounds, "-")
	start, err := strconv.ParseUint(low, 16, 64)
	if err != nil {
		return false
	}
	end, err := strconv.ParseUint(high, 16, 64)
	return err == nil && start <= address && address < end
}
