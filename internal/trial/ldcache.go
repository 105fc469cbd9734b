package trial

import (
	"bytes"
	"encoding/binary"
)

// The loader's cache as glibc has written it since 2.32 (sysdeps/generic/dl-cache.h): a header, entries in the
// order the loader searches them, then the texts that entries point at by their offset in the file.
const (
	cacheMagic  = "glibc-ld.so.cache1.1"
	cacheHeader = 48
	cacheEntry  = 24
	cacheLimit  = 16 << 20
)

// cacheFile is where the loader looks.
const cacheFile = "/etc/ld.so.cache"

// cached lists the paths in a loader's cache; none when it is of another kind.
func cached(b []byte) []string {
	var out []string
	for i := range cacheCount(b) {
		if p := cachePath(b, i); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// withoutCached is the cache without the entries that drop says. The texts stay where they are, so no offset
// changes; only fewer entries point at them. False: the cache is of another kind.
func withoutCached(b []byte, drop func(path string) bool) ([]byte, bool) {
	n := cacheCount(b)
	if n == 0 {
		return nil, false
	}
	out := bytes.Clone(b)
	kept := 0
	for i := range n {
		if drop(cachePath(b, i)) {
			continue
		}
		copy(out[cacheHeader+kept*cacheEntry:], b[cacheHeader+i*cacheEntry:cacheHeader+(i+1)*cacheEntry])
		kept++
	}
	clear(out[cacheHeader+kept*cacheEntry : cacheHeader+n*cacheEntry])
	binary.NativeEndian.PutUint32(out[len(cacheMagic):], uint32(kept))
	return out, true
}

func cacheCount(b []byte) int {
	if len(b) < cacheHeader || len(b) > cacheLimit || !bytes.HasPrefix(b, []byte(cacheMagic)) {
		return 0
	}
	n := binary.NativeEndian.Uint32(b[len(cacheMagic):])
	if uint64(n) > uint64(len(b)-cacheHeader)/cacheEntry {
		return 0
	}
	return int(n)
}

// cachePath is the path of entry i: its third number is the offset.
func cachePath(b []byte, i int) string {
	at := binary.NativeEndian.Uint32(b[cacheHeader+i*cacheEntry+8:])
	if uint64(at) >= uint64(len(b)) {
		return ""
	}
	text, _, ok := bytes.Cut(b[at:], []byte{0})
	if !ok {
		return ""
	}
	return string(text)
}
