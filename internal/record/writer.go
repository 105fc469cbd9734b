package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cupel/internal/call"
)

// Bounds of what is kept of one call's output, frames counted: its beginning, and of what is longer its end.
const (
	keepFirst = 32 << 20
	keepLast  = 1 << 20
)

// Writer appends the record of one call. Its methods may be called from several goroutines. It never stops the call: the
// first error ends the writing, and End tells it.
type Writer struct {
	mu      sync.Mutex
	file    *os.File
	began   time.Time
	kept    int
	tail    []call.Chunk // what came after keepFirst, at most keepLast bytes of it
	tailLen int
	dropped int64
	err     error
}

// Begin opens the record of a call in a run's folder and writes down how it began.
func Begin(run string, b call.Begin) (*Writer, error) {
	for n := int64(0); ; n++ {
		name := fmt.Sprintf("%019d-%d", b.At.UnixNano()+n, b.PID)
		w, err := create(filepath.Join(run, callsDir, name+callExt), b)
		// Two calls can have one number and one moment: processes of two containers, or a coarse clock.
		if !errors.Is(err, fs.ErrExist) || n == 100 {
			return w, err
		}
	}
}

// create makes the file of a call, or of a run's own output.
func create(path string, b call.Begin) (*Writer, error) {
	payload, err := beginText(b)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err = f.Write(appendFrame([]byte(magic), frameBegin, 0, payload)); err != nil {
		_ = f.Close()
		return nil, err
	}
	return &Writer{file: f, began: b.At}, nil
}

// beginText is the payload of the first frame. What response files said goes first when it is too long.
func beginText(b call.Begin) ([]byte, error) {
	payload, err := json.Marshal(spellBegin(b, spell))
	if err == nil && len(payload) > maxWords {
		b.Lost = append(b.Lost[:len(b.Lost):len(b.Lost)], "the arguments of response files and the inputs are too long to be kept")
		b.Expanded, b.Inputs = nil, nil
		payload, err = json.Marshal(spellBegin(b, spell))
	}
	if err == nil && len(payload) > maxWords {
		err = fmt.Errorf("the call has %d bytes of arguments and variables, more than is kept", len(payload))
	}
	return payload, err
}

// Output keeps a piece of output.
func (w *Writer) Output(s call.Stream, p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	after := time.Since(w.began)
	for len(p) > 0 {
		n := min(len(p), maxPiece/4)
		w.piece(call.Chunk{Stream: s, After: after, Bytes: p[:n]})
		p = p[n:]
	}
}

// piece writes what belongs to the beginning. After the first piece that does not, all belong to the end: they would
// change their order else.
func (w *Writer) piece(k call.Chunk) {
	size := len(k.Bytes) + frameHead + frameTail
	if w.tail == nil && w.kept+size <= keepFirst {
		w.kept += size
		w.write(byte(k.Stream), k.After, k.Bytes)
		return
	}
	if last := len(w.tail) - 1; last >= 0 && w.tail[last].Stream == k.Stream && len(w.tail[last].Bytes)+len(k.Bytes) <= 4096 {
		w.tail[last].Bytes = append(w.tail[last].Bytes, k.Bytes...)
		w.tailLen += len(k.Bytes)
	} else {
		k.Bytes = append([]byte(nil), k.Bytes...)
		w.tail, w.tailLen = append(w.tail, k), w.tailLen+size
	}
	for w.tailLen > keepLast {
		gone := len(w.tail[0].Bytes)
		w.tail, w.tailLen, w.dropped = w.tail[1:], w.tailLen-gone-frameHead-frameTail, w.dropped+int64(gone)
	}
}

func (w *Writer) write(kind byte, after time.Duration, p []byte) {
	if w.err == nil {
		_, w.err = w.file.Write(appendFrame(nil, kind, uint64(max(0, after.Microseconds())), p))
	}
}

// End writes down how the call ended, and closes the record.
func (w *Writer) End(e call.End) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range w.tail {
		w.write(byte(k.Stream), k.After, k.Bytes)
	}
	e.Dropped = w.dropped
	payload, err := json.Marshal(spellEnd(e, spell))
	if err == nil && len(payload) > maxWords {
		e.Outputs = nil
		payload, err = json.Marshal(spellEnd(e, spell))
	}
	if err == nil {
		w.write(frameEnd, e.At.Sub(w.began), payload)
	}
	if cerr := w.file.Close(); w.err == nil {
		w.err = cerr
	}
	return errors.Join(err, w.err)
}

// Close ends the record without an end of the call.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.file.Close()
}
