package review

import (
	"slices"

	"cupel/internal/mend/choose"
)

// repairs collects what was changed, by the repair and its words, with the fix that makes it needless.
func (j *judge) repairs() []Repaired {
	var out []Repaired
	for _, w := range j.works {
		for _, c := range w.Begin.Changes {
			at := slices.IndexFunc(out, func(r Repaired) bool {
				return r.Fix == c.Fix && r.Why == c.Why && slices.Equal(r.Before, c.Before) && slices.Equal(r.After, c.After)
			})
			if at < 0 {
				at = len(out)
				text, paste := choose.Permanent(c.Fix, len(c.Before) > 0)
				out = append(out, Repaired{Fix: c.Fix, Why: c.Why, Before: c.Before, After: c.After, Permanent: text, Paste: paste})
			}
			out[at].Calls = append(out[at].Calls, w.id())
		}
	}
	return out
}
