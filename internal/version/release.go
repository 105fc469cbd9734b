package version

import (
	"fmt"
	"strconv"
	"strings"
)

// Spellings names the accepted forms of a CUDA release, for error texts and help pages.
const Spellings = "12.4, 12.4.1, 124, 12040, v12.4, cu124, cuda-12.4 or 12"

// ParseRelease reads every spelling of a CUDA release that users and tools write. A third part may be an
// update (12.4.1) or nvcc's build (V12.4.131): the tables tell them apart. 12.7 parses here although it was
// never released; that too is for the tables.
func ParseRelease(s string) (V, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	for _, word := range []string{"cuda", "cu", "release"} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			text = strings.TrimLeft(rest, "-_ ")
			break
		}
	}
	v, ok := releaseNumber(strings.TrimPrefix(text, "v"))
	if !ok {
		return V{}, fmt.Errorf("%q is not a CUDA release: write it as %s", s, Spellings)
	}
	return v, nil
}

// releaseNumber reads a dotted number (12-4 and 12_4 stand in package and variable names) or bare digits.
func releaseNumber(text string) (V, bool) {
	text = strings.NewReplacer("-", ".", "_", ".").Replace(text)
	if !strings.Contains(text, ".") {
		return bareRelease(text)
	}
	v, err := Parse(text)
	return v, err == nil && v.n <= 3 && v.part[0] > 0
}

// bareRelease reads digits without a dot by their count, as each tool that writes them does: a major (12),
// a wheel tag (124), CUDART_VERSION (12040, or 9020 of old).
func bareRelease(text string) (V, bool) {
	n, err := strconv.Atoi(text)
	if err != nil || text[0] < '1' || text[0] > '9' {
		return V{}, false
	}
	switch len(text) {
	case 1, 2:
		return Of(n), true
	case 3:
		return Of(n/10, n%10), true
	case 4, 5:
		return Of(n/1000, n%1000/10), n%10 == 0 && n%1000 < 100
	}
	return V{}, false
}
