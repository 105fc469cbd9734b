package trial

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// tailSize bounds what of the output is kept in memory and shown.
const tailSize = 64 << 10

// output is where a command's words go: to the person, to the log, and their end into the outcome.
type output struct {
	stdout, stderr io.Writer
	tail           *tail
	log            *os.File
	path           string
}

func newOutput(req Request) (*output, error) {
	o := &output{tail: &tail{}}
	kept := io.Writer(o.tail)
	if req.LogDir != "" {
		f, err := newLog(req)
		if err != nil {
			return nil, err
		}
		o.log, o.path = f, f.Name()
		fmt.Fprintf(f, "$ %s\n", req.Config.Command.Text())
		kept = io.MultiWriter(o.tail, f)
	}
	both := &locked{w: kept}
	o.stdout, o.stderr = tee(both, req.Stdout), tee(both, req.Stderr)
	return o, nil
}

func (o *output) close() {
	if o.log != nil {
		_ = o.log.Close()
	}
}

// fileName is a config's name as a file may be called on every system.
func fileName(name string) string {
	keep := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}
	if out := strings.Trim(strings.Map(keep, name), "."); out != "" {
		return out
	}
	return "config"
}

// tee writes to what is kept first: a terminal that is gone must not cost the log.
func tee(kept, shown io.Writer) io.Writer {
	if shown == nil {
		return kept
	}
	return &pair{kept: kept, shown: shown}
}

type pair struct{ kept, shown io.Writer }

func (p *pair) Write(b []byte) (int, error) {
	n, err := p.kept.Write(b)
	_, _ = p.shown.Write(b)
	return n, err
}

// locked lets both streams write into one place.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// tail keeps the last tailSize bytes.
type tail struct {
	b   []byte
	cut bool
}

func (t *tail) Write(b []byte) (int, error) {
	t.b = append(t.b, b...)
	// Cut rarely: moving 64 KiB for every line of a chatty build would cost more than the build writes.
	if len(t.b) > 2*tailSize {
		t.b, t.cut = append(t.b[:0], t.b[len(t.b)-tailSize:]...), true
	}
	return len(b), nil
}

// String is the end of the output, from the beginning of a line.
func (t *tail) String() string {
	b, cut := t.b, t.cut
	if len(b) > tailSize {
		b, cut = b[len(b)-tailSize:], true
	}
	text := string(b)
	if cut {
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
