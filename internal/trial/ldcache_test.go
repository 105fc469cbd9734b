package trial

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cacheOf makes a loader's cache that holds paths.
func cacheOf(paths ...string) []byte {
	b := make([]byte, cacheHeader+len(paths)*cacheEntry)
	copy(b, cacheMagic)
	binary.NativeEndian.PutUint32(b[20:], uint32(len(paths)))
	for i, p := range paths {
		binary.NativeEndian.PutUint32(b[cacheHeader+i*cacheEntry+8:], uint32(len(b)))
		b = append(append(b, p...), 0)
	}
	return b
}

func TestCache(t *testing.T) {
	b := cacheOf("/lib/libc.so.6", "/lib/libcuda.so.1", "/lib/libz.so.1")
	if got := cached(b); !cmp.Equal(got, []string{"/lib/libc.so.6", "/lib/libcuda.so.1", "/lib/libz.so.1"}) {
		t.Errorf("cached = %q", got)
	}
	clean, ok := withoutCached(b, func(p string) bool { return strings.Contains(p, "cuda") })
	if got := cached(clean); !ok || !cmp.Equal(got, []string{"/lib/libc.so.6", "/lib/libz.so.1"}) || len(clean) != len(b) {
		t.Errorf("without libcuda: %q, %v", got, ok)
	}
	if _, ok := withoutCached([]byte("ld.so-1.7.0"), nil); ok {
		t.Error("an old cache was taken for a new one")
	}
}

// FuzzCache: whatever stands in the cache, the reader neither crashes nor invents entries.
func FuzzCache(f *testing.F) {
	f.Add(cacheOf("/lib/libc.so.6", "/lib/libcuda.so.1"))
	f.Add([]byte(cacheMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		clean, ok := withoutCached(b, func(p string) bool { return strings.Contains(p, "cuda") })
		if !ok {
			return
		}
		for _, p := range cached(clean) {
			if strings.Contains(p, "cuda") && cacheCount(b) == cacheCount(clean) {
				t.Errorf("%q stayed", p)
			}
		}
	})
}
