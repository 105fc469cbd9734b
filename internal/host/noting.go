package host

import (
	"context"
	"maps"
	"slices"
	"sync"

	"cupel/internal/pattern"
)

// Noting asks another host and notes every path that was asked for: what an answer was made from.
type Noting struct {
	Host
	mu       sync.Mutex
	paths    map[string]bool // true: its content or its entries were read, false: only what it is was asked
	listed   map[string]listing
	registry bool
}

// Note notes what is asked of a host.
func Note(h Host) *Noting {
	return &Noting{Host: h, paths: map[string]bool{}, listed: map[string]listing{}}
}

// List gives the names in a folder; every later question for them is answered from that.
func (n *Noting) List(dir string) ([]string, error) {
	names, err := n.Host.Names(dir, anyName)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listed[dir] = listing{names, err}
	return names, err
}

type listing struct {
	names []string
	err   error
}

var anyName = pattern.New(`(?s).`)

// Paths are those that were asked for, sorted; of those in seen only what they are was asked, and nothing read.
func (n *Noting) Paths() (read, seen []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(n.paths)) {
		if n.paths[path] {
			read = append(read, path)
		} else {
			seen = append(seen, path)
		}
	}
	return read, seen
}

// Registry says whether the registry was asked, which has no paths.
func (n *Noting) Registry() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.registry
}

func (n *Noting) note(path string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paths[path] = true
	return path
}

func (n *Noting) see(path string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paths[path] = n.paths[path]
	return path
}

func (n *Noting) Stat(path string) (Info, error)                     { return n.Host.Stat(n.see(path)) }
func (n *Noting) Lstat(path string) (Info, error)                    { return n.Host.Lstat(n.see(path)) }
func (n *Noting) Readlink(path string) (string, error)               { return n.Host.Readlink(n.note(path)) }
func (n *Noting) ReadFile(path string) ([]byte, error)               { return n.Host.ReadFile(n.note(path)) }
func (n *Noting) Open(path string) (Bytes, error)                    { return n.Host.Open(n.note(path)) }
func (n *Noting) Run(ctx context.Context, c Command) (Result, error) { return n.Host.Run(ctx, c) }

// Resolve notes a path that leads elsewhere: what lies there is asked for by its own name, and the link may come to lead to
// another folder.
func (n *Noting) Resolve(path string) (string, error) {
	real, err := n.Host.Resolve(n.see(path))
	if err == nil && real != path {
		n.note(path)
	}
	return real, err
}

func (n *Noting) Names(dir string, keep *pattern.Pattern) ([]string, error) {
	n.note(dir)
	n.mu.Lock()
	was, ok := n.listed[dir]
	n.mu.Unlock()
	if ok {
		return matching(was.names, keep), was.err
	}
	return n.Host.Names(dir, keep)
}

func (n *Noting) Lines(path string, keep *pattern.Pattern) ([]string, error) {
	return n.Host.Lines(n.note(path), keep)
}

func (n *Noting) Search(path string, want *pattern.Pattern) (string, error) {
	return n.Host.Search(n.note(path), want)
}

func (n *Noting) RegistryValues(key string) (map[string]string, error) {
	n.asked()
	return n.Host.RegistryValues(key)
}

func (n *Noting) RegistryKeys(key string) ([]string, error) {
	n.asked()
	return n.Host.RegistryKeys(key)
}

func (n *Noting) asked() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.registry = true
}
