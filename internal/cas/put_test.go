package cas

import (
	"bytes"

	"cupel/internal/digest"
)

// Put keeps bytes as PutFile keeps those of a file.
func (s Store) Put(b []byte) (digest.Digest, error) {
	d, _, err := s.put(bytes.NewReader(b), int64(len(b)))
	return d, err
}
