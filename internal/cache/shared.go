package cache

import (
	"path/filepath"
	"strings"

	"cupel/internal/closure"
	"cupel/internal/digest"
)

// kindClosure is the kind of the notes that hold what many calls read alike.
const kindClosure = "closure"

// Shared is the part of a closure that many calls have alike: the headers of the toolkit and the system, and the names that
// are not there. A manifest names it by what it says, so that a build reads and compares it once for all of its calls.
type Shared struct {
	closure.Closure
	id digest.Digest
}

// split takes the part apart that other calls with the same tools may have too.
func (q *Question) split(c closure.Closure) (own closure.Closure, shared Shared) {
	for _, f := range c.Files {
		if q.common(f.Path) {
			shared.Files = append(shared.Files, f)
		} else {
			own.Files = append(own.Files, f)
		}
	}
	shared.Absent = c.Absent
	shared.id = identity(shared.Closure)
	return own, shared
}

// common: a file below a folder that every call looks into.
func (q *Question) common(path string) bool {
	for _, dir := range q.Tools.Includes {
		if rest, ok := strings.CutPrefix(path, dir); ok && rest != "" && (rest[0] == '/' || rest[0] == filepath.Separator) {
			return true
		}
	}
	return false
}

// keepShared writes the part down unless it is there.
func (c *Cache) keepShared(s Shared) error {
	if _, err := c.Store.Note(kindClosure, s.id); err == nil {
		return nil
	}
	return c.Store.SetNote(kindClosure, s.id, s.Append(nil))
}

// sharedNow is the part as it is now, looked at once in a process for each folder that calls are made in.
func (c *Cache) sharedNow(id digest.Digest, dir string) (*Shared, Miss) {
	entry, _ := c.shared.LoadOrStore(sharedIn{id, dir}, &sharedLook{})
	look := entry.(*sharedLook)
	look.once.Do(func() { look.shared, look.miss = c.lookShared(id, dir) })
	return look.shared, look.miss
}

func (c *Cache) lookShared(id digest.Digest, dir string) (*Shared, Miss) {
	note, err := c.Store.Note(kindClosure, id)
	if err != nil {
		return nil, Miss{Reason: "lost"}
	}
	was, rest, err := closure.Take(string(note)) // that it is the one of this id, the note's sum has told
	if err != nil || rest != "" {
		return nil, Miss{Reason: "lost"}
	}
	now, fresh, miss := c.now(dir, was)
	if miss != (Miss{}) {
		return nil, miss
	}
	s := &Shared{now, id}
	if fresh {
		_ = c.Store.SetNote(kindClosure, id, s.Append(nil))
	}
	return s, Miss{}
}

// identity is what a closure says, whatever its stamps.
func identity(c closure.Closure) digest.Digest {
	h := digest.NewHash()
	c.Walk(h)
	for _, a := range c.Absent {
		h.Field("absent "+a.Dir, a.Names...)
	}
	return h.Sum()
}
