package unpack

import (
	"context"
	"path/filepath"
	"sync"
)

// turns make archives that are unpacked into one root at the same time take turns where they hold the same file: the
// second compares its bytes with a whole file, not with one that is still being written. Other processes are kept away
// by who owns the root (a depot holds a lock on it).
type turns struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // a place → closed when it is free
}

// writing belongs to the disk, not to a call: two calls of Unpack share nothing else.
var writing = turns{busy: map[string]chan struct{}{}}

// take waits for a place; release gives it back.
func (t *turns) take(ctx context.Context, place string) (release func(), err error) {
	for {
		t.mu.Lock()
		other, taken := t.busy[place]
		if !taken {
			mine := make(chan struct{})
			t.busy[place] = mine
			t.mu.Unlock()
			return func() { t.give(place, mine) }, nil
		}
		t.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, stopped{context.Cause(ctx)}
		}
	}
}

func (t *turns) give(place string, mine chan struct{}) {
	t.mu.Lock()
	delete(t.busy, place)
	t.mu.Unlock()
	close(mine)
}

// identity is a root by its one true name, so that two spellings of it are one.
func identity(root string) (string, error) {
	whole, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(whole)
}
