package host

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"cupel/internal/ospath"
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
}

// Record wraps h. keepEnv decides which variables go into the recording: a secret must not.
func Record(h Host, keepEnv func(name string) bool) *Recorder {
	return &Recorder{
		Host: h, keepEnv: keepEnv, style: h.System().Paths(),
		tree: map[string]string{}, files: map[string][]byte{}, lines: map[string]map[string]bool{},
		order: map[string][]string{}, parts: map[string]map[int64][]byte{}, texts: map[string][]string{}, runs: map[string]Result{},
		registry: map[string]map[string]string{},
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
	case errors.Is(err, fs.ErrPermission):
		return path + " ! permission denied", false
	case err != nil:
		return "", false
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

func (r *Recorder) Names(dir string, keep *regexp.Regexp) ([]string, error) {
	names, err := r.Host.Names(dir, keep)
	r.seen(dir)
	if errors.Is(err, fs.ErrPermission) {
		r.deny(dir)
	}
	for _, n := range names {
		r.seen(r.style.Join(dir, n))
	}
	return names, err
}

func (r *Recorder) deny(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tree[r.style.Clean(path)] = r.style.Clean(path) + " ! permission denied"
}

func (r *Recorder) ReadFile(path string) ([]byte, error) {
	b, err := r.Host.ReadFile(path)
	r.seen(path)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			r.deny(path)
		}
		return b, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[r.real(path)] = scrub(b)
	return b, nil
}

var secretLine = regexp.MustCompile(`(?im)^.*(?:token|secret|passw|credential|api[-_]?key|private[-_]?key).*$`)

// scrub empties lines that look like secrets: project and cargo files are recorded whole, and a registry's
// token can stand in them. The line stays, so that line numbers do.
func scrub(b []byte) []byte { return secretLine.ReplaceAll(b, nil) }

// real names a file by its resolved path: the links to it are in the tree.
func (r *Recorder) real(path string) string {
	if p, err := r.Host.Resolve(path); err == nil {
		return p
	}
	return r.style.Clean(path)
}

func (r *Recorder) Lines(path string, keep *regexp.Regexp) ([]string, error) {
	kept, err := r.Host.Lines(path, keep)
	r.seen(path)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			r.deny(path)
		}
		return kept, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.real(path)
	if r.lines[p] == nil {
		r.lines[p] = map[string]bool{}
	}
	for _, l := range kept {
		if !r.lines[p][l] {
			r.lines[p][l] = true
			r.order[p] = append(r.order[p], l)
		}
	}
	return kept, nil
}

func (r *Recorder) Search(path string, want *regexp.Regexp) (string, error) {
	text, err := r.Host.Search(path, want)
	r.seen(path)
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
		r.runs[runKey(c)] = res
	}
	return res, err
}

func (r *Recorder) RegistryValues(key string) (map[string]string, error) {
	v, err := r.Host.RegistryValues(key)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.registry[key] = v
	}
	return v, err
}

func (r *Recorder) RegistryKeys(key string) ([]string, error) {
	names, err := r.Host.RegistryKeys(key)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range names {
		if r.registry[key+`\`+n] == nil {
			r.registry[key+`\`+n] = map[string]string{}
		}
	}
	return names, err
}

// Archive returns the recording as a txtar archive.
func (r *Recorder) Archive(comment string) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	ar := &txtar.Archive{Comment: []byte(comment + "\n")}
	add := func(name string, data []byte) {
		ar.Files = append(ar.Files, txtar.File{Name: name, Data: data})
	}
	s := r.System()
	add("host", fmt.Appendf(nil, "os = %s\narch = %s\nhome = %s\ncwd = %s\nuser = %s\nname = %s\n", s.OS, s.Arch, s.Home, s.Cwd, s.User, s.Name))
	add("env", r.envText())
	add("tree", r.treeText())
	r.addFiles(add)
	for _, cmd := range sortedKeys(r.runs) {
		addRun(add, cmd, r.runs[cmd])
	}
	if len(r.registry) > 0 {
		add("registry", r.registryText())
	}
	return txtar.Format(ar)
}

func (r *Recorder) envText() []byte {
	var out []string
	for _, e := range r.Environ() {
		name, value, _ := strings.Cut(e, "=")
		if r.keepEnv(name) && !strings.ContainsAny(value, "\n\r") {
			out = append(out, e)
		}
	}
	sort.Strings(out)
	return []byte(strings.Join(out, "\n") + "\n")
}

func (r *Recorder) treeText() []byte {
	var b strings.Builder
	for _, p := range sortedKeys(r.tree) {
		line := r.tree[p]
		if _, whole := r.files[p]; whole {
			// Its section tells the size, which scrubbing may have changed.
			line = line[:strings.LastIndexByte(line, ' ')]
		}
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return []byte(b.String())
}

func (r *Recorder) addFiles(add func(string, []byte)) {
	for _, p := range sortedKeys(r.files) {
		if plain(r.files[p]) {
			add("file "+p, r.files[p])
		} else {
			add("part 0 "+p, wrap64(r.files[p]))
		}
	}
	for _, p := range sortedKeys(r.order) {
		if _, whole := r.files[p]; !whole {
			add("file "+p, []byte(strings.Join(r.order[p], "\n")+"\n"))
		}
	}
	for _, p := range sortedKeys(r.texts) {
		add("text "+p, []byte(strings.Join(r.texts[p], "\n")+"\n"))
	}
	for _, p := range sortedKeys(r.parts) {
		for _, part := range merge(r.parts[p]) {
			add(fmt.Sprintf("part 0x%x %s", part.at, p), wrap64(part.data))
		}
	}
}

// plain says that text survives the archive: it is UTF-8, ends in a newline and no line looks like a header.
func plain(b []byte) bool {
	return utf8.Valid(b) && bytes.HasSuffix(b, []byte("\n")) && !bytes.HasPrefix(b, []byte("-- ")) && !bytes.Contains(b, []byte("\n-- "))
}

func wrap64(b []byte) []byte {
	var out bytes.Buffer
	text := base64.StdEncoding.EncodeToString(b)
	for len(text) > 0 {
		n := min(100, len(text))
		out.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	return out.Bytes()
}

// merge joins overlapping and touching parts.
func merge(parts map[int64][]byte) []part {
	offsets := make([]int64, 0, len(parts))
	for at := range parts {
		offsets = append(offsets, at)
	}
	sort.Slice(offsets, func(i, j int) bool { return offsets[i] < offsets[j] })
	var out []part
	for _, at := range offsets {
		data := parts[at]
		if n := len(out) - 1; n >= 0 && at <= out[n].at+int64(len(out[n].data)) {
			if skip := out[n].at + int64(len(out[n].data)) - at; skip < int64(len(data)) {
				out[n].data = append(bytes.Clone(out[n].data), data[skip:]...)
			}
			continue
		}
		out = append(out, part{at, data})
	}
	return out
}

func addRun(add func(string, []byte), cmd string, res Result) {
	option := ""
	switch {
	case res.TimedOut:
		option = "[hang]"
	case res.Code != 0:
		option = fmt.Sprintf("[exit=%d]", res.Code)
	}
	add("run"+option+" "+cmd, []byte(res.Stdout))
	if res.Stderr != "" {
		add("stderr "+cmd, []byte(res.Stderr))
	}
}

func (r *Recorder) registryText() []byte {
	var b strings.Builder
	for _, key := range sortedKeys(r.registry) {
		fmt.Fprintf(&b, "[%s]\n", key)
		for _, name := range sortedKeys(r.registry[key]) {
			if v := r.registry[key][name]; !strings.ContainsAny(v, "\n\r") {
				fmt.Fprintf(&b, "%s=%s\n", name, v)
			}
		}
	}
	return []byte(b.String())
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
