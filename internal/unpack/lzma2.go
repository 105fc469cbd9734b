package unpack

import "encoding/binary"

// The first byte of an LZMA2 chunk, after the xz file format: what it holds and what is forgotten before it.
const (
	chunkEnd     = 0x00 // no more chunks
	storedFresh  = 0x01 // not packed, and the dictionary begins here
	storedChunk  = 0x02 // not packed
	packedChunk  = 0x80 // packed; its lowest bits are those of the size
	packedReset  = 0xA0 // and the state begins anew
	packedModel  = 0xC0 // and the model of literals follows
	packedFresh  = 0xE0 // and the dictionary begins here
	longestHead  = 6
	largestChunk = 2 << 20 // unpacked
	largestBody  = 1 << 16
)

// lzma2 is the state of a sequence of chunks.
type lzma2 struct {
	lzma
	fresh, modelled bool // a dictionary has begun, literals have a model
}

// begin starts a sequence that makes out, with matches from at most dict bytes back.
func (d *lzma2) begin(out []byte, dict int) {
	d.out, d.pos, d.start, d.far = out, 0, 0, dict
	d.fresh, d.modelled = false, false
}

// headLength is how long the header of a chunk is; 0: there is no such chunk.
func headLength(control byte) int {
	switch {
	case control >= packedModel:
		return longestHead
	case control >= packedChunk:
		return longestHead - 1
	case control == storedFresh, control == storedChunk:
		return 3
	}
	return 0
}

// sizes are how many bytes a chunk makes, and how many follow its header.
func sizes(head []byte) (size, body int) {
	size = int(binary.BigEndian.Uint16(head[1:])) + 1
	if head[0] < packedChunk {
		return size, size
	}
	return size + int(head[0]&0x1F)<<16, int(binary.BigEndian.Uint16(head[3:])) + 1
}

// chunk unpacks one chunk. body must be readable for slack bytes past its length.
func (d *lzma2) chunk(head, body []byte) error {
	control := head[0]
	if control == storedFresh || control >= packedFresh {
		d.start, d.fresh, d.modelled = d.pos, true, false
	}
	size, _ := sizes(head)
	if !d.fresh || size > len(d.out)-d.pos {
		return errLZMA
	}
	if control < packedChunk {
		d.pos += copy(d.out[d.pos:], body)
		return nil
	}
	if control >= packedModel {
		if err := d.props(head[5]); err != nil {
			return err
		}
		d.modelled = true
	}
	if !d.modelled {
		return errLZMA
	}
	if control >= packedReset {
		d.reset()
	}
	return d.symbols(body[:len(body)+slack], len(body), size)
}

// all unpacks chunks that lie in a slice, and calls step after each with the bytes made so far. in must be readable for
// slack bytes past its length. used is how many bytes of in the sequence takes.
func (d *lzma2) all(in []byte, step func(made int) error) (used int, err error) {
	for at := 0; at < len(in); {
		if in[at] == chunkEnd {
			if d.pos != len(d.out) {
				return 0, errLZMA
			}
			return at + 1, nil
		}
		n := headLength(in[at])
		if n == 0 || n > len(in)-at {
			return 0, errLZMA
		}
		head := in[at : at+n]
		at += n
		_, body := sizes(head)
		if body > len(in)-at {
			return 0, errLZMA
		}
		if err := d.chunk(head, in[at:at+body]); err != nil {
			return 0, err
		}
		at += body
		if err := step(d.pos); err != nil {
			return 0, err
		}
	}
	return 0, errLZMA
}

// room makes room for so many bytes in out: it grows, until it has the dictionary and half as much again, and then the
// dictionary is moved to its front, which so costs little. What lies before it must have been handed out.
func (d *lzma2) room(size int) {
	if size <= len(d.out)-d.pos {
		return
	}
	full := d.far + max(4*largestChunk, d.far/2)
	if want := min(full, max(2*len(d.out), d.pos+size)); want >= d.pos+size {
		d.out = append(make([]byte, 0, want), d.out[:d.pos]...)[:want]
		return
	}
	keep := min(d.pos, d.far)
	moved := d.pos - keep
	copy(d.out, d.out[moved:d.pos])
	d.pos, d.start = keep, d.start-moved // start goes below zero: positions count from there
}
