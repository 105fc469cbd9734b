package contract

import (
	"fmt"
	"strings"

	"cupel/internal/version"
)

// Range is a set of versions without gaps: from low on, and below high where high is known. A bound written with
// fewer parts stands for all it covers: <=13 takes 13.2, >12.4 begins with 12.5, and 12.5 alone is every 12.5.x.
type Range struct {
	low, high version.V
	text      string
}

// After is the first version behind everything that v covers: 12.6 for 12.5.
func After(v version.V) version.V {
	parts := make([]int, v.Parts())
	for i := range parts {
		parts[i] = v.Part(i)
	}
	parts[len(parts)-1]++
	return version.Of(parts...)
}

// operators, longer ones first: each gives the bounds that it sets.
var operators = []struct {
	sign   string
	bounds func(v version.V) (low, high version.V)
}{
	{">=", func(v version.V) (version.V, version.V) { return v, version.V{} }},
	{"<=", func(v version.V) (version.V, version.V) { return version.V{}, After(v) }},
	{">", func(v version.V) (version.V, version.V) { return After(v), version.V{} }},
	{"<", func(v version.V) (version.V, version.V) { return version.V{}, v }},
	{"=", func(v version.V) (version.V, version.V) { return v, After(v) }},
	{"", func(v version.V) (version.V, version.V) { return v, After(v) }},
}

// ParseRange reads comma separated bounds.
func ParseRange(text string) (Range, error) {
	r := Range{text: strings.TrimSpace(text)}
	for term := range strings.SplitSeq(r.text, ",") {
		if err := r.add(strings.TrimSpace(term)); err != nil {
			return Range{}, err
		}
	}
	return r, nil
}

func (r *Range) add(term string) error {
	for _, op := range operators {
		rest, ok := strings.CutPrefix(term, op.sign)
		if !ok {
			continue
		}
		v, err := version.Parse(strings.TrimSpace(rest))
		if err != nil {
			return badForm(rangeHint(term), "%q is not a bound of versions", term)
		}
		low, high := op.bounds(v)
		if r.low.Less(low) {
			r.low = low
		}
		if !high.IsZero() && (r.high.IsZero() || high.Less(r.high)) {
			r.high = high
		}
		return nil
	}
	return nil
}

// foreign are spellings of other tools, with what is written here instead.
var foreign = []struct{ mark, hint string }{
	{"*", "12 already means every 12.x, and 12.5 every 12.5.x: leave the star out"},
	{".x", "12 already means every 12.x, and 12.5 every 12.5.x: leave the x out"},
	{"==", "write = once, or nothing: =12.5 and 12.5 are the same"},
	{"!=", "a range has no gaps: list what does not work under exclude"},
	{"||", "a range has no gaps: write one"},
	{"~", "write both bounds: >=12.4, <13"},
	{"^", "write both bounds: >=12.4, <13"},
	{"+", "write >=12.4"},
	{"-", "write >=12.4, <=12.6"},
	{" ", "put a comma between two bounds: >=12.4, <13"},
}

func rangeHint(term string) string {
	for _, f := range foreign {
		if strings.Contains(term, f.mark) {
			return f.hint
		}
	}
	return "write bounds such as >=12.4, <13, separated by commas"
}

// Has says that the version is in the range; an unknown version never is.
func (r Range) Has(v version.V) bool {
	return !v.IsZero() && !v.Less(r.low) && (r.high.IsZero() || v.Less(r.high))
}

// Empty says that no version at all can be in the range.
func (r Range) Empty() bool {
	return !r.high.IsZero() && (!r.low.Less(r.high) || !version.Of(0).Less(r.high))
}

// IsZero says that there is no range; it would hold everything.
func (r Range) IsZero() bool { return r == Range{} }

// Low is the first version of the range, unknown when it has no lower bound; High is the first one after it,
// unknown when it has no upper bound.
func (r Range) Low() version.V  { return r.low }
func (r Range) High() version.V { return r.high }

// String is the range as it was written.
func (r Range) String() string { return r.text }

// MarshalText writes it as it was written.
func (r Range) MarshalText() ([]byte, error) { return []byte(r.text), nil }

// UnmarshalText refuses a range that holds nothing: it is never what was meant.
func (r *Range) UnmarshalText(text []byte) error {
	parsed, err := ParseRange(string(text))
	if err != nil {
		return err
	}
	if parsed.Empty() {
		return &problem{id: "contract-empty-range", what: fmt.Sprintf("the range %q excludes every version", parsed.text),
			why: emptyWhy(parsed), next: note("swap the bounds, or drop one of them")}
	}
	*r = parsed
	return nil
}

func emptyWhy(r Range) string {
	if r.low.IsZero() {
		return fmt.Sprintf("nothing is below %s", r.high)
	}
	return fmt.Sprintf("it begins with %s and ends before %s", r.low, r.high)
}
