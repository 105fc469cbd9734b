package record

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"cupel/internal/call"
)

// readCall reads the file of a call. Of one that is written to it reads what was there when it was opened.
func readCall(path string, outputs bool) (c call.Call, unfinished bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return c, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return c, false, err
	}
	c, unfinished = scan(f, info.Size(), outputs)
	return c, unfinished, nil
}

// scan reads frames. A damaged one is left out and told; what is behind it is read as long as frames follow. Without
// outputs it jumps over them, unchecked. unfinished: the file ends within a frame, as one does that is being written.
func scan(r io.ReaderAt, size int64, outputs bool) (c call.Call, unfinished bool) {
	s := scanner{window: window{from: r}, outputs: outputs}
	if head, err := s.at(0, min(size, int64(len(magic)))); err != nil || string(head) != magic[:len(head)] {
		return call.Call{Torn: "it is no record of a call"}, false
	}
	if size > maxFile {
		s.tear("what is behind byte %d is not read", maxFile)
		size = maxFile
	}
	off := int64(len(magic))
	for off < size && s.call.End == nil && !s.lost {
		var whole bool
		if off, whole = s.frame(off, size); !whole {
			unfinished = !s.lost
			break
		}
	}
	switch {
	case s.begun:
	case off > int64(len(magic)):
		s.tear("its beginning is missing")
	case !s.lost:
		unfinished = true // the file was made, and nothing written yet
	}
	return s.call, unfinished
}

type scanner struct {
	window
	outputs bool
	call    call.Call
	begun   bool
	lost    bool // where the next frame begins is not known
}

// frame reads the frame at off; not whole: it ends behind the file.
func (s *scanner) frame(off, size int64) (next int64, whole bool) {
	if size-off < frameHead {
		return off, false
	}
	head, err := s.at(off, frameHead)
	if err != nil {
		s.lost = true
		s.tear("%v", err)
		return off, false
	}
	kind, n := head[0], int64(binary.LittleEndian.Uint32(head[9:]))
	limit, known := limits(kind)
	if !known || n > limit {
		s.lost = true
		s.tear("no frame at byte %d, where one should be", off)
		return off, false
	}
	if next = off + frameHead + n + frameTail; next > size {
		return off, false
	}
	if !s.outputs && limit == maxPiece {
		return next, true
	}
	b, err := s.at(off, frameHead+n+frameTail)
	switch {
	case err != nil:
		s.tear("%v", err)
	case sum(b[:frameHead+n]) != binary.LittleEndian.Uint32(b[frameHead+n:]):
		s.tear("the frame at byte %d is damaged", off)
	default:
		s.take(kind, binary.LittleEndian.Uint64(b[1:]), b[frameHead:frameHead+n])
	}
	return next, true
}

// limits says how long a frame of a kind may be.
func limits(kind byte) (limit int64, known bool) {
	switch kind {
	case frameBegin, frameEnd:
		return maxWords, true
	case byte(call.Stdout), byte(call.Stderr):
		return maxPiece, true
	}
	return 0, false
}

// take keeps what a frame says.
func (s *scanner) take(kind byte, after uint64, payload []byte) {
	switch kind {
	case frameBegin:
		var b call.Begin
		if err := json.Unmarshal(payload, &b); err != nil || s.begun {
			s.tear("its beginning cannot be read")
			return
		}
		s.call.Begin, s.begun = spellBegin(b, unspell), true
	case frameEnd:
		var e call.End
		if err := json.Unmarshal(payload, &e); err != nil {
			s.tear("its end cannot be read")
			return
		}
		e = spellEnd(e, unspell)
		s.call.End = &e
	default:
		d := time.Duration(min(after, math.MaxInt64/1000)) * time.Microsecond
		s.call.Output = append(s.call.Output, call.Chunk{Stream: call.Stream(kind), After: d, Bytes: append([]byte(nil), payload...)})
	}
}

// tear tells the first damage; the rest follows from it as a rule.
func (s *scanner) tear(format string, args ...any) {
	if s.call.Torn == "" {
		s.call.Torn = fmt.Sprintf(format, args...)
	}
}

// window reads parts of a file, a few at once: most frames are short.
type window struct {
	from io.ReaderAt
	off  int64
	buf  []byte
}

// at is n bytes at off, which the file has. They hold until the next call.
func (w *window) at(off, n int64) ([]byte, error) {
	if off < w.off || off+n > w.off+int64(len(w.buf)) {
		if int64(cap(w.buf)) < n {
			w.buf = make([]byte, max(n, 32<<10)) // a frame of 12 MB is the longest
		}
		got, err := w.from.ReadAt(w.buf[:cap(w.buf)], off)
		if w.off, w.buf = off, w.buf[:got]; int64(got) < n {
			return nil, fmt.Errorf("read byte %d: %w", off+int64(got), err)
		}
	}
	return w.buf[off-w.off:][:n], nil
}
