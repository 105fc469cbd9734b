package unpack

import (
	"errors"
	"slices"
)

// The LZMA decoder below unpacks from one slice into another, chunk by chunk, with what was unpacked before as its
// dictionary. The one library for Go takes 1.7 times as long (a tar of nvcc and libnvvm, 256 MB: 4.3 s here, 7.2 s there,
// 3.3 s for the xz program; processor time, BenchmarkXZ) and cannot begin at a block, so that nothing could be skipped or
// done side by side. It follows the LZMA specification of the LZMA SDK and the chunk format of LZMA2 in the xz file format.

// slack is how many bytes past its end a packed slice must be readable: one symbol takes fewer, so that the input is
// looked at once per symbol and not once per bit.
const slack = 64

var errLZMA = errors.New("its packed bytes make no sense")

// half is a probability of a half, in 2048ths.
const half = 1024

// lengths is the coder for how long a match is.
type lengths struct {
	choice [2]uint16
	low    [16][8]uint16
	mid    [16][8]uint16
	high   [256]uint16
}

// lzma is the state that lasts from chunk to chunk.
type lzma struct {
	out   []byte
	pos   int // in out
	start int // where the dictionary begins; below zero when that was moved out
	far   int // how far back a match may lie

	lc, lp, pb uint
	state      uint32
	rep        [4]uint32

	literal    []uint16
	isMatch    [12][16]uint16
	isRep      [12]uint16
	isRep0     [12]uint16
	isRep1     [12]uint16
	isRep2     [12]uint16
	isRep0Long [12][16]uint16
	slots      [4][64]uint16
	special    [128]uint16
	align      [16]uint16
	match      lengths
	again      lengths
}

// props takes the byte that says how literals are modelled.
func (d *lzma) props(b byte) error {
	if b >= 9*5*5 {
		return errLZMA
	}
	d.lc, d.lp, d.pb = uint(b%9), uint(b/9%5), uint(b/45)
	if d.lc+d.lp > 4 {
		return errLZMA
	}
	return nil
}

// reset forgets everything but the dictionary.
func (d *lzma) reset() {
	d.state, d.rep = 0, [4]uint32{}
	n := 0x300 << (d.lc + d.lp)
	d.literal = even(slices.Grow(d.literal[:0], n)[:n])
	for i := range d.isMatch {
		even(d.isMatch[i][:])
		even(d.isRep0Long[i][:])
	}
	for _, p := range [][]uint16{d.isRep[:], d.isRep0[:], d.isRep1[:], d.isRep2[:], d.special[:], d.align[:]} {
		even(p)
	}
	for i := range d.slots {
		even(d.slots[i][:])
	}
	d.match.reset()
	d.again.reset()
}

func (l *lengths) reset() {
	even(l.choice[:])
	even(l.high[:])
	for i := range l.low {
		even(l.low[i][:])
		even(l.mid[i][:])
	}
}

func even(p []uint16) []uint16 {
	for i := range p {
		p[i] = half
	}
	return p
}

// coder is the range decoder. It is passed and returned by value, so that it lives in registers.
type coder struct {
	rng, code uint32
	at        int
}

// bit decodes one bit.
func (c coder) bit(in []byte, p *uint16) (coder, uint32) {
	v := uint32(*p)
	bound := (c.rng >> 11) * v
	var b uint32
	if c.code < bound {
		c.rng = bound
		*p = uint16(v + (2048-v)>>5)
	} else {
		c.rng -= bound
		c.code -= bound
		*p = uint16(v - v>>5)
		b = 1
	}
	if c.rng < 1<<24 {
		c.rng <<= 8
		c.code = c.code<<8 | uint32(in[c.at])
		c.at++
	}
	return c, b
}

// tree decodes a number of as many bits as the tree is deep: len(probs) is 1<<bits.
func (c coder) tree(in []byte, probs []uint16) (coder, uint32) {
	rng, code, at := c.rng, c.code, c.at
	m, n := uint32(1), uint32(len(probs))
	for m < n {
		p := &probs[m]
		v := uint32(*p)
		bound := (rng >> 11) * v
		if code < bound {
			rng = bound
			*p = uint16(v + (2048-v)>>5)
			m <<= 1
		} else {
			rng -= bound
			code -= bound
			*p = uint16(v - v>>5)
			m = m<<1 | 1
		}
		if rng < 1<<24 {
			rng <<= 8
			code = code<<8 | uint32(in[at])
			at++
		}
	}
	return coder{rng, code, at}, m - n
}

// reverse decodes a number whose lowest bit comes first.
func (c coder) reverse(in []byte, probs []uint16, bits uint) (coder, uint32) {
	m, out := uint32(1), uint32(0)
	for i := range bits {
		var b uint32
		c, b = c.bit(in, &probs[m])
		m = m<<1 | b
		out |= b << i
	}
	return c, out
}

// direct decodes bits that are not modelled.
func (c coder) direct(in []byte, bits uint) (coder, uint32) {
	var out uint32
	for range bits {
		c.rng >>= 1
		c.code -= c.rng
		t := 0 - c.code>>31
		c.code += c.rng & t
		out = out<<1 + t + 1
		if c.rng < 1<<24 {
			c.rng <<= 8
			c.code = c.code<<8 | uint32(in[c.at])
			c.at++
		}
	}
	return c, out
}

// length decodes how long a match is, less two.
func (c coder) length(in []byte, l *lengths, pos uint32) (coder, uint32) {
	c, b := c.bit(in, &l.choice[0])
	if b == 0 {
		return c.tree(in, l.low[pos&15][:])
	}
	if c, b = c.bit(in, &l.choice[1]); b == 0 {
		c, b = c.tree(in, l.mid[pos&15][:])
		return c, b + 8
	}
	c, b = c.tree(in, l.high[:])
	return c, b + 16
}

// distance decodes how far back a match lies, less one.
func (d *lzma) distance(c coder, in []byte, length uint32) (coder, uint32) {
	c, slot := c.tree(in, d.slots[min(length, 3)][:])
	if slot < 4 {
		return c, slot
	}
	bits := uint(slot>>1 - 1)
	dist := (2 | slot&1) << bits
	var low uint32
	if slot < 14 {
		c, low = c.reverse(in, d.special[dist-slot:], bits)
		return c, dist + low
	}
	c, high := c.direct(in, bits-4)
	c, low = c.reverse(in, d.align[:], 4)
	return c, dist + high<<4 + low
}
