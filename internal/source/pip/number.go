package pip

import (
	"fmt"
	"strconv"
	"strings"

	"cupel/internal/version"
)

// number is the version of a package: dotted numbers of any length (CCCL's has five parts). Versions that are not of that
// form (pre-releases) are not used.
type number []int

func parseNumber(s string) (number, bool) {
	var out number
	for f := range strings.SplitSeq(s, ".") {
		v, err := strconv.ParseUint(f, 10, 31)
		if err != nil {
			return nil, false
		}
		out = append(out, int(v))
	}
	return out, true
}

func (n number) String() string {
	parts := make([]string, len(n))
	for i, p := range n {
		parts[i] = strconv.Itoa(p)
	}
	return strings.Join(parts, ".")
}

func (n number) part(i int) int {
	if i < len(n) {
		return n[i]
	}
	return 0
}

// compare takes missing parts for 0, as PEP 440 does.
func (n number) compare(m number) int {
	for i := range max(len(n), len(m)) {
		if d := n.part(i) - m.part(i); d != 0 {
			return d
		}
	}
	return 0
}

// begins says that the parts of m come first in n.
func (n number) begins(m number) bool {
	for i, p := range m {
		if n.part(i) != p {
			return false
		}
	}
	return true
}

// release is X.Y.Z of the metapackage: 13.0.3.0 is the release 13.0.3.
func (n number) release() version.V { return version.Of(n.part(0), n.part(1), n.part(2)) }

// clause is one condition of a specifier.
type clause struct {
	op     string
	number number
	prefix bool // ==13.0.*
}

// spec is what a requirement allows: ==13.0.88.*, or <14,>=13.0.88.
type spec []clause

// operators, longer ones first.
var operators = []string{"===", "==", "!=", "~=", ">=", "<=", ">", "<"}

func parseSpec(s string) (spec, error) {
	var out spec
	for part := range strings.SplitSeq(strings.Trim(s, "() "), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		c, err := parseClause(part)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func parseClause(s string) (clause, error) {
	for _, op := range operators {
		rest, ok := strings.CutPrefix(s, op)
		if !ok {
			continue
		}
		text, prefix := strings.CutSuffix(strings.TrimSpace(rest), ".*")
		n, ok := parseNumber(text)
		if !ok {
			break
		}
		return clause{op, n, prefix}, nil
	}
	return clause{}, fmt.Errorf("%q is no version condition", s)
}

func (c clause) allows(n number) bool {
	d := n.compare(c.number)
	switch c.op {
	case "==", "===":
		return d == 0 || c.prefix && n.begins(c.number)
	case "!=":
		return d != 0 && !(c.prefix && n.begins(c.number))
	case "~=":
		return d >= 0 && n.begins(c.number[:max(len(c.number)-1, 1)])
	case ">=":
		return d >= 0
	case "<=":
		return d <= 0
	case ">":
		return d > 0
	}
	return d < 0
}

func (s spec) allows(n number) bool {
	for _, c := range s {
		if !c.allows(n) {
			return false
		}
	}
	return true
}

// narrow keeps a range within the release that it begins with: the metapackage of 13.0 allows nvjitlink up to 14, and a
// toolkit of 13.0 should not get the one of 13.4.
func (s spec) narrow() spec {
	for _, c := range s {
		if c.op == "==" || c.op == "===" {
			return s
		}
	}
	for _, c := range s {
		if c.op == ">=" && len(c.number) > 2 {
			return append(append(spec{}, s...), clause{"==", c.number[:2], true})
		}
	}
	return s
}

func (s spec) String() string {
	var out []string
	for _, c := range s {
		text := c.op + c.number.String()
		if c.prefix {
			text += ".*"
		}
		out = append(out, text)
	}
	return strings.Join(out, ",")
}
