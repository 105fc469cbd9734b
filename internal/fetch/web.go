package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// web is the one http client. It goes through the proxy that the environment names, asks for bytes as they are, and
// keeps to HTTP/1.1: over HTTP/2 all ranges of a file would share one connection.
func web() *http.Client {
	dialer := &net.Dialer{Timeout: dial, KeepAlive: 15 * time.Second}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         dialer.DialContext,
			TLSHandshakeTimeout: dial,
			DisableCompression:  true,
			MaxIdleConnsPerHost: 16,
			IdleConnTimeout:     30 * time.Second,
			TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{},
		},
		CheckRedirect: redirect,
	}
}

const redirects = 5

// redirect follows a few steps, and never from https to something that anybody on the way can change.
func redirect(next *http.Request, before []*http.Request) error {
	switch {
	case len(before) > redirects:
		return fmt.Errorf("%w more than %d times", errRedirect, redirects)
	case next.URL.Scheme == "https", next.URL.Scheme == "http" && before[0].URL.Scheme == "http":
		return nil
	}
	return fmt.Errorf("%w from %s to %s", errRedirect, before[0].URL.Scheme, Shown(next.URL.String()))
}

// reply is a server's answer whose body ends with an error when no byte comes for too long.
type reply struct {
	*http.Response
	ctx    context.Context
	cancel context.CancelCauseFunc
	watch  *time.Timer
	stall  time.Duration
}

// ask sends one request. The answer must be closed.
func (c Client) ask(ctx context.Context, method, address string, header http.Header) (*reply, error) {
	inner, cancel := context.WithCancelCause(ctx)
	req, err := http.NewRequestWithContext(inner, method, address, nil)
	if err != nil {
		cancel(nil)
		return nil, usable(address)
	}
	req.Header = header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set("User-Agent", c.Agent)
	watch := time.AfterFunc(c.Stall, func() { cancel(errStalled) })
	resp, err := c.web.Do(req)
	r := &reply{resp, inner, cancel, watch, c.Stall}
	if err != nil {
		err = r.cause(err)
		r.end()
		return nil, err
	}
	watch.Reset(c.Stall)
	return r, nil
}

// cause is why a request ended: our own reason counts before the transport's words for it.
func (r *reply) cause(err error) error {
	if cause := context.Cause(r.ctx); cause != nil {
		return cause
	}
	return err
}

func (r *reply) end() {
	r.watch.Stop()
	r.cancel(nil)
}

func (r *reply) Read(p []byte) (int, error) {
	n, err := r.Body.Read(p)
	if n > 0 {
		r.watch.Reset(r.stall)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = r.cause(err)
	}
	return n, err
}

func (r *reply) Close() {
	r.end()
	r.Body.Close()
}

// tag is how the server names this version of the file: only a strong name is good for putting halves together.
func (r *reply) tag() string {
	if tag := r.Header.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return r.Header.Get("Last-Modified")
}

// contentRange reads "bytes 0-99/1000". total is -1 when the server does not know.
func contentRange(text string) (from, to, total int64, ok bool) {
	span, size, found := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	first, last, dash := strings.Cut(span, "-")
	if !strings.HasPrefix(text, "bytes ") || !found || !dash {
		return 0, 0, 0, false
	}
	from, err1 := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(last, 10, 64)
	total, err3 := int64(-1), error(nil)
	if size != "*" {
		total, err3 = strconv.ParseInt(size, 10, 64)
	}
	ok = err1 == nil && err2 == nil && err3 == nil && from >= 0 && to >= from && to < 1<<62 && (total < 0 && size == "*" || total > to)
	return from, to + 1, total, ok
}

// refusal turns an answer that is no file into an error; again says that it may be another one later.
func refusal(address string, resp *http.Response) (err error, again bool) {
	code := resp.StatusCode
	why := strings.TrimSpace(fmt.Sprintf("the server answers %d %s", code, http.StatusText(code)))
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		why += ": it does not hand the file out to you"
	case http.StatusNotFound, http.StatusGone:
		why += ": it does not have the file"
	case http.StatusProxyAuthRequired:
		why += ": the proxy wants a name and a password (HTTPS_PROXY)"
	}
	again = code >= 500 || code == http.StatusTooManyRequests || code == http.StatusRequestTimeout
	return Failed{Address: Shown(address), Why: why, Status: code}, again
}
