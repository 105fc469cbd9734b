package choice

import (
	"cmp"
	"fmt"
	"strings"

	"cupel/internal/fact"
)

// newest picks by the last step of the order. When nothing both fits and is complete, the nearest to it is
// still named, with what is wrong about it: a person wants to know which toolkit the advice is about.
func newest(m fact.Machine) Pick {
	var best *fact.Toolkit
	for i := range m.Toolkits {
		if t := &m.Toolkits[i]; t.Has(fact.PartNvcc) && (best == nil || rank(m, t, best) > 0) {
			best = t
		}
	}
	if best == nil {
		return Pick{By: ByNone, Reason: "no toolkit with nvcc is installed"}
	}
	return pick(best, ByNewest, newestReason(m, best))
}

func rank(m fact.Machine, a, b *fact.Toolkit) int {
	return cmp.Or(
		truth(len(Fits(m, *a)) == 0, len(Fits(m, *b)) == 0),
		truth(Complete(*a), Complete(*b)),
		truth(len(cautions(m, *a)) == 0, len(cautions(m, *b)) == 0),
		Release(*a).Compare(Release(*b)),
	)
}

func newestReason(m fact.Machine, t *fact.Toolkit) string {
	if len(m.Toolkits) == 1 {
		return "the only toolkit here" + flaws(m, t)
	}
	return "the newest toolkit that fits this machine best" + flaws(m, t)
}

func flaws(m fact.Machine, t *fact.Toolkit) string {
	list := Fits(m, *t)
	if len(t.Missing) > 0 {
		list = append(list, "it lacks "+strings.Join(t.Missing, ", "))
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(" (but %s)", strings.Join(list, "; "))
}
