package stub

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// The dynamic symbols' hash tables. The loader of a distribution may know either one, so the file has both. Symbol 0 is
// the empty one, ours start at 1.

// gnu is DT_GNU_HASH's function.
func gnu(name string) uint32 {
	h := uint32(5381)
	for i := range len(name) {
		h = h*33 + uint32(name[i])
	}
	return h
}

// sysv is DT_HASH's function.
func sysv(name string) uint32 {
	var h uint32
	for i := range len(name) {
		h = h<<4 + uint32(name[i])
		high := h & 0xf0000000
		h = (h ^ high>>24) &^ high
	}
	return h
}

// buckets is how many lists the symbols are spread over.
func buckets(n int) uint32 { return uint32(n/2 | 1) }

// inHashOrder sorts symbols as DT_GNU_HASH wants them: those of one bucket lie together.
func inHashOrder(symbols []string) []string {
	out := slices.Clone(symbols)
	n := buckets(len(out))
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(gnu(a)%n, gnu(b)%n), cmp.Compare(a, b))
	})
	return out
}

// gnuHash is the section .gnu.hash for symbols in hash order.
func gnuHash(symbols []string) []byte {
	const shift = 26 // the second bit of the filter comes from the topmost six
	n := buckets(len(symbols))
	filter := make([]uint64, 1<<bits.Len(uint(len(symbols)/8)))
	first, chain := make([]uint32, n), make([]uint32, len(symbols))
	for i, s := range symbols {
		h := gnu(s)
		filter[h/64%uint32(len(filter))] |= 1<<(h%64) | 1<<(h>>shift%64)
		if first[h%n] == 0 {
			first[h%n] = uint32(i + 1)
		}
		chain[i] = h &^ 1
		if i+1 == len(symbols) || gnu(symbols[i+1])%n != h%n {
			chain[i] |= 1 // the last of its bucket
		}
	}
	return concat([]uint32{n, 1, uint32(len(filter)), shift}, filter, first, chain)
}

// sysvHash is the section .hash for symbols in any order.
func sysvHash(symbols []string) []byte {
	n := buckets(len(symbols))
	first, next := make([]uint32, n), make([]uint32, len(symbols)+1)
	for i, s := range symbols {
		b := sysv(s) % n
		next[i+1], first[b] = first[b], uint32(i+1)
	}
	return concat([]uint32{n, uint32(len(next))}, first, next)
}

// concat writes values one after the other, as the machines here have them in memory.
func concat(values ...any) []byte {
	var out []byte
	for _, v := range values {
		out, _ = binary.Append(out, binary.LittleEndian, v) // fixed-size values only: it cannot go wrong
	}
	return out
}
