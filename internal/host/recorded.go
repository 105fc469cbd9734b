package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"strings"

	"cupel/internal/ospath"
	"cupel/internal/pattern"
)

// Recorded is a machine read from an archive. It answers from memory only.
type Recorded struct {
	system   System
	style    ospath.Style
	env      []string
	tree     map[string]*node // by style.Key
	runs     map[string]Result
	registry map[string]*regKey // by lower-case key
}

type nodeKind byte

const (
	plainFile nodeKind = iota
	folder
	link
	device
	denied // there, of a kind that was not told
	unseen // it could not even be looked at
)

type node struct {
	path   string
	kind   nodeKind
	exec   bool
	size   int64
	sized  bool     // the size was told; else nothing is known of it
	target string   // of a link
	parts  []part   // ascending; a whole file is one part at 0
	texts  []string // strings found in a binary
	err    error    // why it cannot be read, listed or looked at
}

// refusal is an error of the recorded machine, in its words.
type refusal string

func (e refusal) Error() string { return string(e) }

// Is knows the one refusal that callers tell apart: "permission denied", on Windows "Access is denied."
func (e refusal) Is(target error) bool {
	return target == fs.ErrPermission && strings.Contains(strings.ToLower(string(e)), "denied")
}

type part struct {
	at   int64
	data []byte
}

type regKey struct {
	name   string
	values map[string]string
	err    error
}

func (r *Recorded) System() System    { return r.system }
func (r *Recorded) Environ() []string { return r.env }
func (r *Recorded) Processes() int    { return 0 }

// find looks path up. Links are followed when follow is set, in the folders above it always.
func (r *Recorded) find(path string, follow bool) (*node, string, error) {
	p := r.style.Clean(path)
	for range 40 {
		next, at := r.firstLink(p, follow)
		if at == nil {
			n, err := r.at(p)
			if err != nil {
				return nil, p, &fs.PathError{Op: "stat", Path: path, Err: err}
			}
			return n, p, nil
		}
		p = next
	}
	return nil, p, &fs.PathError{Op: "open", Path: path, Err: errLoop}
}

// errLoop has the text of Unix.
var errLoop = errors.New("too many levels of symbolic links")

// at is the entry at a path without links. Below what could not be looked at nothing is known.
func (r *Recorded) at(p string) (*node, error) {
	n := r.tree[r.style.Key(p)]
	if n != nil && n.kind != unseen {
		return n, nil
	}
	for _, prefix := range r.prefixes(p) {
		if above := r.tree[r.style.Key(prefix)]; above != nil && above.kind == unseen {
			return nil, above.err
		}
	}
	return nil, fs.ErrNotExist
}

// firstLink replaces the first link met on the way down p by its target.
func (r *Recorded) firstLink(p string, follow bool) (string, *node) {
	for _, prefix := range r.prefixes(p) {
		n, ok := r.tree[r.style.Key(prefix)]
		if !ok || n.kind != link || (!follow && r.style.Same(prefix, p)) {
			continue
		}
		target := n.target
		if !r.style.Abs(target) {
			target = r.style.Join(r.style.Dir(prefix), target)
		}
		return r.style.Join(target, p[len(prefix):]), n
	}
	return p, nil
}

func (r *Recorded) prefixes(p string) []string {
	var out []string
	for {
		out = append(out, p)
		dir := r.style.Dir(p)
		if dir == p || dir == "." || dir == "" {
			break
		}
		p = dir
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func (r *Recorded) Stat(path string) (Info, error)  { return r.info(path, true) }
func (r *Recorded) Lstat(path string) (Info, error) { return r.info(path, false) }

func (r *Recorded) info(path string, follow bool) (Info, error) {
	n, p, err := r.find(path, follow)
	if err != nil {
		return Info{}, err
	}
	size := n.size
	if n.kind == plainFile && !n.sized && size == 0 {
		size = 1 // a file that is there is not empty unless the recording says so
	}
	return Info{
		Name: r.style.Base(p), Size: size, Dir: n.kind == folder,
		Link: n.kind == link, Node: n.kind == device,
		Exec: n.exec || (r.style.Windows() && isWindowsProgram(n.path)),
	}, nil
}

func (r *Recorded) Readlink(path string) (string, error) {
	n, _, err := r.find(path, false)
	if err != nil {
		return "", err
	}
	if n.kind != link {
		return "", &fs.PathError{Op: "readlink", Path: path, Err: fs.ErrInvalid}
	}
	return n.target, nil
}

func (r *Recorded) Resolve(path string) (string, error) {
	n, _, err := r.find(path, true)
	if err != nil {
		return "", err
	}
	return n.path, nil
}

func (r *Recorded) Names(dir string, keep *pattern.Pattern) ([]string, error) {
	n, p, err := r.readable(dir)
	if err != nil {
		return nil, err
	}
	if n.kind != folder {
		return nil, &fs.PathError{Op: "readdir", Path: dir, Err: fmt.Errorf("not a directory")}
	}
	var names []string
	for _, child := range r.tree {
		if r.style.Same(r.style.Dir(child.path), p) && !r.style.Same(child.path, p) {
			names = append(names, r.style.Base(child.path))
		}
	}
	sort.Strings(names)
	return matching(names, keep), nil
}

func (r *Recorded) readable(path string) (*node, string, error) {
	n, p, err := r.find(path, true)
	if err != nil {
		return nil, p, err
	}
	if n.err != nil {
		return nil, p, &fs.PathError{Op: "open", Path: path, Err: n.err}
	}
	return n, p, nil
}

func (r *Recorded) ReadFile(path string) ([]byte, error) {
	b, err := r.Open(path)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if b.Size() > MaxFile {
		return nil, fmt.Errorf("read %s: larger than %d MiB", path, MaxFile>>20)
	}
	out := make([]byte, b.Size())
	if _, err := b.ReadAt(out, 0); err != nil && err != io.EOF {
		return nil, err
	}
	return out, nil
}

func (r *Recorded) Lines(path string, keep *pattern.Pattern) ([]string, error) {
	b, err := r.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return keepLines(b, keep), nil
}

func (r *Recorded) Search(path string, want *pattern.Pattern) (string, error) {
	n, _, err := r.readable(path)
	if err != nil {
		return "", err
	}
	if n.texts == nil && len(n.parts) > 0 {
		b, err := r.Open(path)
		if err != nil {
			return "", err
		}
		return searchStrings(b, want)
	}
	for _, text := range n.texts {
		if found := want.FindString(text); found != "" {
			return found, nil
		}
	}
	return "", nil
}

func (r *Recorded) Open(path string) (Bytes, error) {
	n, _, err := r.readable(path)
	if err != nil {
		return nil, err
	}
	if n.kind != plainFile {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	return &sparse{n}, nil
}

// sparse is a file of which only parts were recorded; the rest reads as zeros, as a hole does.
type sparse struct{ n *node }

func (s *sparse) Size() int64  { return s.n.size }
func (s *sparse) Close() error { return nil }

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= s.n.size {
		return 0, io.EOF
	}
	short := int64(len(p)) > s.n.size-off
	if short {
		p = p[:s.n.size-off]
	}
	clear(p)
	for _, part := range s.n.parts {
		from, to := max(part.at, off), min(part.at+int64(len(part.data)), off+int64(len(p)))
		if from < to {
			copy(p[from-off:to-off], part.data[from-part.at:])
		}
	}
	if short {
		return len(p), io.EOF
	}
	return len(p), nil
}

func (r *Recorded) Run(ctx context.Context, c Command) (Result, error) {
	res, ok := r.runs[runKey(c)]
	if !ok {
		// The helper lies beside whichever cupel made the recording: its name is enough.
		c.Path = strings.TrimSuffix(r.style.Base(c.Path), ".exe")
		res, ok = r.runs[runKey(c)]
	}
	if !ok {
		return Result{Code: -1}, fmt.Errorf("run %s: %w", c.Path, ErrNotRecorded)
	}
	if res.TimedOut {
		return res, fmt.Errorf("run %s: no answer within %v", c.Path, c.Timeout)
	}
	return res, nil
}

func runKey(c Command) string { return strings.Join(append([]string{c.Path}, c.Args...), " ") }

func (r *Recorded) RegistryValues(key string) (map[string]string, error) {
	if !r.style.Windows() {
		return nil, ErrNoRegistry
	}
	k, ok := r.registry[strings.ToLower(key)]
	if !ok {
		return nil, &fs.PathError{Op: "registry", Path: key, Err: fs.ErrNotExist}
	}
	if k.err != nil {
		return nil, &fs.PathError{Op: "registry", Path: key, Err: k.err}
	}
	return k.values, nil
}

func (r *Recorded) RegistryKeys(key string) ([]string, error) {
	if !r.style.Windows() {
		return nil, ErrNoRegistry
	}
	prefix := strings.ToLower(key) + `\`
	seen := map[string]bool{}
	var out []string
	for lower, k := range r.registry {
		if !strings.HasPrefix(lower, prefix) {
			continue
		}
		name, _, _ := strings.Cut(k.name[len(prefix):], `\`)
		if !seen[strings.ToLower(name)] {
			seen[strings.ToLower(name)] = true
			out = append(out, name)
		}
	}
	k := r.registry[strings.ToLower(key)]
	if out == nil && k != nil && k.err != nil {
		return nil, &fs.PathError{Op: "registry", Path: key, Err: k.err}
	}
	if out == nil && k == nil {
		return nil, &fs.PathError{Op: "registry", Path: key, Err: fs.ErrNotExist}
	}
	sort.Strings(out)
	return out, nil
}
