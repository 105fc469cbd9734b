package project

import (
	"fmt"
	"strings"
)

// maxPackages bounds a lock file; the largest known workspaces have some thousands.
const maxPackages = 20000

// locked is one [[package]] of Cargo.lock.
type locked struct {
	name, version, source string
	line                  int
	deps                  []string // "name", "name version" or "name version (source)"
}

// parseLock reads the form that cargo itself writes, line by line, because the line of each package is to be
// told. Anything cargo would not write is an error; the packages before it are returned with it.
func parseLock(text string) ([]locked, error) {
	p := lockParser{}
	for i, line := range strings.Split(text, "\n") {
		if err := p.take(strings.TrimSpace(line), i+1); err != nil {
			return p.done(), fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if p.inList {
		return p.done(), fmt.Errorf("it ends in the middle of a list")
	}
	out := p.done()
	if len(out) == 0 && strings.TrimSpace(text) != "" && !p.version {
		return nil, fmt.Errorf("it has no [[package]] and no version line")
	}
	for _, l := range out {
		if l.name == "" || l.version == "" {
			return out, fmt.Errorf("line %d: a package without name or version", l.line)
		}
	}
	return out, nil
}

type lockParser struct {
	out     []locked
	inPkg   bool // in a [[package]], else in a table that does not matter
	inList  bool
	deps    bool // the list is dependencies
	version bool // the file's own version line was seen
}

func (p *lockParser) done() []locked { return p.out }

func (p *lockParser) take(line string, number int) error {
	switch {
	case line == "" || strings.HasPrefix(line, "#"):
		return nil
	case p.inList:
		return p.item(line)
	case line == "[[package]]":
		if len(p.out) == maxPackages {
			return fmt.Errorf("more than %d packages", maxPackages)
		}
		p.out, p.inPkg = append(p.out, locked{line: number}), true
		return nil
	case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
		p.inPkg = false
		return nil
	}
	key, value, ok := strings.Cut(line, "=")
	if !ok {
		return fmt.Errorf("%.40q is no line of a Cargo.lock", line)
	}
	return p.set(strings.TrimSpace(key), strings.TrimSpace(value))
}

func (p *lockParser) set(key, value string) error {
	if value == "[" {
		p.inList, p.deps = true, p.inPkg && key == "dependencies"
		return nil
	}
	if !p.inPkg {
		p.version = p.version || (key == "version" && len(p.out) == 0)
		return nil
	}
	pkg := &p.out[len(p.out)-1]
	field := map[string]*string{"name": &pkg.name, "version": &pkg.version, "source": &pkg.source}[key]
	if field == nil {
		return nil
	}
	text, ok := quoted(value)
	if !ok || text == "" {
		return fmt.Errorf("%s has no quoted value", key)
	}
	*field = text
	return nil
}

func (p *lockParser) item(line string) error {
	if line == "]" {
		p.inList = false
		return nil
	}
	text, ok := quoted(strings.TrimSuffix(line, ","))
	if !ok {
		return fmt.Errorf("%.40q is no entry of a list", line)
	}
	if p.deps {
		pkg := &p.out[len(p.out)-1]
		pkg.deps = append(pkg.deps, text)
	}
	return nil
}

// quoted reads a plain quoted string; cargo never writes an escape into these.
func quoted(value string) (string, bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return "", false
	}
	text := value[1 : len(value)-1]
	return text, !strings.ContainsAny(text, "\"\\")
}
