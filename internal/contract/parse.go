package contract

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cupel/internal/finding"
)

// Format is the number this build reads after `cupel =`.
const Format = 1

// MaxSize in bytes: a contract is written by people, and the one example of every key has 10 KB.
const MaxSize = 1 << 20

// Parse reads a contract strictly. Findings mean that it cannot be used: then there is no contract, and the findings
// are all that is wrong with it, in the order of the file.
func Parse(file string, data []byte) (*Contract, []finding.Finding) {
	s := newSource(file, data)
	raw, problems := s.values()
	if len(problems) == 0 {
		problems = s.format(raw)
	}
	if len(problems) > 0 {
		return nil, s.findings(problems)
	}
	// A checkout may turn line ends; it is the same contract.
	sum := sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	c := &Contract{File: file, Sum: hex.EncodeToString(sum[:]), src: s, raw: raw}
	d := &decoder{src: s}
	d.contract(c, raw)
	d.check(c)
	if len(d.problems) > 0 {
		return nil, s.findings(d.problems)
	}
	return c, nil
}

// values reads the text as TOML.
func (s *source) values() (map[string]any, []problem) {
	if p := s.readable(); p != nil {
		return nil, []problem{*p}
	}
	if p := s.scan(); p != nil {
		return nil, []problem{*p}
	}
	if len(s.twice) > 0 {
		return nil, s.twice
	}
	raw := map[string]any{}
	if err := toml.Unmarshal(s.data, &raw); err != nil {
		return nil, []problem{s.syntax(err)}
	}
	return raw, nil
}

// syntax puts the TOML reader's own words into a problem.
func (s *source) syntax(err error) problem {
	text := strings.TrimPrefix(err.Error(), "toml: ")
	p := problem{id: "contract-syntax", what: "this is not TOML", why: text, next: note("see https://toml.io for the notation")}
	if strings.Contains(text, "already") {
		p.id, p.what, p.next = "contract-duplicate-key", "a key is given twice", note("remove one of the two, or put what they say into one")
	}
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, col := de.Position()
		p.from = min(s.starts[min(max(line-1, 0), len(s.starts)-1)]+max(col-1, 0), len(s.data))
		p.to = p.from + 1
	}
	return p
}

// format looks at the first key: it says how the rest is to be read.
func (s *source) format(raw map[string]any) []problem {
	value, given := raw["cupel"]
	at := s.places["cupel"]
	line := note("write cupel = %d as the first line", Format)
	switch n, isInt := value.(int64); {
	case !given:
		return []problem{{id: "contract-format", what: "the key cupel is missing", why: "it says which format the file has", next: line}}
	case !isInt:
		return []problem{{id: "contract-format", from: at.val, to: at.valEnd, what: fmt.Sprintf("cupel is %s, want a whole number", kindOf(value)), why: "it is the number of the format", next: line}}
	case n != Format:
		return []problem{{id: "contract-format", from: at.val, to: at.valEnd, what: fmt.Sprintf("the contract has format %d", n),
			why: fmt.Sprintf("this cupel reads format %d only", Format), next: []finding.Step{{Command: "cupel version", Note: "tells which cupel this is; a newer one may read it"}}}}
	case s.order[0] != "cupel":
		return []problem{{id: "contract-format", from: at.key, to: at.keyEnd, what: "cupel is not the first key", why: "it says how the rest is to be read", next: line}}
	}
	return nil
}
