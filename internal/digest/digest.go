// Package digest names bytes by their SHA-256 and makes keys out of fields. The shim uses it, so it leans on little.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
)

// Digest names bytes by their SHA-256, as remote caches do.
type Digest [sha256.Size]byte

// Of names bytes.
func Of(b []byte) Digest { return sha256.Sum256(b) }

// String is the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// IsZero: no digest.
func (d Digest) IsZero() bool { return d == Digest{} }

// Parse reads what String wrote.
func Parse(s string) (Digest, error) {
	var d Digest
	if len(s) != 2*len(d) {
		return d, fmt.Errorf("read a digest: %.80q has not %d digits", s, 2*len(d))
	}
	if _, err := hex.Decode(d[:], []byte(s)); err != nil {
		return Digest{}, fmt.Errorf("read a digest: %w", err)
	}
	return d, nil
}

// Writer takes the fields of which a key is made, in order.
type Writer interface {
	Field(name string, values ...string)
}

// Hash makes a key of fields. Lengths stand before every word, so no two lists of fields are written alike.
type Hash struct {
	h   hash.Hash
	buf []byte
}

// NewHash is an empty one.
func NewHash() *Hash { return &Hash{h: sha256.New()} }

// Field adds a field.
func (k *Hash) Field(name string, values ...string) {
	k.buf = word(k.buf[:0], name)
	k.buf = binary.AppendUvarint(k.buf, uint64(len(values)))
	for _, v := range values {
		k.buf = word(k.buf, v)
	}
	_, _ = k.h.Write(k.buf)
}

func word(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }

// Sum is the key of the fields so far.
func (k *Hash) Sum() Digest { return Digest(k.h.Sum(nil)) }
