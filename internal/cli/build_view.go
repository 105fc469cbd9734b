package cli

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"cupel/internal/build"
	"cupel/internal/nvcc"
	"cupel/internal/render"
)

type viewOptions struct {
	root      string
	verbose   bool // the calls too
	quiet     bool // only what compilers say
	resources bool // ptxas tells what kernels take
}

// buildView shows a build while it goes on: a bar with the calls that run longest on a terminal, else a line for each step
// that was built. What a compiler says is shown whole, when it ended.
type buildView struct {
	opt  viewOptions
	out  io.Writer
	turn sync.Mutex // one event after the other; held while mpb is called
	bars *mpb.Progress
	bar  *mpb.Bar
	over bool

	// What line reads. mpb draws in a goroutine of its own, which calls line, and each call of mpb waits for that goroutine: who holds mu may
	// not call mpb.
	mu      sync.Mutex
	running []running
	waiting build.Event // of the step that is next and cannot start yet; told once, so it stays until that one goes on
	last    build.Event
}

type running struct {
	out   string
	since time.Time
}

func newBuildView(w io.Writer, o viewOptions) *buildView {
	v := &buildView{opt: o, out: w}
	if f, ok := w.(*os.File); ok && canDraw(f) && !o.quiet {
		v.bars = mpb.New(mpb.WithOutput(f), mpb.WithRefreshRate(150*time.Millisecond))
	}
	return v
}

func (v *buildView) take(e build.Event) {
	v.turn.Lock()
	defer v.turn.Unlock()
	if v.over {
		return
	}
	v.note(e)
	v.draw(e)
	v.tell(e)
}

func (v *buildView) note(e build.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = e
	if e.State == "waiting" {
		v.waiting = e
	} else if e.Step.Out == v.waiting.Step.Out {
		v.waiting = build.Event{}
	}
	switch e.State {
	case "started":
		v.running = append(v.running, running{e.Step.Out, time.Now()})
	case "ended":
		v.running = slices.DeleteFunc(v.running, func(r running) bool { return r.out == e.Step.Out })
	}
}

// draw moves the bar; it comes with the first step that runs.
func (v *buildView) draw(e build.Event) {
	if v.bars == nil {
		return
	}
	if v.bar == nil && e.State == "started" {
		v.bar = v.bars.New(int64(e.Total), mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"), mpb.BarRemoveOnComplete(), mpb.BarWidth(24),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return v.line() })))
	}
	if v.bar != nil {
		v.bar.SetCurrent(int64(e.Done))
	}
}

// line is what stands behind the bar.
func (v *buildView) line() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	text := fmt.Sprintf("%d/%d", v.last.Done, v.last.Total)
	if v.last.Hits > 0 {
		text += fmt.Sprintf(", %d cached", v.last.Hits)
	}
	for i, r := range v.running {
		if i == 2 {
			text += fmt.Sprintf("  +%d", len(v.running)-2)
			break
		}
		text += fmt.Sprintf("  %s %.0f s", render.Line(shortOut(r.out)), time.Since(r.since).Seconds())
	}
	if w := v.waiting; w.Waits != "" {
		text += fmt.Sprintf("  %s waits for %s", render.Line(shortOut(w.Step.Out)), w.Waits)
	}
	return text
}

func shortOut(path string) string {
	if at := strings.LastIndexAny(path, `/\`); at >= 0 {
		return path[at+1:]
	}
	return path
}

// tell writes what stays: steps that ran, and what compilers said.
func (v *buildView) tell(e build.Event) {
	var b strings.Builder
	s := e.Step
	switch {
	case e.State == "started" || e.State == "waiting" && !v.opt.verbose:
		return
	case e.State == "waiting":
		v.write(fmt.Sprintf("[%d/%d] %s waits for %s\n", e.Done, e.Total, render.Line(s.Out), e.Waits))
		return
	}
	ran := s.How == build.Built || s.How == build.Failed
	if ran && (!v.opt.quiet && v.bars == nil || s.How == build.Failed || v.said(s) != "") || v.opt.verbose {
		fmt.Fprintf(&b, "[%d/%d] %s\n", e.Done, e.Total, render.BuildStep(s, false))
	}
	if v.opt.verbose && ran {
		fmt.Fprintf(&b, "  %s\n", render.Line(nvcc.Paste(s.Argv, runtime.GOOS == "windows")))
	}
	if said := v.said(s); said != "" && (ran || s.How == build.Cached) {
		b.WriteString(printed(said))
	}
	v.write(b.String())
}

// write is above the bar, where there is one.
func (v *buildView) write(text string) {
	var w io.Writer = v.out
	if v.bars != nil {
		w = v.bars
	}
	if text != "" {
		_, _ = io.WriteString(w, text)
	}
}

// printed is what a compiler said as it said it: carets stand below their words only when no line is moved and tabs stay.
// What would move the cursor is made visible.
func printed(said string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(said, "\r\n")) {
		for i, part := range strings.Split(strings.TrimRight(line, "\r\n"), "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(render.Line(part))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// said is what the compiler said, without what ptxas was asked for and the table shows.
func (v *buildView) said(s build.Step) string {
	if !v.opt.resources || s.How == build.Failed {
		return s.Said
	}
	var b strings.Builder
	info := false
	for line := range strings.Lines(s.Said) {
		info = strings.HasPrefix(line, "ptxas info") || strings.HasPrefix(line, "nvlink info") || info && strings.HasPrefix(line, " ")
		if !info {
			b.WriteString(line)
		}
	}
	return b.String()
}

// end takes the bar away.
func (v *buildView) end() {
	v.turn.Lock()
	defer v.turn.Unlock()
	over := v.over
	v.over = true
	if over || v.bars == nil {
		return
	}
	if v.bar != nil {
		v.bar.Abort(true)
	}
	v.bars.Wait()
}
