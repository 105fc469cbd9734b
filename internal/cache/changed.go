package cache

import (
	"os"

	"cupel/internal/digest"
	"cupel/internal/stamp"
	"cupel/internal/toolchain"
)

// changed is a file that the key was made of and that is another one by now: nvcc may have read that. The key is made before a
// call waits for its turn, and nvcc opens its programs and response files by itself.
func (q *Question) changed() string {
	for _, w := range q.Words {
		if now, err := stamp.Of(q.place(w.Path)); err != nil || now != w.Known.Stamp || !w.Known.Settled && !q.says(w.Path, w.Known.Digest) {
			return w.Path
		}
	}
	return q.cache.Changed(q.Call.Dir, q.Tools)
}

// says: the text is the same still. Builders write response files just before a call, so that their times tell little.
func (q *Question) says(path string, d digest.Digest) bool {
	text, err := os.ReadFile(q.place(path))
	return err == nil && digest.Of(text) == d
}

// Changed is a program or file of the tools that is no longer the one whose content is known; more are other programs. Empty:
// all are as they were.
func (c *Cache) Changed(dir string, t toolchain.Tools, more ...string) string {
	for _, f := range t.Files {
		more = append(more, Whole(dir, f.Path))
	}
	for _, path := range more {
		k, err := c.Files.Known(path)
		if now, nowErr := stamp.Of(path); err != nil || nowErr != nil || now != k.Stamp {
			return path
		}
	}
	return ""
}
