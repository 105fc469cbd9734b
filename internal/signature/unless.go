package signature

import (
	"regexp/syntax"

	"cupel/internal/literal"
	"cupel/internal/pattern"
)

// forbids is what forbids a match: long lists of words. Each is tried only where its literals stand.
type forbids []forbid

type forbid struct {
	guard *literal.Guard
	re    *pattern.Pattern
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
		out = append(out, forbid{literal.NewGuard(text, false), pattern.New(text)})
	}
	return out
}

func (f forbids) match(text string) bool {
	if len(f) == 0 {
		return false
	}
	lower := literal.AppendLower(nil, text)
	for i := range f {
		if f[i].guard.Lets(lower) && f[i].re.MatchString(text) {
			return true
		}
	}
	return false
}
