package fetch

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
)

// Read brings a small document, no more than limit bytes of it.
func (c Client) Read(ctx context.Context, address string, limit int64) ([]byte, error) {
	c = c.Ready()
	if path, ok := Local(address); ok {
		return readLocal(path, limit)
	}
	if err := usable(address); err != nil {
		return nil, fmt.Errorf("fetch: the address %w", err)
	}
	j := &job{Client: c, r: Request{URL: address}}
	var body []byte
	_, err := j.patiently(ctx, func() (*reply, error) {
		resp, err := c.ask(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, err
		}
		defer resp.Close()
		if resp.StatusCode != http.StatusOK {
			err, again := refusal(address, resp.Response)
			return nil, passing{err, again}
		}
		body, err = io.ReadAll(io.LimitReader(resp, limit+1))
		return resp, err
	})
	if ctx.Err() != nil && err != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, c.failed(address, err)
	}
	return bounded(body, Shown(address), limit)
}

func readLocal(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, localFailure(path, err)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, localFailure(path, err)
	}
	return bounded(body, path, limit)
}

func bounded(body []byte, address string, limit int64) ([]byte, error) {
	if int64(len(body)) > limit {
		return nil, WrongSize{Address: address, Got: int64(len(body)), Want: limit, AtLeast: true}
	}
	return body, nil
}

// Head asks once, without patience, whether a file is there. The error says what the server answers, or that none does.
func (c Client) Head(ctx context.Context, address string) error {
	c = c.Ready()
	if path, ok := Local(address); ok {
		if _, err := os.Stat(path); err != nil {
			return localFailure(path, err)
		}
		return nil
	}
	if err := usable(address); err != nil {
		return fmt.Errorf("fetch: the address %w", err)
	}
	resp, err := c.ask(ctx, http.MethodHead, address, nil)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return c.failed(address, err)
	}
	defer resp.Close()
	if resp.StatusCode != http.StatusOK {
		err, _ := refusal(address, resp.Response)
		return err
	}
	return nil
}
