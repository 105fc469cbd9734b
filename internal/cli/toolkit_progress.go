package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"cupel/internal/progress"
	"cupel/internal/render"
)

// showProgress draws long work on w: bars on a terminal, else a line for each part now and then. end leaves the
// terminal as it was and must be called before anything else is written there.
func showProgress(w io.Writer) (report progress.Report, end func()) {
	if f, ok := w.(*os.File); ok && canDraw(f) {
		b := &bars{all: mpb.New(mpb.WithOutput(f), mpb.WithRefreshRate(150*time.Millisecond)), open: map[string]*mpb.Bar{}}
		return b.take, b.end
	}
	l := &lines{out: w, every: 5 * time.Second, now: time.Now, said: map[string]time.Time{}}
	return l.take, func() {}
}

// canDraw: a terminal that does not tell its width (some CI systems have such) would show nothing of a bar.
func canDraw(f *os.File) bool {
	width, _, err := term.GetSize(int(f.Fd()))
	return err == nil && width > 0 && os.Getenv("TERM") != "dumb"
}

// bars are drawn one for each part under way; a part that is done goes away.
type bars struct {
	mu   sync.Mutex
	all  *mpb.Progress
	open map[string]*mpb.Bar
}

func (b *bars) take(e progress.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all == nil {
		return // a straggler after the end
	}
	if e.Item == "" || e.Text != "" || e.Total <= 0 {
		if e.Text != "" {
			fmt.Fprintln(b.all, render.Progress(e))
		}
		return
	}
	key := e.Phase + " " + e.Item
	bar, ok := b.open[key]
	if !ok {
		bar = b.all.New(e.Total, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"), mpb.BarRemoveOnComplete(), mpb.BarWidth(30),
			mpb.PrependDecorators(decor.Name(render.Line(fmt.Sprintf("%-8s%s", e.Phase, e.Item)), decor.WC{W: 44, C: decor.DindentRight})),
			mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
				return render.Amount(progress.Event{Phase: e.Phase, Done: s.Current, Total: s.Total})
			}, decor.WCSyncSpace)))
		b.open[key] = bar
	}
	bar.SetCurrent(e.Done)
}

// end takes down the bars that work left unfinished: it failed, or was interrupted.
func (b *bars) end() {
	b.mu.Lock()
	all := b.all
	b.all = nil
	for _, bar := range b.open {
		bar.Abort(true)
	}
	b.mu.Unlock()
	if all != nil {
		all.Wait()
	}
}

// lines are for logs: one for each part every few seconds, and one when it is done.
type lines struct {
	mu    sync.Mutex
	out   io.Writer
	every time.Duration
	now   func() time.Time
	said  map[string]time.Time
}

func (l *lines) take(e progress.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := e.Phase + " " + e.Item
	last, begun := l.said[key]
	now := l.now()
	done := e.Total > 0 && e.Done >= e.Total
	switch {
	case e.Text != "":
	case !begun && !done:
		l.said[key] = now // silence for what is over in a moment
		return
	case last.IsZero() && begun:
		return // its end was told
	case !done && now.Sub(last) < l.every:
		return
	}
	if e.Text == "" {
		l.said[key] = now
	}
	if done {
		l.said[key] = time.Time{}
	}
	fmt.Fprintln(l.out, render.Progress(e))
}
