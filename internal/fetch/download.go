package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// restarts bounds how often a file that changes under our hands is begun anew.
const restarts = 3

// download brings a file from a server.
func (c Client) download(ctx context.Context, r Request) error {
	if err := usable(r.URL); err != nil {
		return fmt.Errorf("fetch: the address %w", err)
	}
	for begun := 0; ; begun++ {
		err := c.attempt(ctx, r)
		if errors.Is(err, errChanged) && begun < restarts {
			os.Remove(r.To + ".state")
			continue
		}
		if err == nil {
			return c.failed(r.URL, finish(r))
		}
		tidy(r)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return c.failed(r.URL, err)
	}
}

// tidy removes a part that nobody can go on from.
func tidy(r Request) {
	if l := readLedger(r); l == nil || l.have() == 0 {
		os.Remove(r.To + ".part")
		os.Remove(r.To + ".state")
	}
}

// job is one file on its way.
type job struct {
	Client
	r     Request
	part  *os.File
	book  *ledger
	meter *meter
	came  atomic.Bool // a byte came in this call: then the server is there, and trouble passes
}

func (c Client) attempt(ctx context.Context, r Request) error {
	part, err := os.OpenFile(r.To+".part", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	j := &job{Client: c, r: r, part: part, book: readLedger(r), meter: newMeter(r, r.Size)}
	defer func() {
		part.Close()
		if j.book != nil {
			j.book.close()
		}
	}()
	if j.book != nil {
		if err := j.book.begin(); err != nil {
			return err
		}
		j.meter.set(j.book.have(), j.book.size)
		return j.rest(ctx, nil, span{})
	}
	return j.fresh(ctx)
}

// fresh asks for the first piece; the answer tells whether the server knows ranges.
func (j *job) fresh(ctx context.Context) error {
	resp, err := j.patiently(ctx, func() (*reply, error) { return j.piece(ctx, span{0, j.Chunk}, "") })
	if err != nil {
		return err
	}
	if resp.StatusCode == http.StatusOK {
		return j.stream(ctx, resp)
	}
	from, to, total, ok := contentRange(resp.Header.Get("Content-Range"))
	if !ok || from != 0 || total < 0 {
		resp.Close()
		return j.stream(ctx, nil)
	}
	if err := j.begin(total, resp.tag()); err != nil {
		resp.Close()
		return err
	}
	return j.rest(ctx, resp, span{0, min(to, j.Chunk, total)})
}

// begin empties the part file and starts its ledger.
func (j *job) begin(total int64, tag string) error {
	if j.r.Size > 0 && total > 0 && total != j.r.Size {
		return WrongSize{Address: Shown(j.r.URL), Got: total, Want: j.r.Size}
	}
	if err := j.part.Truncate(0); err != nil {
		return err
	}
	if err := j.part.Truncate(max(total, 0)); err != nil {
		return err
	}
	if j.book != nil {
		j.book.close()
	}
	j.book = &ledger{path: j.r.To + ".state", of: of(j.r), size: total, tag: tag}
	j.meter.set(0, total)
	return j.book.begin()
}

// work is a span to bring, with the answer that holds it when there is one already.
type work struct {
	span
	resp *reply
}

// rest brings what is missing, several pieces at once. first is an answer that is here already, for its span.
func (j *job) rest(ctx context.Context, first *reply, of span) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := j.todo(first, of)
	var all sync.WaitGroup
	for range min(j.Parts, len(todo)) {
		all.Go(func() {
			for w := range todo {
				if err := j.bring(ctx, w.span, w.resp); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// todo is a queue of everything that is missing.
func (j *job) todo(first *reply, of span) <-chan work {
	var list []work
	for _, s := range j.book.missing(j.Chunk) {
		if first != nil && s.from == of.from {
			list = append(list, work{of, first})
			s.from = of.to // the server may give less than was asked for
		}
		if s.len() > 0 {
			list = append(list, work{span: s})
		}
	}
	queue := make(chan work, len(list))
	for _, w := range list {
		queue <- w
	}
	close(queue)
	return queue
}

// pausing waits before another try, longer each time.
func (c Client) pausing(ctx context.Context, failures int) error {
	wait := min(c.Pause<<min(failures-1, 16), maxPause)
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
