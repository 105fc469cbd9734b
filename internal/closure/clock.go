package closure

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// clock passes a preprocessed text on and looks whether the time of the compilation stands in it, as __DATE__ and __TIME__
// write it. However that came there (words put together by macros, a word of the command line), the result is one of this
// moment.
type clock struct {
	r     io.Reader
	marks [][]byte
	any   bool   // any time of day is one: which it is here cannot be told
	tail  []byte // the end of what was passed on: a mark may lie on the border
	seen  string
}

// longestMark is that of a date.
const longestMark = len(`"Jan  2 2006"`)

// newClock looks for all minutes between two moments, the last of many days.
func newClock(r io.Reader, from, to time.Time) *clock {
	const most = 48 * time.Hour
	if to.Sub(from) > most {
		from = to.Add(-most)
	}
	c := &clock{r: r, any: !zoneKnown(os.Getenv("TZ"))}
	if c.any { // it may be another day there
		for _, day := range []int{-1, 0, 1} {
			c.marks = append(c.marks, []byte(to.UTC().AddDate(0, 0, day).Format(`"Jan _2 2006"`)))
		}
	}
	last := ""
	for t := from.Truncate(time.Second); ; t = t.Add(time.Minute) {
		if t.After(to) {
			t = to
		}
		if date := t.Local().Format(`"Jan _2 2006"`); date != last {
			c.marks, last = append(c.marks, []byte(date)), date
		}
		c.marks = append(c.marks, []byte(t.Local().Format(`"15:04:`)))
		if !t.Before(to) {
			return c
		}
	}
}

func (c *clock) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.tail = append(c.tail, p[:min(n, longestMark)]...)
	c.search(c.tail)
	c.search(p[:n])
	last := c.tail
	if n >= longestMark {
		last = p[:n]
	}
	c.tail = append(c.tail[:0], last[max(0, len(last)-longestMark):]...)
	return n, err
}

// zoneKnown: Go reads a zone by its name or file, and takes UTC for what else TZ may say (CST-8, by POSIX).
func zoneKnown(tz string) bool {
	name := strings.TrimPrefix(tz, ":")
	if name == "" || filepath.IsAbs(name) {
		return true
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// timeOfDay: a string that is one stands in the text.
func timeOfDay(text []byte) string {
	const form = `"00:00:00"`
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '"')
		if i < 0 || len(text)-at-i < len(form) {
			return ""
		}
		at += i
		if bytes.Equal(bytes.Map(digit, text[at:at+len(form)]), []byte(form)) {
			return string(text[at : at+len(form)])
		}
	}
}

func digit(r rune) rune {
	if r >= '0' && r <= '9' {
		return '0'
	}
	return r
}

func (c *clock) search(text []byte) {
	if c.any && c.seen == "" {
		c.seen = timeOfDay(text)
	}
	for _, m := range c.marks {
		if c.seen == "" && bytes.Contains(text, m) {
			c.seen = string(m)
		}
	}
}
