package host

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"cupel/internal/ospath"
)

// maxRecordedSize bounds the size a recording may claim for a file: readers allocate by it.
const maxRecordedSize = 64 << 30

// Load returns the bytes of the archive that another one names as its base.
type Load func(name string) ([]byte, error)

// Parse reads a recorded host. An archive may name a base; what it does not say is as there.
func Parse(archive []byte, load Load) (*Recorded, error) { return parse(archive, load, 0) }

func parse(archive []byte, load Load, depth int) (*Recorded, error) {
	if depth > 4 {
		return nil, errors.New("recorded host: bases more than four deep")
	}
	ar := txtar.Parse(archive)
	head, err := parseHead(ar)
	if err != nil {
		return nil, err
	}
	r, err := start(head, load, depth)
	if err != nil {
		return nil, err
	}
	for _, f := range ar.Files {
		if err := r.section(f); err != nil {
			return nil, fmt.Errorf("recorded host: section %q: %w", f.Name, err)
		}
	}
	return r, nil
}

func parseHead(ar *txtar.Archive) (map[string]string, error) {
	for _, f := range ar.Files {
		if f.Name != "host" {
			continue
		}
		head := map[string]string{}
		for _, line := range lines(f.Data) {
			key, value, ok := strings.Cut(line, "=")
			key = strings.TrimSpace(key)
			if !ok || !knownHead[key] {
				return nil, fmt.Errorf("recorded host: line %q of section host: want one of os, arch, home, cwd, user, name, base, each with =", line)
			}
			head[key] = strings.TrimSpace(value)
		}
		return head, nil
	}
	return nil, errors.New("recorded host: no section host: this is not a recorded host (see docs/formats/host.md)")
}

var knownHead = map[string]bool{"os": true, "arch": true, "home": true, "cwd": true, "user": true, "name": true, "base": true}

func start(head map[string]string, load Load, depth int) (*Recorded, error) {
	r := &Recorded{tree: map[string]*node{}, runs: map[string]Result{}, registry: map[string]*regKey{}}
	if base := head["base"]; base != "" {
		if load == nil {
			return nil, fmt.Errorf("recorded host: base %s: no folder to look in", base)
		}
		b, err := load(base)
		if err != nil {
			return nil, fmt.Errorf("recorded host: base %s: %w", base, err)
		}
		// A base names its own base from its own folder.
		below := func(name string) ([]byte, error) { return load(path.Join(path.Dir(base), name)) }
		if r, err = parse(b, below, depth+1); err != nil {
			return nil, err
		}
	}
	for key, field := range map[string]*string{
		"os": &r.system.OS, "arch": &r.system.Arch, "home": &r.system.Home,
		"cwd": &r.system.Cwd, "user": &r.system.User, "name": &r.system.Name,
	} {
		if v, ok := head[key]; ok {
			*field = v
		}
	}
	if r.system.OS == "" || r.system.Arch == "" {
		return nil, errors.New("recorded host: section host needs os and arch")
	}
	r.style = ospath.For(r.system.OS)
	return r, nil
}

func (r *Recorded) section(f txtar.File) error {
	kind, rest, _ := strings.Cut(f.Name, " ")
	rest = strings.TrimSpace(rest)
	kind, option, _ := strings.Cut(strings.TrimSuffix(kind, "]"), "[")
	switch kind {
	case "host":
		return nil
	case "env":
		return r.envSection(f.Data)
	case "tree":
		return r.treeSection(f.Data)
	case "file":
		r.add(rest, &node{size: int64(len(f.Data)), sized: true, parts: []part{{0, f.Data}}}, true)
		return nil
	case "text":
		n := r.tree[r.style.Key(rest)]
		if n == nil || n.kind != plainFile {
			n = &node{}
			r.add(rest, n, false)
		}
		n.texts = lines(f.Data)
		return nil
	case "part":
		return r.partSection(rest, f.Data)
	case "run", "stderr":
		return r.runSection(kind, option, rest, f.Data)
	case "registry":
		return r.registrySection(f.Data)
	}
	return errors.New("unknown kind; known are host, env, tree, file, text, part, run, stderr, registry")
}

func lines(b []byte) []string {
	var out []string
	for _, l := range strings.Split(string(b), "\n") {
		if l = strings.TrimRight(l, "\r"); strings.TrimSpace(l) != "" {
			out = append(out, l)
		}
	}
	return out
}

func (r *Recorded) envSection(b []byte) error {
	for _, line := range lines(b) {
		if name, ok := strings.CutPrefix(line, "-"); ok {
			r.unset(name)
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if !ok || name == "" {
			return fmt.Errorf("line %q: want NAME=value or -NAME", line)
		}
		r.unset(name)
		r.env = append(r.env, line)
	}
	sort.Strings(r.env)
	return nil
}

func (r *Recorded) unset(name string) {
	kept := make([]string, 0, len(r.env))
	for _, e := range r.env {
		n, _, _ := strings.Cut(e, "=")
		if n != name && !(r.style.Windows() && strings.EqualFold(n, name)) {
			kept = append(kept, e)
		}
	}
	r.env = kept
}

// add puts a node into the tree and makes the folders above it. A file section fills an entry the tree
// section made before it, so the two may come in either order.
func (r *Recorded) add(path string, n *node, keepExec bool) {
	path = r.style.Clean(path)
	key := r.style.Key(path)
	if old := r.tree[key]; old != nil && keepExec {
		n.exec = old.exec
	}
	n.path = path
	r.tree[key] = n
	for dir := r.style.Dir(path); dir != path && dir != "."; path, dir = dir, r.style.Dir(dir) {
		key := r.style.Key(dir)
		if r.tree[key] == nil {
			r.tree[key] = &node{path: dir, kind: folder}
		}
	}
}

func (r *Recorded) remove(path string) {
	for key, n := range r.tree {
		if r.style.Within(n.path, path) {
			delete(r.tree, key)
		}
	}
}

func (r *Recorded) partSection(rest string, data []byte) error {
	at, path, ok := strings.Cut(rest, " ")
	offset, err := strconv.ParseInt(at, 0, 64)
	if !ok || err != nil || offset < 0 || offset > maxRecordedSize {
		return errors.New("want: part OFFSET PATH")
	}
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(data)), ""))
	if err != nil {
		return err
	}
	n := r.tree[r.style.Key(path)]
	if n == nil || n.kind != plainFile {
		n = &node{}
		r.add(path, n, false)
	}
	n.parts = append(n.parts, part{offset, raw})
	n.size, n.sized = max(n.size, offset+int64(len(raw))), true
	return nil
}

func (r *Recorded) runSection(kind, option, command string, data []byte) error {
	res := r.runs[command]
	if kind == "stderr" {
		res.Stderr = string(data)
		r.runs[command] = res
		return nil
	}
	res.Stdout, res.Code, res.TimedOut = string(data), 0, false
	switch code, isExit := strings.CutPrefix(option, "exit="); {
	case option == "":
	case option == "hang":
		res.TimedOut, res.Code = true, -1
	case isExit:
		n, err := strconv.Atoi(code)
		if err != nil {
			return err
		}
		res.Code = n
	default:
		return errors.New("want run, run[exit=N] or run[hang]")
	}
	r.runs[command] = res
	return nil
}
