// Package wire writes and reads the small binary forms of the cache and the build's state: numbers, texts, lists, one after
// the other. What is read is never trusted: after a fault everything is empty and Bad. The shim uses it, so it leans on
// little.
package wire

import (
	"encoding/binary"
	"math"
)

// Uint adds a number.
func Uint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

// Float adds a number with a fraction.
func Float(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

// Bool adds a yes or no.
func Bool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// Text adds a text.
func Text(b []byte, s string) []byte { return append(Uint(b, uint64(len(s))), s...) }

// List adds a list of texts.
func List(b []byte, list []string) []byte {
	b = Uint(b, uint64(len(list)))
	for _, s := range list {
		b = Text(b, s)
	}
	return b
}

// Reader takes what was added, in the same order. Texts are parts of one string: a Reader copies nothing.
type Reader struct {
	rest string
	Bad  bool
}

// Read begins to read.
func Read(s string) *Reader { return &Reader{rest: s} }

// Rest is what was not taken.
func (r *Reader) Rest() string { return r.rest }

// Fail marks what is read as torn.
func (r *Reader) Fail() { r.rest, r.Bad = "", true }

// Uint takes a number.
func (r *Reader) Uint() uint64 {
	var v uint64
	for i := range min(len(r.rest), binary.MaxVarintLen64) {
		c := r.rest[i]
		if i == binary.MaxVarintLen64-1 && c > 1 {
			break
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return v
		}
	}
	r.Fail()
	return 0
}

// Raw takes n bytes.
func (r *Reader) Raw(n int) string {
	if n < 0 || n > len(r.rest) {
		r.Fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// Count takes the number of things that follow, each of which has at least a byte.
func (r *Reader) Count() int {
	v := r.Uint()
	if v > uint64(len(r.rest)) {
		r.Fail()
		return 0
	}
	return int(v)
}

// Text takes a text.
func (r *Reader) Text() string { return r.Raw(r.Count()) }

// List takes a list of texts.
func (r *Reader) List() []string {
	list := make([]string, 0, r.Count())
	for range cap(list) {
		list = append(list, r.Text())
	}
	return list
}

// Bool takes a yes or no.
func (r *Reader) Bool() bool { s := r.Raw(1); return s == "\x01" }

// Float takes a number with a fraction.
func (r *Reader) Float() float64 {
	s := r.Raw(8)
	if len(s) != 8 {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64([]byte(s)))
}
