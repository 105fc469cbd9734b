package toolchain

import (
	"encoding/binary"

	"cupel/internal/stamp"
)

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendKnowns(b []byte, all []known) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, k := range all {
		b = appendString(b, k.path)
		b = k.known.Stamp.Append(b)
		b = append(b, k.known.Digest[:]...)
		b = appendBool(b, k.known.Settled)
	}
	return b
}

// reader reads a note that may be anything. Once it is wrong it gives zeros.
type reader struct {
	b     []byte
	wrong bool
}

func (r *reader) end() bool { return !r.wrong && len(r.b) == 0 }

func (r *reader) bytes(n int) []byte {
	if r.wrong || n > len(r.b) {
		r.wrong = true
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) count() int {
	v, n := binary.Uvarint(r.b)
	if r.wrong || n <= 0 || v > maxList {
		r.wrong = true
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *reader) string() string { return string(r.bytes(r.length())) }

func (r *reader) length() int {
	v, n := binary.Uvarint(r.b)
	if r.wrong || n <= 0 || v > uint64(len(r.b)) {
		r.wrong = true
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *reader) bool() bool {
	b := r.bytes(1)
	return len(b) == 1 && b[0] == 1
}

func (r *reader) stamp() stamp.Stamp {
	if r.wrong {
		return stamp.Stamp{}
	}
	s, rest, ok := stamp.Take(r.b)
	if r.wrong = !ok; ok {
		r.b = rest
	}
	return s
}

func (r *reader) knowns() []known {
	var all []known
	for range r.count() {
		k := known{path: r.string()}
		k.known.Stamp = r.stamp()
		copy(k.known.Digest[:], r.bytes(len(k.known.Digest)))
		k.known.Settled = r.bool()
		if r.wrong {
			return nil
		}
		all = append(all, k)
	}
	return all
}
