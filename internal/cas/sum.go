package cas

import (
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"cupel/internal/digest"
)

// Sum tells of bytes whether they were torn or changed, ten times faster than a digest does: CRC-32C, as file systems use it.
// It names nothing. 0: not known.
type Sum uint32

func (s *Sum) Write(p []byte) (int, error) {
	*s = Sum(crc32.Update(uint32(*s), crc32.MakeTable(crc32.Castagnoli), p))
	return len(p), nil
}

// SumOf is the sum of a file; one that cannot be read has none.
func SumOf(path string) (s Sum) {
	f, err := open(path, os.O_RDONLY, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	if _, err := copyInto(io.Discard, f, &s); err != nil {
		return 0
	}
	return s
}

// PlaceBySum is Place for who took the sum of the same bytes before, and has it from where nothing gets torn unseen. Without
// one (0) it is Place, and so it is with hard links: who writes through one changes blob and output alike, and a sum may have been
// taken after that.
func (s Store) PlaceBySum(d digest.Digest, sum Sum, to string, mode fs.FileMode) error {
	if s.Hard {
		sum = 0
	}
	if err := s.place(name{d, sum}, to, mode); err != nil {
		return fmt.Errorf("place %s: %w", to, nameless(err))
	}
	return nil
}

// name is that of a blob, with its sum where that is known.
type name struct {
	digest.Digest
	sum Sum
}

// bySum copies a blob and looks at its sum. What has another is told by its digest, and taken away like all that is torn.
func (s Store) bySum(n name, to io.Writer, blob *os.File, size int64) error {
	var sum Sum
	_, err := copyInto(to, io.LimitReader(blob, size+1), &sum)
	if err != nil || sum == n.sum {
		return unread(err)
	}
	if _, err := blob.Seek(0, io.SeekStart); err != nil {
		return missing(err)
	}
	if err := s.copy(name{Digest: n.Digest}, io.Discard, blob, size); err != nil {
		return err
	}
	return fmt.Errorf("%w: with that sum", ErrMissing)
}
