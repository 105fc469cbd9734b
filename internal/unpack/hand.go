package unpack

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
)

// chunk is how much is read, hashed and written at a time.
const chunk = 1 << 20

// hand is one worker that writes files. It keeps its last folder open: os.Root opens every folder on the way to a file
// again, and archives hold thousands of small files side by side.
type hand struct {
	s   *sink
	dir string
	at  *os.Root
	buf []byte
	sum hash.Hash
}

func (s *sink) newHand() *hand { return &hand{s: s, buf: make([]byte, chunk), sum: sha256.New()} }

func (h *hand) close() {
	if h.at != nil {
		h.at.Close()
	}
	h.at, h.dir = nil, ""
}

// in opens the folder of a file, making it when it is not there.
func (h *hand) in(entry, dir string) (*os.Root, error) {
	if h.at != nil && h.dir == dir {
		return h.at, nil
	}
	if err := h.s.mkdir(entry, dir); err != nil {
		return nil, err
	}
	h.close()
	at, err := h.s.root.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	h.dir, h.at = dir, at
	return at, nil
}

// mode is what a file gets: readable by all, startable if the archive says so, never more.
func mode(m fs.FileMode) fs.FileMode {
	if m&0o111 != 0 {
		return 0o755
	}
	return 0o644
}

// file writes an entry's bytes to its place and lists it. Bytes that are there already must be the same.
func (h *hand) file(entry, to string, m fs.FileMode, r io.Reader) error {
	again, err := h.s.claim(entry, to)
	if err != nil {
		return err
	}
	at, err := h.in(entry, path.Dir(to))
	if err != nil {
		return err
	}
	got, wrote, err := h.lay(at, entry, to, mode(m), r)
	if again && wrote {
		err = Refused{Entry: entry, Why: "is there twice, as a file and as a link"}
	}
	if err != nil || again {
		return named(entry, err)
	}
	got.Path, got.Mode = to, mode(m)
	h.s.list(entry, got)
	return nil
}

// named writes the entry into a damage that was found below it.
func named(entry string, err error) error {
	if d, ok := errors.AsType[Damaged](err); ok && d.Entry == "" {
		d.Entry = entry
		return d
	}
	return err
}

// lay writes a file in its folder, or compares it with the one that is there. wrote says which.
func (h *hand) lay(at *os.Root, entry, to string, m fs.FileMode, r io.Reader) (got File, wrote bool, err error) {
	release, err := writing.take(h.s.ctx, h.s.home+"/"+h.s.key(to))
	if err != nil {
		return File{}, false, err
	}
	defer release()
	got, err = h.write(at, path.Base(to), m, r)
	if errors.Is(err, fs.ErrExist) {
		got, err = h.same(at, entry, path.Base(to), r)
		return got, false, err
	}
	return got, err == nil, err
}

// write makes a new file. One that is not whole is taken away again: another archive may bring it.
func (h *hand) write(at *os.Root, base string, m fs.FileMode, r io.Reader) (File, error) {
	f, err := at.OpenFile(base, os.O_CREATE|os.O_EXCL|os.O_WRONLY, m)
	if err != nil {
		return File{}, err
	}
	got, err := h.pour(f, r)
	if err == nil && runtime.GOOS != "windows" {
		err = f.Chmod(m) // the umask may have taken bits away
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = at.Remove(base)
	}
	return got, err
}

// pour hashes and writes until the entry ends. Errors of reading are the archive's, errors of writing this machine's.
func (h *hand) pour(w io.Writer, r io.Reader) (File, error) {
	h.sum.Reset()
	var size int64
	for {
		n, end := fill(r, h.buf)
		if err := h.s.spend(n); err != nil {
			return File{}, err
		}
		h.sum.Write(h.buf[:n])
		if _, err := w.Write(h.buf[:n]); err != nil {
			return File{}, stopped{err}
		}
		size += int64(n)
		h.s.meter.wrote(n)
		if end == io.EOF {
			return File{Size: size, SHA256: hex.EncodeToString(h.sum.Sum(nil))}, nil
		}
		if end != nil {
			return File{}, damage("", end)
		}
	}
}

// same compares an entry with the file that has its place.
func (h *hand) same(at *os.Root, entry, base string, r io.Reader) (File, error) {
	info, err := at.Lstat(base)
	if err != nil {
		return File{}, err
	}
	if !info.Mode().IsRegular() {
		return File{}, Refused{Entry: entry, Why: "would take the place of a folder or link"}
	}
	got, err := h.pour(io.Discard, r)
	if err != nil {
		return File{}, err
	}
	f, err := at.Open(base)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	h.sum.Reset()
	if _, err := io.CopyBuffer(h.sum, struct{ io.Reader }{f}, h.buf); err != nil {
		return File{}, err
	}
	if hex.EncodeToString(h.sum.Sum(nil)) != got.SHA256 {
		return File{}, Refused{Entry: entry, Why: "is there already with other bytes"}
	}
	return got, nil
}

// fill reads until the buffer is full. Unlike io.ReadFull it keeps the reader's own error, so that the end of an entry
// and a stream that was cut stay apart.
func fill(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}
