package signature

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// together calls f with 0 to n-1 on all processors: reading the signatures is most of the start of an explanation.
func together(n int, f func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	all.Wait()
}
