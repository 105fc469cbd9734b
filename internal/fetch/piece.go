package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// keepEvery is how many bytes may be fetched again after a kill, on each connection.
const keepEvery = 1 << 20

// piece asks for a span; with a tag only of that version of the file. The answer is 200 or 206.
func (j *job) piece(ctx context.Context, s span, tag string) (*reply, error) {
	header := http.Header{"Range": {fmt.Sprintf("bytes=%d-%d", s.from, s.to-1)}}
	if tag != "" {
		header.Set("If-Range", tag)
	}
	resp, err := j.ask(ctx, http.MethodGet, j.r.URL, header)
	if err != nil {
		return nil, err
	}
	switch resp.StatusCode {
	case http.StatusOK, http.StatusPartialContent:
		return resp, nil
	case http.StatusRequestedRangeNotSatisfiable:
		resp.Close()
		if s.from == 0 { // an empty file has no first byte
			return j.ask(ctx, http.MethodGet, j.r.URL, nil)
		}
		return nil, errChanged
	}
	defer resp.Close()
	err, again := refusal(j.r.URL, resp.Response)
	return nil, passing{err, again}
}

// passing is an answer of the server that may be another one later.
type passing struct {
	error
	again bool
}

func (p passing) Unwrap() error { return p.error }

// final says that trying again is of no use.
func (j *job) final(ctx context.Context, err error) bool {
	var p passing
	switch {
	case ctx.Err() != nil, errors.Is(err, errChanged), isFileError(err), IsFull(err):
		return true
	case errors.As(err, &p):
		return !p.again
	}
	var size WrongSize
	return errors.As(err, &size) || hopeless(err) && !j.came.Load()
}

// patiently tries a request until it is answered, or until it makes no sense any more.
func (j *job) patiently(ctx context.Context, try func() (*reply, error)) (*reply, error) {
	for failures := 1; ; failures++ {
		resp, err := try()
		if err == nil {
			return resp, nil
		}
		if j.final(ctx, err) || failures >= j.Tries {
			return nil, err
		}
		if err := j.pausing(ctx, failures); err != nil {
			return nil, err
		}
	}
}

// bring fetches one span, however many connections it takes, as long as each brings something.
func (j *job) bring(ctx context.Context, s span, resp *reply) error {
	failures := 0
	for s.from < s.to {
		n, err := j.some(ctx, s, resp)
		resp = nil
		s.from += n
		if n > 0 {
			failures = 0
			j.came.Store(true)
		}
		if s.from >= s.to {
			break
		}
		if err == nil {
			err = errDropped // the answer ended early
		}
		if j.final(ctx, err) {
			return err
		}
		if n > 0 {
			continue
		}
		if failures++; failures >= j.Tries {
			return err
		}
		if err := j.pausing(ctx, failures); err != nil {
			return err
		}
	}
	return nil
}

// some writes as much of a span as one connection gives.
func (j *job) some(ctx context.Context, s span, resp *reply) (int64, error) {
	if resp == nil {
		var err error
		if resp, err = j.piece(ctx, s, j.book.tag); err != nil {
			return 0, err
		}
		if err := j.sameFile(resp, s); err != nil {
			resp.Close()
			return 0, err
		}
	}
	defer resp.Close()
	return j.write(resp, s)
}

// sameFile compares an answer with what is known of the file: a whole one instead of a piece, another length or another
// tag mean that it is not the one whose other pieces we have.
func (j *job) sameFile(resp *reply, s span) error {
	from, _, total, ok := contentRange(resp.Header.Get("Content-Range"))
	switch {
	case resp.StatusCode != http.StatusPartialContent, !ok || from != s.from, total >= 0 && total != j.book.size:
		return errChanged
	case j.book.tag != "" && resp.tag() != "" && resp.tag() != j.book.tag:
		return errChanged
	}
	return nil
}

// write puts what comes into the part file and says so in the ledger every now and then.
func (j *job) write(from io.Reader, s span) (n int64, err error) {
	buf := make([]byte, 128<<10)
	kept := s.from
	defer func() {
		if more := j.book.add(span{kept, s.from + n}); err == nil {
			err = more
		}
	}()
	for s.from+n < s.to {
		got, err := from.Read(buf[:min(int64(len(buf)), s.to-s.from-n)])
		if got > 0 {
			if _, err := j.part.WriteAt(buf[:got], s.from+n); err != nil {
				return n, err
			}
			n += int64(got)
			j.meter.add(int64(got))
			if at := s.from + n; at-kept >= keepEvery {
				if err := j.book.add(span{kept, at}); err != nil {
					return n, err
				}
				kept = at
			}
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
