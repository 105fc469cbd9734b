package snapshot

import (
	"regexp"
	"strings"

	"cupel/internal/fact"
	"cupel/internal/host"
	"cupel/internal/pattern"
)

// Redactor replaces what names a person or a machine. The zero value changes nothing.
type Redactor struct {
	pairs []pair
}

type pair struct {
	find *pattern.Pattern
	with string
}

var uuid = pattern.New(`(GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)

// NewRedactor hides the user, the home folder, the host name and GPU serials of a machine. Paths stay paths: a
// redacted snapshot is judged like the real one.
func NewRedactor(sys host.System, m fact.Machine) Redactor {
	r := Redactor{}
	home, slash := "/home/user", "/"
	if sys.OS == "windows" || m.System.OS == "windows" {
		home, slash = `C:\Users\user`, `\`
	}
	for _, h := range []string{sys.Home, m.System.Home} {
		if len(h) < 2 || h == "/root" {
			continue
		}
		r.add(regexp.QuoteMeta(h), quoteWith(home))
		if slash == `\` {
			r.add(regexp.QuoteMeta(strings.ReplaceAll(h, `\`, `\\`)), quoteWith(strings.ReplaceAll(home, `\`, `\\`)))
			r.add(regexp.QuoteMeta(strings.ReplaceAll(h, `\`, `/`)), quoteWith(strings.ReplaceAll(home, `\`, `/`)))
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

// quoteWith keeps $ in a replacement from being read as a group.
func quoteWith(s string) string { return strings.ReplaceAll(s, "$", "$$") }

func (r *Redactor) add(find, with string) {
	r.pairs = append(r.pairs, pair{pattern.New(`(?i)` + find), with})
}

// Bytes redacts any text.
func (r Redactor) Bytes(b []byte) []byte {
	for _, p := range r.pairs {
		b = p.find.ReplaceAll(b, []byte(p.with))
	}
	return b
}
