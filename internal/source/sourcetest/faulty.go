package sourcetest

import (
	"io"
	"net/http"
	"time"
)

// faulty sends a body badly.
type faulty struct {
	http.ResponseWriter
	server *Loopback
	fault  Fault
	ended  <-chan struct{}
	sent   int64
}

// Unwrap lets http.NewResponseController flush.
func (w *faulty) Unwrap() http.ResponseWriter { return w.ResponseWriter }

const slice = 64 << 10

func (w *faulty) Write(p []byte) (int, error) {
	all := len(p)
	for len(p) > 0 {
		n := min(int64(len(p)), slice, w.until(w.fault.DropEvery), w.until(w.fault.StallAfter))
		if n == 0 {
			w.stop()
		}
		if w.fault.Slow > 0 {
			time.Sleep(w.fault.Slow)
		}
		wrote, err := w.ResponseWriter.Write(p[:n])
		w.sent += int64(wrote)
		w.server.served.Add(int64(wrote))
		if err != nil {
			return all - len(p) + wrote, err
		}
		p = p[n:]
	}
	return all, nil
}

// until is how many bytes may still go before a limit.
func (w *faulty) until(limit int64) int64 {
	if limit <= 0 {
		return slice
	}
	return max(limit-w.sent, 0)
}

// stop drops the connection, or stands still until the other side has enough.
func (w *faulty) stop() {
	http.NewResponseController(w.ResponseWriter).Flush()
	if w.fault.StallAfter > 0 && w.sent >= w.fault.StallAfter {
		select {
		case <-w.ended:
		case <-w.server.closed:
		}
	}
	panic(http.ErrAbortHandler)
}

// noRange keeps the server from promising ranges.
type noRange struct{ http.ResponseWriter }

func (w noRange) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w noRange) WriteHeader(code int) {
	w.Header().Del("Accept-Ranges")
	w.ResponseWriter.WriteHeader(code)
}

// twisted is a file with a wrong byte, or of a wrong length.
type twisted struct {
	io.ReadSeeker
	size  int64
	at    int64
	fault Fault
}

func (t *twisted) length() int64 { return max(t.size+t.fault.Longer-t.fault.Shorter, 0) }

func (t *twisted) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		offset, whence = t.length()+offset, io.SeekStart
	}
	if whence == io.SeekCurrent {
		offset, whence = t.at+offset, io.SeekStart
	}
	t.at = offset
	_, err := t.ReadSeeker.Seek(min(offset, t.size), io.SeekStart)
	return offset, err
}

func (t *twisted) Read(p []byte) (int, error) {
	left := t.length() - t.at
	if left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), left)]
	n, err := t.ReadSeeker.Read(p)
	if n == 0 && t.at >= t.size { // what does not belong to the file
		n, err = len(p), nil
	}
	if middle := t.size / 2; t.fault.WrongBytes && t.at <= middle && middle < t.at+int64(n) {
		p[middle-t.at] ^= 0xff
	}
	t.at += int64(n)
	return n, err
}
