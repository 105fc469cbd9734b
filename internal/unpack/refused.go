package unpack

import (
	"errors"
	"fmt"
	"io"
)

// Refused is an entry that no honest archive holds, or one that would break a limit.
type Refused struct {
	Archive string // base name
	Entry   string // "" when the archive as a whole is meant
	Why     string
}

func (e Refused) Error() string {
	if e.Entry == "" {
		return fmt.Sprintf("%s is refused: %s", e.Archive, e.Why)
	}
	return fmt.Sprintf("%s is refused: entry %q %s", e.Archive, e.Entry, e.Why)
}

// Damaged is an archive that cannot be read to its end: cut short, or with bytes that do not fit their checksum.
// Fetching it again is the way out.
type Damaged struct {
	Archive string
	Entry   string
	Err     error
}

func (e Damaged) Error() string {
	at := ""
	if e.Entry != "" {
		at = fmt.Sprintf(" at entry %q", e.Entry)
	}
	return fmt.Sprintf("%s is damaged%s: %v: fetch it again", e.Archive, at, e.Err)
}

func (e Damaged) Unwrap() error { return e.Err }

// damage marks an error as one of the archive's bytes, not of this machine, and says where.
func damage(entry string, err error) error {
	if err == nil || isMarked(err) {
		return err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return Damaged{Entry: entry, Err: err}
}

func isMarked(err error) bool {
	_, refused := errors.AsType[Refused](err)
	_, damaged := errors.AsType[Damaged](err)
	_, stopped := errors.AsType[stopped](err)
	return refused || damaged || stopped
}

// stopped is an error of this machine met while reading: it keeps its own words.
type stopped struct{ error }

func (e stopped) Unwrap() error { return e.error }

// blame writes the archive's name into an error, once, where it is not yet.
func (s *sink) blame(err error) error {
	if r, ok := errors.AsType[Refused](err); ok {
		r.Archive = s.archive
		return r
	}
	if d, ok := errors.AsType[Damaged](err); ok {
		d.Archive = s.archive
		return d
	}
	return fmt.Errorf("%s: %w", s.archive, err)
}
