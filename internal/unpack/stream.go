package unpack

import (
	"bufio"
	"compress/bzip2"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// widest is the largest window that a packed stream may ask for.
const widest = 256 << 20

// stream is an unpacked tar. One that can also seek is not unpacked where nothing is kept.
type stream interface {
	io.ReadCloser
	want(n int64) // the next n bytes will be read
	end() error   // reads what is left, where a checksum stands at the end
}

// decoders by how a tar's name ends.
var decoders = map[string]func(io.Reader) (io.Reader, error){
	"":     func(r io.Reader) (io.Reader, error) { return r, nil },
	".bz2": func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil },
	".gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	".xz":  func(r io.Reader) (io.Reader, error) { return newXZReader(r), nil },
	".zst": func(r io.Reader) (io.Reader, error) {
		d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(widest), zstd.WithDecoderConcurrency(1))
		return d, err
	},
}

// decode opens a tar's bytes.
func (s *sink) decode(t tarball) (stream, error) {
	if t.ending == ".xz" {
		if index, ok := blocksOf(t.part); ok {
			return s.newBlocks(t.part, index), nil
		}
	}
	decoder, ok := decoders[t.ending]
	if !ok {
		return nil, Refused{Why: fmt.Sprintf("it is packed as %q, which cupel cannot read", t.ending)}
	}
	packed := &tracked{s: s, r: io.NewSectionReader(t.part, 0, t.part.Size())}
	r, err := decoder(newBuffered(packed))
	if err != nil {
		return nil, damage("", err)
	}
	return &flow{s: s, r: newAhead(r), most: max(s.limits.Bytes, Defaults.Bytes)}, nil
}

// newBuffered reads in large steps; decoders ask byte by byte.
func newBuffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 128<<10) }

// tracked tells the meter how much of an archive was read.
type tracked struct {
	s *sink
	r io.Reader
	n int64
}

func (t *tracked) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.n += int64(n)
	t.s.meter.reached(t.n)
	return n, err
}

// flow is a stream that has to be unpacked from its beginning to its end. It is bounded, since what is not kept is not
// counted anywhere else.
type flow struct {
	s    *sink
	r    *ahead
	read int64
	most int64
}

func (f *flow) Read(p []byte) (int, error) {
	if err := f.s.stop(); err != nil {
		return 0, err
	}
	n, err := f.r.Read(p)
	if f.read += int64(n); f.read > f.most {
		return 0, Refused{Why: "it unpacks to more bytes than any toolkit has"}
	}
	return n, err
}

func (f *flow) want(int64) {}

func (f *flow) end() error {
	_, err := io.Copy(io.Discard, struct{ io.Reader }{f})
	if err == nil && f.read == 0 { // even an empty tar has blocks of zeros
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (f *flow) Close() error { f.r.close(); return nil }
