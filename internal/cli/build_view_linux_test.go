package cli

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"cupel/internal/build"
	"cupel/internal/testbed"
)

// TestBuildViewOnTerminal: a build of many short calls that say something comes to its end while a bar is drawn. The drawing asks the
// view for its line, and the view waits for the drawing: one lock for both stood still within some hundred events.
func TestBuildViewOnTerminal(t *testing.T) {
	const steps, patience = 20000, 2 * time.Minute
	master, slave := testbed.Terminal(t)
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 120}); err != nil {
		t.Fatal(err)
	}
	shown := make(chan string)
	go func() {
		var text strings.Builder
		_, _ = io.Copy(&text, master) // ends with an error when the other side is closed
		shown <- text.String()
	}()
	v := newBuildView(slave, viewOptions{})
	over := make(chan bool)
	go func() {
		defer close(over)
		for i := range steps {
			step := build.Step{Out: fmt.Sprintf("o/k%d", i), How: build.Built, Said: "a warning\n"}
			v.take(build.Event{State: "started", Step: step, Done: i, Total: steps})
			v.take(build.Event{State: "ended", Step: step, Done: i + 1, Total: steps})
		}
		v.end()
	}()
	select {
	case <-over:
	case <-time.After(patience):
		stacks := make([]byte, 1<<20)
		t.Fatalf("it stands still:\n%s", stacks[:runtime.Stack(stacks, true)])
	}
	_ = slave.Close()
	if got := <-shown; strings.Count(got, "a warning\r\n") != steps || !strings.Contains(got, "[==") {
		t.Errorf("of %d warnings %d are shown, the bar %t", steps, strings.Count(got, "a warning\r\n"), strings.Contains(got, "[=="))
	}
}
