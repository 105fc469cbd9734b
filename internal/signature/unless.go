package signature

import (
	"regexp"
	"regexp/syntax"
	"sync"

	"cupel/internal/literal"
)

// forbids is what forbids a match: long lists of words. Each is tried only where its literals stand.
type forbids []forbid

type forbid struct {
	guard *literal.Guard
	re    func() *regexp.Regexp
}

// newForbids takes an expression apart; "" forbids nothing.
func newForbids(expr string) forbids {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil || expr == "" {
		return nil
	}
	ways := []*syntax.Regexp{re}
	if re.Op == syntax.OpAlternate {
		ways = re.Sub
	}
	var out forbids
	for _, w := range ways {
		text := w.String()
		out = append(out, forbid{literal.NewGuard(text, false), sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })})
	}
	return out
}

func (f forbids) match(text string) bool {
	if len(f) == 0 {
		return false
	}
	lower := literal.AppendLower(nil, text)
	for i := range f {
		if f[i].guard.Lets(lower) && f[i].re().MatchString(text) {
			return true
		}
	}
	return false
}
