package logtext

import (
	"regexp"
	"testing"
)

// TestPrefixes: the expressions are put together from parts, so the test of package pattern cannot read them.
func TestPrefixes(t *testing.T) {
	for _, p := range prefixes {
		if re, err := regexp.Compile(p.re.String()); err != nil || re.NumSubexp() != 1 {
			t.Errorf("prefix %q: %v, or it has not one group", p.re, err)
		}
	}
}
