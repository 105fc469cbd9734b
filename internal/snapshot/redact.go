package snapshot

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/host"
)

// Redactor replaces what names a person or a machine. The zero value changes nothing.
type Redactor struct {
	pairs []pair
	on    bool
}

type pair struct {
	find *regexp.Regexp
	with string
}

var uuid = regexp.MustCompile(`(GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)

// NewRedactor hides the user, the home folder, the host name and GPU serials of a machine.
func NewRedactor(sys host.System, m fact.Machine) Redactor {
	r := Redactor{on: true}
	for _, home := range []string{sys.Home, m.System.Home} {
		if len(home) > 1 {
			r.add(regexp.QuoteMeta(home), `~`)
			r.add(regexp.QuoteMeta(strings.ReplaceAll(home, `\`, `\\`)), `~`)
			r.add(regexp.QuoteMeta(strings.ReplaceAll(home, `\`, `/`)), `~`)
		}
	}
	r.add(`([/\\](?:home|Users)[/\\]+)[^/\\:;"\s]+`, "${1}user")
	for _, name := range []struct{ value, with string }{{sys.User, "user"}, {sys.Name, "host"}} {
		if name.value != "" && name.value != "root" && len(name.value) > 1 {
			r.add(`\b`+regexp.QuoteMeta(name.value)+`\b`, name.with)
		}
	}
	r.pairs = append(r.pairs, pair{uuid, "${1}-00000000-0000-0000-0000-000000000000"})
	return r
}

func (r *Redactor) add(find, with string) {
	r.pairs = append(r.pairs, pair{regexp.MustCompile(`(?i)` + find), with})
}

// Bytes redacts any text.
func (r Redactor) Bytes(b []byte) []byte {
	for _, p := range r.pairs {
		b = p.find.ReplaceAll(b, []byte(p.with))
	}
	return b
}

// All redacts every string of a machine and a project, so that whatever is said about them later is clean too.
func (r Redactor) All(m *fact.Machine, p *fact.Project) error {
	if !r.on {
		return nil
	}
	if err := through(r, m); err != nil {
		return err
	}
	return through(r, p)
}

// through walks a value in its JSON form, where every string is in reach, keys too.
func through[T any](r Redactor, v *T) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("redact: %w", err)
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		return fmt.Errorf("redact: %w", err)
	}
	if b, err = json.Marshal(r.walk(tree)); err != nil {
		return fmt.Errorf("redact: %w", err)
	}
	var clean T
	if err := json.Unmarshal(b, &clean); err != nil {
		return fmt.Errorf("redact: %w", err)
	}
	*v = clean
	return nil
}

func (r Redactor) walk(v any) any {
	switch v := v.(type) {
	case string:
		return string(r.Bytes([]byte(v)))
	case []any:
		for i := range v {
			v[i] = r.walk(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for k, e := range v {
			clean[string(r.Bytes([]byte(k)))] = r.walk(e)
		}
		return clean
	}
	return v
}
