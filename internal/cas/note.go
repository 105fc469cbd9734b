package cas

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"

	"cupel/internal/digest"
)

// A note is its magic word with the version, a CRC-32C over kind, key and body, and the body. That finds every note that is
// cut off or has up to three bits wrong, and all but one in four thousand million others.
const (
	noteMagic  = "cpn1"
	noteHeader = len(noteMagic) + 4
	maxNote    = 64 << 20
)

func (s Store) note(kind string, key digest.Digest) string {
	name := key.String()
	return filepath.Join(s.Dir, "notes", kind, name[:2], name[2:])
}

// Note is a small file by kind and key. ErrMissing: there is none that is whole.
func (s Store) Note(kind string, key digest.Digest) ([]byte, error) {
	path := s.note(kind, key)
	b, last, err := readNote(path, kind, key)
	if errors.Is(err, errTorn) {
		_ = os.Remove(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the %s note: %w", kind, missing(err))
	}
	used(path, last)
	return b, nil
}

var errTorn = errors.New("torn or changed")

func readNote(path, kind string, key digest.Digest) (body []byte, last time.Time, err error) {
	f, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, last, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, last, err
	}
	if !info.Mode().IsRegular() || info.Size() < int64(noteHeader) || info.Size() > maxNote {
		return nil, last, errTorn
	}
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, last, err
	}
	body = b[noteHeader:]
	if string(b[:len(noteMagic)]) != noteMagic || binary.LittleEndian.Uint32(b[len(noteMagic):]) != noteSum(kind, key, body) {
		return nil, last, errTorn
	}
	return body, info.ModTime(), nil
}

// noteSum takes kind and key in, so that a note under another's name is none.
func noteSum(kind string, key digest.Digest, body []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(0, table, []byte(kind+"\x00"))
	sum = crc32.Update(sum, table, key[:])
	return crc32.Update(sum, table, body)
}

// SetNote replaces a note whole.
func (s Store) SetNote(kind string, key digest.Digest, b []byte) error {
	if err := s.setNote(kind, key, b); err != nil {
		return fmt.Errorf("write the %s note: %w", kind, err)
	}
	return nil
}

func (s Store) setNote(kind string, key digest.Digest, b []byte) error {
	if len(b) > maxNote-noteHeader {
		return errTooLarge
	}
	tmp, err := s.temp(noteMode)
	if err != nil {
		return err
	}
	defer tmp.drop()
	whole := make([]byte, 0, noteHeader+len(b))
	whole = append(whole, noteMagic...)
	whole = binary.LittleEndian.AppendUint32(whole, noteSum(kind, key, b))
	if _, err := tmp.Write(append(whole, b...)); err != nil {
		return err
	}
	return tmp.become(s.note(kind, key))
}
