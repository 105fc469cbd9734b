package host

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"cupel/internal/pattern"
)

// Archive returns the recording as a txtar archive. redact, when it is not nil, is applied to everything in it,
// names of sections too, before any of it is encoded: base64 would hide a name from it.
func (r *Recorder) Archive(comment string, redact func([]byte) []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if redact == nil {
		redact = func(b []byte) []byte { return b }
	}
	ar := &txtar.Archive{Comment: redact([]byte(comment + "\n"))}
	add := func(name string, data []byte) {
		ar.Files = append(ar.Files, txtar.File{Name: string(redact([]byte(name))), Data: redact(data)})
	}
	encoded := func(name string, data []byte) {
		ar.Files = append(ar.Files, txtar.File{Name: string(redact([]byte(name))), Data: wrap64(data)})
	}
	s := r.System()
	add("host", fmt.Appendf(nil, "os = %s\narch = %s\nhome = %s\ncwd = %s\nuser = %s\nname = %s\n", s.OS, s.Arch, s.Home, s.Cwd, s.User, s.Name))
	add("env", r.envText())
	add("tree", r.treeText())
	r.addFiles(add, encoded, redact)
	for _, cmd := range sortedKeys(r.runs) {
		addRun(add, cmd, r.runs[cmd])
	}
	if len(r.registry)+len(r.refused) > 0 {
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

// sized is a tree line that tells the size of a file.
var sized = pattern.New(` [fx] \d+$`)

func (r *Recorder) treeText() []byte {
	var b strings.Builder
	for _, p := range sortedKeys(r.tree) {
		line := r.tree[p]
		if _, whole := r.files[p]; whole && sized.MatchString(line) {
			// Its section tells the size, which scrubbing may have changed.
			line = line[:strings.LastIndexByte(line, ' ')]
		}
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return []byte(b.String())
}

type section func(name string, data []byte)

func (r *Recorder) addFiles(add, encoded section, redact func([]byte) []byte) {
	for _, p := range sortedKeys(r.files) {
		if data := redact(r.files[p]); plain(data) {
			add("file "+p, data)
		} else {
			encoded("part 0 "+p, data)
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
			encoded(fmt.Sprintf("part 0x%x %s", part.at, p), inPlace(part.data, redact))
		}
	}
}

// inPlace redacts the strings of a binary file; what stands behind them stays where it is.
func inPlace(b []byte, redact func([]byte) []byte) []byte {
	if bytes.Equal(redact(b), b) {
		return b
	}
	out := make([]byte, 0, len(b))
	for i, text := range bytes.Split(b, []byte{0}) {
		if i > 0 {
			out = append(out, 0)
		}
		clean := redact(text)
		clean = clean[:min(len(clean), len(text))]
		out = append(append(out, clean...), make([]byte, len(text)-len(clean))...)
	}
	return out
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

func addRun(add section, cmd string, res Result) {
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
	keys := maps.Clone(r.registry)
	for key := range r.refused {
		keys[key] = r.registry[key]
	}
	for _, key := range sortedKeys(keys) {
		if why := r.refused[key]; why != "" && len(keys[key]) == 0 {
			fmt.Fprintf(&b, "[%s] ! %s\n", key, why)
			continue
		}
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
