package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// stream brings the file from its first to its last byte, from a server that knows no ranges. A broken connection means
// the beginning again; that goes on as long as each try comes further than all before it.
func (j *job) stream(ctx context.Context, resp *reply) error {
	furthest, failures := int64(0), 0
	for {
		n, err := j.once(ctx, resp)
		resp = nil
		if err == nil {
			return nil
		}
		if j.final(ctx, err) {
			return err
		}
		if n > furthest {
			furthest, failures = n, 0
			j.came.Store(true)
		}
		if failures++; failures >= j.Tries {
			return err
		}
		if err := j.pausing(ctx, failures); err != nil {
			return err
		}
	}
}

// once is one try at all of it.
func (j *job) once(ctx context.Context, resp *reply) (n int64, err error) {
	if resp == nil {
		if resp, err = j.ask(ctx, http.MethodGet, j.r.URL, nil); err != nil {
			return 0, err
		}
	}
	defer resp.Close()
	if resp.StatusCode != http.StatusOK {
		err, again := refusal(j.r.URL, resp.Response)
		return 0, passing{err, again}
	}
	promised := resp.ContentLength // -1 when the server does not say
	if err := j.begin(max(promised, 0), resp.tag()); err != nil {
		return 0, err
	}
	limit := or(j.r.Size, largest)
	n, err = j.pour(resp, limit)
	switch {
	case err != nil:
		return n, err
	case n > limit:
		return n, WrongSize{Address: Shown(j.r.URL), Got: n, Want: j.r.Size, AtLeast: true}
	case promised >= 0 && n < promised, j.r.Size > 0 && n < j.r.Size:
		return n, errDropped
	}
	return n, nil
}

// pour writes a body from the start of the part file, one byte over the limit at most.
func (j *job) pour(resp *reply, limit int64) (n int64, err error) {
	buf := make([]byte, 128<<10)
	for n <= limit {
		got, err := resp.Read(buf[:min(int64(len(buf)), limit+1-n)])
		if got > 0 {
			if _, err := j.part.WriteAt(buf[:got], n); err != nil {
				return n, err
			}
			n += int64(got)
			j.meter.add(int64(got))
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
