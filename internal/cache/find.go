package cache

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"cupel/internal/closure"
)

// Miss is why the store has no answer. Reason is counted: new, changed, appeared, lost, streams.
type Miss struct {
	Reason string
	Detail string // the file or name
}

func (m Miss) String() string {
	if m.Detail == "" {
		return m.Reason
	}
	return m.Reason + " " + m.Detail
}

// Found is an answer of the store.
type Found struct {
	Result  Result
	Closure closure.Closure // with stamps as they are now, but for what is shared
	Shared  *Shared
}

// Find looks for the result. merged: the caller's streams go to one place.
func (q *Question) Find(merged bool) (*Found, Miss) {
	note, err := q.cache.Store.Note(kindManifest, q.Key)
	if err != nil {
		return nil, Miss{Reason: "new"}
	}
	m, err := takeManifest(note)
	if err != nil {
		return nil, Miss{Reason: "new"}
	}
	var miss Miss
	for i, raw := range m {
		v, err := takeVariant(raw)
		if err != nil {
			continue
		}
		if v.folder && v.made.source != q.source() {
			continue
		}
		now, fresh, why := q.cache.now(q.Call.Dir, v.closure)
		var shared *Shared
		if why == (Miss{}) {
			shared, why = q.cache.sharedNow(v.shared, q.Call.Dir)
		}
		if why != (Miss{}) {
			if miss == (Miss{}) {
				miss = why // the one that was used last is the nearest
			}
			continue
		}
		if !v.result.Fits(merged) {
			return nil, Miss{Reason: "streams"}
		}
		if i > 0 || fresh {
			v.closure = now
			_ = q.cache.Store.SetNote(kindManifest, q.Key, m.first(v, i).append(nil))
		}
		return &Found{Result: v.result, Closure: now, Shared: shared}, Miss{}
	}
	if miss == (Miss{}) {
		miss.Reason = "new"
	}
	return nil, miss
}

// Still is a closure with its stamps as they are now, unless a file changed or a name came.
func (c *Cache) Still(dir string, was closure.Closure) (closure.Closure, Miss) {
	now, _, why := c.now(dir, was)
	return now, why
}

// now is a closure as it is now, when it still holds. fresh: stamps are other than those written, though the contents are
// not.
func (c *Cache) now(dir string, was closure.Closure) (now closure.Closure, fresh bool, why Miss) {
	now = was
	for i := range was.Files {
		f := &was.Files[i]
		path := Whole(dir, f.Path)
		s, err := c.Files.Stamp(path)
		if err == nil && s == f.Known.Stamp && f.Known.Settled {
			continue
		}
		c.Files.Learn(path, f.Known)
		k, err := c.Files.Known(path)
		if err != nil || k.Stamp.Exists() != f.Known.Stamp.Exists() || k.Digest != f.Known.Digest { // a link to nothing stays one
			return now, false, Miss{"changed", f.Path}
		}
		if k == f.Known {
			continue
		}
		if !fresh {
			fresh = true
			now.Files = append([]closure.File(nil), was.Files...)
		}
		now.Files[i].Known = k
	}
	now.Absent, fresh, why = c.absent(dir, was.Absent, fresh)
	return now, fresh, why
}

// absent looks whether a name has come. A folder with the stamp that it had has none.
func (c *Cache) absent(dir string, was []closure.Absent, fresh bool) ([]closure.Absent, bool, Miss) {
	now := was
	copied := false
	for i := range was {
		a := &was[i]
		path := Whole(dir, a.Dir)
		k, err := c.Files.Known(path)
		if err != nil {
			return now, fresh, Miss{"changed", a.Dir}
		}
		if k.Stamp == a.Stamp && a.Settled {
			continue
		}
		if name := c.present(path, a.Names); name != "" {
			return now, fresh, Miss{"appeared", a.Dir + "/" + name}
		}
		if !copied {
			copied = true
			now = append([]closure.Absent(nil), was...)
		}
		now[i].Stamp, now[i].Settled = k.Stamp, k.Settled
	}
	return now, fresh, Miss{}
}

// present is the first of the names that a folder has. A folder is read once, however many ask, and not at all for a few names:
// that a stamp changed is no reason to write a manifest anew, because folders change with every file beside those that count. What
// cannot be looked at counts: a build too many is not wrong.
func (c *Cache) present(dir string, names []string) string {
	look, _ := c.folders.LoadOrStore(dir, &folderLook{})
	return look.(*folderLook).present(dir, names)
}

// Present is the first of the names that a folder has.
func Present(dir string, names []string) string { return new(folderLook).present(dir, names) }

// folderLook is a folder of which names are asked for: how many, and once they are many what is in it.
type folderLook struct {
	asked atomic.Int64
	once  sync.Once
	folder
}

func (l *folderLook) present(dir string, names []string) string {
	if l.asked.Add(int64(len(names))) >= fewNames {
		l.once.Do(func() { l.folder = list(dir) })
		return l.first(dir, names)
	}
	for _, name := range names {
		if stands(dir, name) {
			return name
		}
	}
	return ""
}

// fewNames are looked for one by one: a folder may be large.
const fewNames = 16

// folder is what is in one.
type folder struct {
	names map[string]bool // in small letters
	err   error
}

// Names are those in a folder, in no order.
func Names(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

func list(dir string) folder {
	have, err := Names(dir)
	if errors.Is(err, fs.ErrNotExist) || notFolder(err) {
		return folder{}
	}
	names := make(map[string]bool, len(have))
	for _, name := range have {
		names[strings.ToLower(name)] = true
	}
	return folder{names, err}
}

// first: whether a name in other letters is the same one, its disk knows (Windows, and its disks seen from Linux).
func (f folder) first(dir string, names []string) string {
	for _, name := range names {
		if f.err != nil || f.names[strings.ToLower(name)] && stands(dir, name) {
			return name
		}
	}
	return ""
}

func stands(dir, name string) bool {
	_, err := os.Lstat(dir + string(os.PathSeparator) + name)
	return err == nil || !os.IsNotExist(err) && !notFolder(err)
}

// notFolder: a part of the path is a file, so nothing is below it.
func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
