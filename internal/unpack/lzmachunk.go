package unpack

// symbols unpacks one LZMA chunk: in holds its packed bytes, and slack after them; size is how many bytes it makes, for
// which there is room.
func (d *lzma) symbols(in []byte, packed, size int) error {
	if packed < 5 || in[0] != 0 {
		return errLZMA
	}
	c := coder{rng: 0xFFFFFFFF, code: uint32(in[1])<<24 | uint32(in[2])<<16 | uint32(in[3])<<8 | uint32(in[4]), at: 5}
	posMask := uint32(1)<<d.pb - 1
	for end := d.pos + size; d.pos < end; {
		if c.at > packed {
			return errLZMA
		}
		pos := uint32(d.pos-d.start) & posMask
		var b uint32
		if c, b = c.bit(in, &d.isMatch[d.state][pos]); b == 0 {
			c = d.oneLiteral(c, in)
			continue
		}
		var n uint32
		if c, n = d.reference(c, in, pos); n == 0 { // one byte from the last distance
			n = 1
		}
		if err := d.copy(int(n), end); err != nil {
			return err
		}
	}
	if c.at != packed || c.code != 0 {
		return errLZMA
	}
	return nil
}

// oneLiteral decodes a byte that stands for itself. The bits are decoded in place, with the coder in local variables:
// most of the time of an xz stream is spent here.
func (d *lzma) oneLiteral(c coder, in []byte) coder {
	prev := uint32(0)
	if d.pos > d.start {
		prev = uint32(d.out[d.pos-1])
	}
	set := (uint32(d.pos-d.start)&(1<<d.lp-1))<<d.lc + prev>>(8-d.lc)
	probs := (*[0x300]uint16)(d.literal[set*0x300:])
	rng, code, at := c.rng, c.code, c.at
	sym := uint32(1)
	if d.state >= 7 {
		// After a match the byte that would have gone on is a hint, as long as the bits agree with it.
		hint, offset := uint32(d.out[d.pos-int(d.rep[0])-1]), uint32(0x100)
		for sym < 0x100 {
			hint <<= 1
			bit := hint & offset
			p := &probs[offset+bit+sym]
			v := uint32(*p)
			bound := (rng >> 11) * v
			if code < bound {
				rng = bound
				*p = uint16(v + (2048-v)>>5)
				sym <<= 1
				offset &^= bit
			} else {
				rng -= bound
				code -= bound
				*p = uint16(v - v>>5)
				sym = sym<<1 | 1
				offset &= bit
			}
			if rng < 1<<24 {
				rng <<= 8
				code = code<<8 | uint32(in[at])
				at++
			}
		}
	}
	for sym < 0x100 {
		p := &probs[sym]
		v := uint32(*p)
		bound := (rng >> 11) * v
		if code < bound {
			rng = bound
			*p = uint16(v + (2048-v)>>5)
			sym <<= 1
		} else {
			rng -= bound
			code -= bound
			*p = uint16(v - v>>5)
			sym = sym<<1 | 1
		}
		if rng < 1<<24 {
			rng <<= 8
			code = code<<8 | uint32(in[at])
			at++
		}
	}
	d.out[d.pos] = byte(sym)
	d.pos++
	switch {
	case d.state < 4:
		d.state = 0
	case d.state < 10:
		d.state -= 3
	default:
		d.state -= 6
	}
	return coder{rng, code, at}
}

// reference decodes a match: its distance becomes the last one. n is its length; 0 is a single byte.
func (d *lzma) reference(c coder, in []byte, pos uint32) (_ coder, n uint32) {
	late := uint32(0)
	if d.state >= 7 {
		late = 3
	}
	c, b := c.bit(in, &d.isRep[d.state])
	if b == 0 {
		c, n = c.length(in, &d.match, pos)
		var dist uint32
		c, dist = d.distance(c, in, n)
		d.rep = [4]uint32{dist, d.rep[0], d.rep[1], d.rep[2]}
		d.state = 7 + late
		return c, n + 2
	}
	if c, b = c.bit(in, &d.isRep0[d.state]); b == 0 {
		if c, b = c.bit(in, &d.isRep0Long[d.state][pos]); b == 0 {
			d.state = 9 + min(late, 2)
			return c, 0
		}
	} else if c, b = c.bit(in, &d.isRep1[d.state]); b == 0 {
		d.rep = [4]uint32{d.rep[1], d.rep[0], d.rep[2], d.rep[3]}
	} else if c, b = c.bit(in, &d.isRep2[d.state]); b == 0 {
		d.rep = [4]uint32{d.rep[2], d.rep[0], d.rep[1], d.rep[3]}
	} else {
		d.rep = [4]uint32{d.rep[3], d.rep[0], d.rep[1], d.rep[2]}
	}
	c, n = c.length(in, &d.again, pos)
	d.state = 8 + late
	return c, n + 2
}

// copy repeats earlier bytes.
func (d *lzma) copy(n, end int) error {
	back := int(d.rep[0]) + 1
	if back > min(d.pos-d.start, d.far) || n > end-d.pos {
		return errLZMA
	}
	out, from := d.out[d.pos:d.pos+n], d.pos-back
	d.pos += n
	if back >= n {
		copy(out, d.out[from:from+n])
		return nil
	}
	for i := range out { // it repeats itself
		out[i] = d.out[from+i]
	}
	return nil
}
