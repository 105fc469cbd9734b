package signature

import (
	"hash/fnv"
	"strconv"
	"strings"
	"sync"

	"cupel/data"
	"cupel/internal/literal"
)

// derived is data/literals.txt: the literals of the program's own patterns, derived beforehand, by a hash of the
// expression. An expression that is not in it is derived when it is asked for, so a stale file costs time only.
var derived = sync.OnceValue(func() map[uint64][]string {
	text, err := data.Files.ReadFile("literals.txt")
	if err != nil {
		return nil
	}
	out := map[uint64][]string{}
	for line := range strings.SplitSeq(string(text), "\n") {
		fields := strings.Split(line, "\t")
		if key, err := strconv.ParseUint(fields[0], 16, 64); err == nil && len(fields) > 1 {
			out[key] = fields[1:]
		}
	}
	return out
})

// literalsOf are the literals of which one stands in every text that an expression matches.
func literalsOf(expr string) ([]string, bool) {
	if known, ok := derived()[hashOf(expr)]; ok {
		return known, true
	}
	return literal.Derive(expr)
}

func hashOf(expr string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(expr))
	return h.Sum64()
}
