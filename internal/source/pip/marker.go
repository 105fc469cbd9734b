package pip

import (
	"fmt"
	"strings"

	"cupel/internal/resolve"
)

// marker is a condition of a requirement (PEP 508): sys_platform == 'linux' and extra == 'nvcc'.
type marker interface {
	holds(vars map[string]string) (bool, error)
}

type (
	both   struct{ a, b marker }
	either struct{ a, b marker }
	test   struct{ left, op, right token }
)

func (m both) holds(vars map[string]string) (bool, error) {
	ok, err := m.a.holds(vars)
	if err != nil || !ok {
		return false, err
	}
	return m.b.holds(vars)
}

func (m either) holds(vars map[string]string) (bool, error) {
	ok, err := m.a.holds(vars)
	if err != nil || ok {
		return ok, err
	}
	return m.b.holds(vars)
}

func (m test) holds(vars map[string]string) (bool, error) {
	left, err := m.left.value(vars)
	if err != nil {
		return false, err
	}
	right, err := m.right.value(vars)
	if err != nil {
		return false, err
	}
	switch m.op.text {
	case "in":
		return strings.Contains(right, left), nil
	case "not in":
		return !strings.Contains(right, left), nil
	}
	a, okA := parseNumber(left)
	b, okB := parseNumber(right)
	if okA && okB {
		return clause{op: m.op.text, number: b}.allows(a), nil
	}
	switch m.op.text {
	case "==", "===":
		return left == right, nil
	case "!=":
		return left != right, nil
	}
	return false, fmt.Errorf("%q %s %q are not versions", left, m.op.text, right)
}

// Machines as Python names them on each platform; python stands for one that every package of NVIDIA's allows.
const python = "3.12"

func variables(p resolve.Platform, extra string) map[string]string {
	v := map[string]string{
		"extra": extra, "python_version": python, "python_full_version": python + ".0",
		"implementation_name": "cpython", "platform_python_implementation": "CPython",
	}
	if p.Windows() {
		v["sys_platform"], v["platform_system"], v["os_name"] = "win32", "Windows", "nt"
		v["platform_machine"] = map[string]string{"amd64": "AMD64", "arm64": "ARM64"}[p.Arch]
		return v
	}
	v["sys_platform"], v["platform_system"], v["os_name"] = "linux", "Linux", "posix"
	v["platform_machine"] = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.Arch]
	return v
}

// parser reads a marker from its tokens.
type parser struct {
	tokens []token
	depth  int
}

// deepest bounds nesting: a marker is foreign text.
const deepest = 100

func parseMarker(s string) (marker, error) {
	tokens, err := scan(s)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	m, err := p.or()
	if err == nil && len(p.tokens) > 0 {
		err = fmt.Errorf("%q stands after the end", p.tokens[0].text)
	}
	if err != nil {
		return nil, fmt.Errorf("read marker %q: %w", s, err)
	}
	return m, nil
}

func (p *parser) next() token {
	if len(p.tokens) == 0 {
		return token{}
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

func (p *parser) take(s string) bool {
	if len(p.tokens) > 0 && p.tokens[0] == (token{word, s}) {
		p.tokens = p.tokens[1:]
		return true
	}
	return false
}

func (p *parser) or() (marker, error) {
	m, err := p.and()
	for err == nil && p.take("or") {
		var n marker
		n, err = p.and()
		m = either{m, n}
	}
	return m, err
}

func (p *parser) and() (marker, error) {
	m, err := p.one()
	for err == nil && p.take("and") {
		var n marker
		n, err = p.one()
		m = both{m, n}
	}
	return m, err
}

func (p *parser) one() (marker, error) {
	left := p.next()
	if left == (token{sign, "("}) {
		if p.depth++; p.depth > deepest {
			return nil, fmt.Errorf("more than %d parentheses", deepest)
		}
		m, err := p.or()
		if err != nil {
			return nil, err
		}
		if end := p.next(); end != (token{sign, ")"}) {
			return nil, fmt.Errorf("%q stands where ) should", end.text)
		}
		p.depth--
		return m, nil
	}
	op := p.next()
	if op == (token{word, "not"}) {
		if !p.take("in") {
			return nil, fmt.Errorf("no in after not")
		}
		op.text = "not in"
	}
	right := p.next()
	if !left.isValue() || !right.isValue() || !op.compares() {
		return nil, fmt.Errorf("%q %q %q is no comparison", left.text, op.text, right.text)
	}
	return test{left, op, right}, nil
}
