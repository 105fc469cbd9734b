package host

import (
	"fmt"
	"strconv"
	"strings"

	"cupel/internal/pattern"
)

// treeSection reads one entry a line: the path first, then what it is.
//
//	/usr/bin/gcc-12 x 1002123        a program of that size
//	/usr/include/cuda.h f 900000     a file
//	/usr/local/cuda -> cuda-13.0     a link
//	/dev/nvidia0 c                   a device node
//	/usr/local/cuda-13.0 d           a folder
//	/opt/closed ! permission denied  there, but not to be read; after f, x or d it is of that kind
//	/net/x ? ! input/output error    could not even be looked at
//	- /usr/local/cuda-12.4           (over a base) not there, nor anything below
func (r *Recorded) treeSection(b []byte) error {
	for _, line := range lines(b) {
		if path, ok := strings.CutPrefix(line, "- "); ok {
			r.remove(strings.TrimSpace(path))
			continue
		}
		path, n, err := treeLine(line)
		if err != nil {
			return fmt.Errorf("line %q: %w", line, err)
		}
		if old := r.tree[r.style.Key(path)]; old != nil && n.kind == plainFile && old.kind == plainFile {
			old.exec, old.size, old.sized, old.err = n.exec, max(n.size, old.size), n.sized || old.sized, n.err
			continue
		}
		r.add(path, n, false)
	}
	return nil
}

func treeLine(line string) (string, *node, error) {
	if path, target, ok := strings.Cut(line, " -> "); ok {
		return path, &node{kind: link, target: strings.TrimSpace(target)}, nil
	}
	if left, why, ok := strings.Cut(line, " ! "); ok {
		path, n := refusedLine(left)
		n.err = refusal(strings.TrimSpace(why))
		return path, n, nil
	}
	fields := strings.Fields(line)
	last := len(fields) - 1
	size, err, sized := int64(0), error(nil), false
	if last >= 2 {
		if size, err = strconv.ParseInt(fields[last], 10, 64); err == nil {
			sized = true
			line = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(line, " "), fields[last]), " ")
			last--
		}
	}
	if size < 0 || size > maxRecordedSize {
		return "", nil, fmt.Errorf("size %d is out of range", size)
	}
	if last < 1 {
		return "", nil, fmt.Errorf("want PATH and one of d, f, x, c, -> TARGET, ! REASON")
	}
	path := strings.TrimRight(strings.TrimSuffix(line, fields[last]), " ")
	switch fields[last] {
	case "d":
		return path, &node{kind: folder}, nil
	case "c":
		return path, &node{kind: device}, nil
	case "f":
		return path, &node{size: size, sized: sized}, nil
	case "x":
		return path, &node{size: size, sized: sized, exec: true}, nil
	}
	return "", nil, fmt.Errorf("unknown kind %q; known are d, f, x, c, -> TARGET, ! REASON", fields[last])
}

// refusedLine reads what stands before " ! ": a path, or a path and what it is.
func refusedLine(left string) (string, *node) {
	if path, ok := strings.CutSuffix(left, " ?"); ok {
		return path, &node{kind: unseen}
	}
	if path, n, err := treeLine(left); err == nil && n.kind != device {
		return path, n
	}
	return left, &node{kind: denied}
}

var refusedKey = pattern.New(`^\[(HK[^\]]+)\] ! (.+)$`)

// registrySection reads [KEY] lines with NAME=value lines below them, or "[KEY] ! REASON" for one that could
// not be read; "- KEY" removes a key and what is below.
func (r *Recorded) registrySection(b []byte) error {
	var k *regKey
	for _, line := range lines(b) {
		if name, ok := strings.CutPrefix(line, "- "); ok {
			r.removeKey(strings.ToLower(strings.TrimSpace(name)))
			continue
		}
		if m := refusedKey.FindStringSubmatch(line); m != nil {
			k = &regKey{name: m[1], values: map[string]string{}, err: refusal(m[2])}
			r.registry[strings.ToLower(k.name)] = k
			continue
		}
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			k = &regKey{name: line[1 : len(line)-1], values: map[string]string{}}
			r.registry[strings.ToLower(k.name)] = k
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if k == nil || !ok {
			return fmt.Errorf("line %q: want [KEY], NAME=value or - KEY", line)
		}
		k.values[name] = value
	}
	return nil
}

func (r *Recorded) removeKey(lower string) {
	for key := range r.registry {
		if key == lower || strings.HasPrefix(key, lower+`\`) {
			delete(r.registry, key)
		}
	}
}
