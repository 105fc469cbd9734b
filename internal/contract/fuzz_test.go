package contract

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// FuzzParse wants a contract or findings for any bytes, and every place inside the file.
func FuzzParse(f *testing.F) {
	for _, tt := range problemCases {
		if len(tt.text) < 4096 {
			f.Add([]byte(tt.text))
		}
	}
	f.Add([]byte(layered))
	f.Add([]byte(conflicting))
	if b, err := os.ReadFile(specPath); err == nil {
		_, text, _ := strings.Cut(string(b), "\n```toml\n")
		text, _, _ = strings.Cut(text, "```")
		f.Add([]byte(text))
	}
	place := regexp.MustCompile(`^cupel\.toml:(\d+):(\d+)$`)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, all := Parse("cupel.toml", data)
		if (c == nil) != (len(all) > 0) {
			t.Fatalf("Parse(%q) gave contract %t and %d findings", data, c != nil, len(all))
		}
		for _, found := range all {
			m := place.FindStringSubmatch(found.Where)
			if m == nil || found.What == "" || found.Why == "" || len(found.Next) == 0 {
				t.Fatalf("Parse(%q): incomplete finding %+v", data, found)
			}
			if err := within(data, m[1], m[2]); err != nil {
				t.Fatalf("Parse(%q): %s: %v", data, found.Where, err)
			}
		}
		if c != nil {
			use(t, c)
		}
	})
}

// within says whether a line and a column are in the text or right behind it.
func within(data []byte, line, col string) error {
	l, _ := strconv.Atoi(line)
	n, _ := strconv.Atoi(col)
	lines := strings.Split(string(data), "\n")
	if l < 1 || l > len(lines) {
		return fmt.Errorf("the file has %d lines", len(lines))
	}
	if width := len([]rune(lines[l-1])); n < 1 || n > width+1 {
		return fmt.Errorf("the line has %d characters", width)
	}
	return nil
}

// use asks a contract everything.
func use(t *testing.T, c *Contract) {
	for _, p := range everywhere {
		r := c.For(p)
		for _, v := range releases() {
			r.Targets(v)
		}
	}
	for _, l := range c.Lines() {
		if l.Pos.Line == 0 || l.Text == "" || c.At(l.Key) != l.Pos {
			t.Fatalf("line %+v has no place", l)
		}
		if after := c.Without(l.Key).Lines(); len(after) >= len(c.Lines()) {
			t.Fatalf("without %s there are still %d lines", l.Key, len(after))
		}
	}
}
