package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// CacheStats is the answer of cupel cache stats (cupel.cache-stats/1).
type CacheStats struct {
	Format   string        `json:"format"`
	Cupel    string        `json:"cupel"`
	Findings []any         `json:"findings"`
	Dir      string        `json:"dir"`
	Missing  bool          `json:"missing,omitempty"` // nothing was kept there yet
	Bytes    int64         `json:"bytes"`
	Limit    int64         `json:"limit"`
	Blobs    int64         `json:"blobs"`
	Notes    int64         `json:"notes"`
	Hits     int64         `json:"hits"`
	Misses   int64         `json:"misses"`
	Uncached int64         `json:"uncached"`
	Unsaved  int64         `json:"unsaved,omitempty"` // results that could not be written: a full disk
	Reasons  []CacheReason `json:"reasons"`
}

// CacheReason is why calls were compiled, with how often.
type CacheReason struct {
	Kind   string `json:"kind"` // miss, uncached
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
	Count  int64  `json:"count"`
}

// CacheStats writes them.
func (s Style) CacheStats(a CacheStats) string {
	var b strings.Builder
	fmt.Fprintf(&b, "store     %s", clean(a.Dir))
	if a.Missing {
		b.WriteString(" (not there yet)")
	}
	fmt.Fprintf(&b, "\nsize      %s of %s, %s\n", bytesShown(a.Bytes), bytesShown(a.Limit), count(int(a.Blobs), "result"))
	fmt.Fprintf(&b, "hits      %d", a.Hits)
	if all := a.Hits + a.Misses; all > 0 {
		fmt.Fprintf(&b, " (%d %% of %s that could be)", a.Hits*100/all, count(int(all), "call"))
	}
	fmt.Fprintf(&b, "\nmisses    %d\nuncached  %d\n", a.Misses, a.Uncached)
	if a.Unsaved > 0 {
		fmt.Fprintf(&b, "unsaved   %d\n", a.Unsaved)
	}
	var rows [][]string
	for _, r := range a.Reasons {
		rows = append(rows, []string{"  " + r.Kind, fmt.Sprint(r.Count), r.Reason, r.Text})
	}
	for _, line := range table(rows) {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func bytesShown(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KB", (n+1023)>>10)
}

// CacheTrim is the answer of cupel cache trim (cupel.cache-trim/1).
type CacheTrim struct {
	Format   string `json:"format"`
	Cupel    string `json:"cupel"`
	Findings []any  `json:"findings"`
	Dir      string `json:"dir"`
	Limit    int64  `json:"limit"`
	Files    int64  `json:"files"`
	Bytes    int64  `json:"bytes"`
	Left     int64  `json:"left"`
	Held     bool   `json:"held,omitempty"`
}

// CacheTrim writes what was taken away.
func (s Style) CacheTrim(a CacheTrim) string {
	if a.Held {
		return "another process trims the store right now: nothing was done\n"
	}
	return fmt.Sprintf("%s, %s taken away; %s left in %s\n", count(int(a.Files), "file"), bytesShown(a.Bytes), bytesShown(a.Left), clean(a.Dir))
}

// CacheVerify is the answer of cupel cache verify (cupel.cache-verify/1).
type CacheVerify struct {
	Format    string            `json:"format"`
	Cupel     string            `json:"cupel"`
	Findings  []any             `json:"findings"`
	Dir       string            `json:"dir"`
	Files     int               `json:"files"`          // that were read
	Torn      []string          `json:"torn,omitempty"` // taken away
	Kept      []CacheKept       `json:"kept,omitempty"`
	Quick     bool              `json:"quick,omitempty"` // no call was made again
	Same      int               `json:"same"`
	Different []CacheDifference `json:"different,omitempty"`
	Skipped   map[string]int    `json:"skipped"`
}

// CacheKept is a file of the store that could not be read, or is torn and could not be taken away.
type CacheKept struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// CacheDifference is a result that is not what its call makes now.
type CacheDifference struct {
	Key    string   `json:"key"`
	Source string   `json:"source"`
	Output string   `json:"output,omitempty"` // the file that the call makes
	Args   []string `json:"args"`
	Why    string   `json:"why"`
}

// CacheVerify writes what was read and what was compared.
func (s Style) CacheVerify(a CacheVerify) string {
	var b strings.Builder
	for _, path := range a.Torn {
		fmt.Fprintf(&b, "torn and taken away: %s\n", clean(path))
	}
	for _, k := range a.Kept {
		fmt.Fprintf(&b, "%s %s: %s\n", s.paint(yellow, "still there:"), clean(k.Path), clean(k.Why))
	}
	for _, d := range a.Different {
		fmt.Fprintf(&b, "%s %s → %s: %s\n  nvcc %s\n", s.paint(red, "different:"), clean(slashes(d.Source)), clean(slashes(d.Output)), clean(d.Why), clean(strings.Join(d.Args, " ")))
	}
	fmt.Fprintf(&b, "%s of the store read, %d torn", count(a.Files, "file"), len(a.Torn))
	if n := len(a.Kept); n > 0 {
		fmt.Fprintf(&b, ", %d still there", n)
	}
	b.WriteString("\n")
	if a.Quick {
		return b.String()
	}
	fmt.Fprintf(&b, "%s made again: %d the same, %d different\n", count(a.Same+len(a.Different), "call"), a.Same, len(a.Different))
	for _, reason := range slices.Sorted(maps.Keys(a.Skipped)) {
		fmt.Fprintf(&b, "  %d not made again: %s\n", a.Skipped[reason], clean(reason))
	}
	return b.String()
}
