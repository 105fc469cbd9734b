package cli

import (
	"bytes"
	"testing"
	"time"

	"cupel/internal/progress"
	"cupel/internal/version"
)

// TestProgressLines: a log gets a line for each part now and then and one at its end, however often work reports.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	l := &lines{out: &out, every: 5 * time.Second, now: func() time.Time { return now }, said: map[string]time.Time{}}
	at := func(after time.Duration, e progress.Event) {
		now = now.Add(after)
		l.take(e)
	}
	step := func(done int64) progress.Event {
		return progress.Event{Phase: progress.Fetch, Item: "a", Done: done, Total: 1000}
	}
	at(0, step(1))
	at(time.Second, step(2))
	at(5*time.Second, step(500))
	at(time.Second, step(501))
	at(time.Second, step(1000))
	at(time.Second, step(1000))
	at(0, progress.Event{Phase: progress.Fetch, Item: "b", Done: 7, Total: 7})
	at(0, progress.Event{Phase: progress.Prove, Text: "done"})
	at(0, progress.Event{Phase: progress.Prove, Text: "done too"})
	want := "fetch a: 500 bytes of 1 kB\nfetch a: 1 kB of 1 kB\nfetch b: 7 bytes of 7 bytes\nprove: done\nprove: done too\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestAcceptedGCC(t *testing.T) {
	got := acceptedGCC(version.MustParse("12.4"))
	if len(got) < 2 || got[0] != 13 || got[1] != 12 {
		t.Errorf("acceptedGCC(12.4) = %v, want 13, 12 and older", got)
	}
}
