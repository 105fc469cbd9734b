package unpack

import "io"

// ahead reads in a goroutine of its own, a few chunks before they are asked for: one core unpacks while another hashes
// and writes.
type ahead struct {
	full  chan piecemeal
	empty chan []byte
	quit  chan struct{}
	now   piecemeal
	at    int
}

// piecemeal is one chunk, and what came after it.
type piecemeal struct {
	buf []byte
	err error
}

func newAhead(r io.Reader) *ahead {
	a := &ahead{full: make(chan piecemeal, 3), empty: make(chan []byte, 3), quit: make(chan struct{})}
	for range cap(a.empty) {
		a.empty <- make([]byte, chunk)
	}
	go a.run(r)
	return a
}

func (a *ahead) run(r io.Reader) {
	defer close(a.full)
	for {
		select {
		case <-a.quit:
			return
		case buf := <-a.empty:
			n, err := fill(r, buf[:cap(buf)])
			a.full <- piecemeal{buf[:n], err}
			if err != nil {
				return
			}
		}
	}
}

func (a *ahead) Read(p []byte) (int, error) {
	for a.at == len(a.now.buf) {
		if a.now.err != nil {
			return 0, a.now.err
		}
		if a.now.buf != nil {
			a.empty <- a.now.buf
		}
		a.now, a.at = <-a.full, 0
	}
	n := copy(p, a.now.buf[a.at:])
	a.at += n
	return n, nil
}

// close ends the goroutine and waits for it: the file below may be closed next.
func (a *ahead) close() {
	close(a.quit)
	for range a.full {
	}
}
