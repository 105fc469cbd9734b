package closure

import (
	"bytes"
	"io"
	"time"
)

// clock passes a preprocessed text on and looks whether the time of the compilation stands in it, as __DATE__ and __TIME__
// write it. However that came there (words put together by macros, a word of the command line), the result is one of this
// moment.
type clock struct {
	r     io.Reader
	marks [][]byte
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
	c := &clock{r: r}
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

func (c *clock) search(text []byte) {
	for _, m := range c.marks {
		if c.seen == "" && bytes.Contains(text, m) {
			c.seen = string(m)
		}
	}
}
