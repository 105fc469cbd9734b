package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"

	"cupel/internal/ospath"
	"cupel/internal/pattern"
)

// Recorder is a host that writes down every answer another host gives, so that the same questions can be
// asked again later, on another machine.
type Recorder struct {
	Host
	keepEnv func(name string) bool
	style   ospath.Style

	mu       sync.Mutex
	tree     map[string]string          // path → tree line
	files    map[string][]byte          // whole files
	lines    map[string]map[string]bool // file → kept lines
	order    map[string][]string
	parts    map[string]map[int64][]byte
	texts    map[string][]string
	runs     map[string]Result
	registry map[string]map[string]string
	refused  map[string]string // registry key → why it could not be read
}

// Record wraps h. keepEnv decides which variables go into the recording: a secret must not.
func Record(h Host, keepEnv func(name string) bool) *Recorder {
	return &Recorder{
		Host: h, keepEnv: keepEnv, style: h.System().Paths(),
		tree: map[string]string{}, files: map[string][]byte{}, lines: map[string]map[string]bool{},
		order: map[string][]string{}, parts: map[string]map[int64][]byte{}, texts: map[string][]string{}, runs: map[string]Result{},
		registry: map[string]map[string]string{}, refused: map[string]string{},
	}
}

// seen writes path into the tree, with every folder and link on the way to it. Each entry is written under its
// real folder, where a reader that follows the links will look for it.
func (r *Recorder) seen(path string) {
	path = r.style.Clean(path)
	if !r.style.Abs(path) {
		return
	}
	r.seenAt(path, 0)
}

func (r *Recorder) seenAt(path string, depth int) {
	parent := r.style.Dir(path)
	if parent == path || depth > 40 {
		return
	}
	r.seenAt(parent, depth+1)
	if real, err := r.Host.Resolve(parent); err == nil {
		path = r.style.Join(real, r.style.Base(path))
		if !r.style.Same(real, parent) {
			r.seenAt(real, depth+1)
		}
	}
	if r.note(path) {
		target, err := r.Host.Readlink(path)
		if err != nil {
			return
		}
		if !r.style.Abs(target) {
			target = r.style.Join(r.style.Dir(path), target)
		}
		r.seenAt(target, depth+1)
	}
}

// note writes one entry and says whether it is a link that was not there before.
func (r *Recorder) note(path string) (link bool) {
	r.mu.Lock()
	_, done := r.tree[path]
	r.mu.Unlock()
	if done {
		return false
	}
	line, link := r.describe(path)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tree[path] = line
	return link
}

func (r *Recorder) describe(path string) (line string, link bool) {
	info, err := r.Host.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false
	case err != nil:
		// Its kind is not known: this is not "not there".
		return path + " ? ! " + reason(err), false
	case info.Link:
		target, err := r.Host.Readlink(path)
		if err != nil {
			return "", false
		}
		return path + " -> " + target, true
	case info.Dir:
		return path + " d", false
	case info.Node:
		return path + " c", false
	case info.Exec:
		return fmt.Sprintf("%s x %d", path, info.Size), false
	}
	return fmt.Sprintf("%s f %d", path, info.Size), false
}

func (r *Recorder) Stat(path string) (Info, error)       { r.seen(path); return r.Host.Stat(path) }
func (r *Recorder) Lstat(path string) (Info, error)      { r.seen(path); return r.Host.Lstat(path) }
func (r *Recorder) Readlink(path string) (string, error) { r.seen(path); return r.Host.Readlink(path) }
func (r *Recorder) Resolve(path string) (string, error)  { r.seen(path); return r.Host.Resolve(path) }

func (r *Recorder) Names(dir string, keep *pattern.Pattern) ([]string, error) {
	names, err := r.Host.Names(dir, keep)
	r.seen(dir)
	r.refuse(dir, err)
	for _, n := range names {
		r.seen(r.style.Join(dir, n))
	}
	return names, err
}

// refuse adds to an entry of the tree why it could not be read; it keeps being a folder or a program. A file
// that is only too large says so by its size, a folder that was to be read by its kind.
func (r *Recorder) refuse(path string, err error) {
	var pe *fs.PathError
	if err == nil || errors.Is(err, fs.ErrNotExist) || !errors.As(err, &pe) {
		return
	}
	p := r.real(path)
	if info, err := r.Host.Stat(p); err == nil && (errors.Is(pe, errNotRegular) && (info.Dir || info.Node) || errors.Is(pe, syscall.ENOTDIR)) {
		return // its kind tells
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	line := r.tree[p]
	if line == "" {
		line = p
	}
	if !strings.Contains(line, " ! ") && !strings.Contains(line, " -> ") {
		r.tree[p] = line + " ! " + reason(err)
	}
}

// reason is the error without the path, on one line.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

func (r *Recorder) ReadFile(path string) ([]byte, error) {
	b, err := r.Host.ReadFile(path)
	r.seen(path)
	r.refuse(path, err)
	if err != nil {
		return b, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[r.real(path)] = scrub(b)
	return b, nil
}

// real names a file by its resolved path: the links to it are in the tree.
func (r *Recorder) real(path string) string {
	if p, err := r.Host.Resolve(path); err == nil {
		return p
	}
	return r.style.Clean(path)
}

func (r *Recorder) Lines(path string, keep *pattern.Pattern) ([]string, error) {
	kept, err := r.Host.Lines(path, keep)
	r.seen(path)
	r.refuse(path, err)
	if err != nil {
		return kept, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.real(path)
	if r.lines[p] == nil {
		r.lines[p] = map[string]bool{}
	}
	for _, l := range kept {
		if l = string(scrub([]byte(l))); !r.lines[p][l] {
			r.lines[p][l] = true
			r.order[p] = append(r.order[p], l)
		}
	}
	return kept, nil
}

func (r *Recorder) Search(path string, want *pattern.Pattern) (string, error) {
	text, err := r.Host.Search(path, want)
	r.seen(path)
	r.refuse(path, err)
	if err == nil && text != "" && plain([]byte(text+"\n")) && !strings.Contains(text, "\n") {
		r.mu.Lock()
		defer r.mu.Unlock()
		if p := r.real(path); !slices.Contains(r.texts[p], text) {
			r.texts[p] = append(r.texts[p], text)
		}
	}
	return text, err
}

type recordedBytes struct {
	Bytes
	r    *Recorder
	path string
}

func (r *Recorder) Open(path string) (Bytes, error) {
	b, err := r.Host.Open(path)
	r.seen(path)
	r.refuse(path, err)
	if err != nil {
		return nil, err
	}
	return &recordedBytes{b, r, r.real(path)}, nil
}

func (b *recordedBytes) ReadAt(p []byte, off int64) (int, error) {
	n, err := b.Bytes.ReadAt(p, off)
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	if b.r.parts[b.path] == nil {
		b.r.parts[b.path] = map[int64][]byte{}
	}
	if n > len(b.r.parts[b.path][off]) {
		b.r.parts[b.path][off] = bytes.Clone(p[:n])
	}
	return n, err
}

func (r *Recorder) Run(ctx context.Context, c Command) (Result, error) {
	res, err := r.Host.Run(ctx, c)
	r.seen(c.Path)
	if err == nil || res.TimedOut {
		r.mu.Lock()
		defer r.mu.Unlock()
		if base := strings.TrimSuffix(r.style.Base(c.Path), ".exe"); base == "cupel-gpu" {
			c.Path = base // it lies beside whichever cupel reads the recording
		}
		kept := res
		kept.Stdout, kept.Stderr = string(scrub([]byte(res.Stdout))), string(scrub([]byte(res.Stderr)))
		r.runs[runKey(c)] = kept
	}
	return res, err
}

func (r *Recorder) RegistryValues(key string) (map[string]string, error) {
	v, err := r.Host.RegistryValues(key)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuseKey(key, err)
	if err == nil {
		r.registry[key] = r.withoutSecrets(key, v)
	}
	return v, err
}

// storedEnv are the keys in which Windows keeps the environment of every new shell.
var storedEnv = pattern.New(`(?i)^(HKCU\\Environment|HKLM\\SYSTEM\\[^\\]+\\Control\\Session Manager\\Environment)$`)

// withoutSecrets keeps of a stored environment what is kept of the environment itself, and of any other key
// no value that looks like a secret.
func (r *Recorder) withoutSecrets(key string, values map[string]string) map[string]string {
	out := map[string]string{}
	for name, value := range values {
		if secretName(name) || (storedEnv.MatchString(key) && !r.keepEnv(name)) {
			continue
		}
		out[name] = string(scrub([]byte(value)))
	}
	return out
}

func (r *Recorder) refuseKey(key string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNoRegistry) {
		r.refused[key] = reason(err)
	}
}

func (r *Recorder) RegistryKeys(key string) ([]string, error) {
	names, err := r.Host.RegistryKeys(key)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuseKey(key, err)
	if err != nil {
		return names, err
	}
	met := []string{key} // it is there, also when nothing is below
	for _, n := range names {
		met = append(met, key+`\`+n)
	}
	for _, k := range met {
		if r.registry[k] == nil {
			r.registry[k] = map[string]string{}
		}
	}
	return names, err
}
