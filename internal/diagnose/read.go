package diagnose

import (
	"fmt"
	"io"

	"cupel/internal/logtext"
	"cupel/internal/signature"
)

// Match is one place where a pattern matched.
type Match struct {
	Signature *signature.Signature
	Line      int    // of the log, from 1
	Piece     int    // of the line, from 0: carriage returns divide it
	Text      string // the cleaned line, of a long one what stands around; or the joined lines of a pattern over several
	Captures  map[string]string
	Count     int // matches that it stands for: those that are too many to keep are counted here,
	Last      int // and this is the line of the last
}

// Seen is a log after one pass: what matched, in the order of the log, and the text that is kept for conditions
// and for showing.
type Seen struct {
	Matches []Match
	Log     logtext.Log
}

// Read looks through a log once, in bounded memory: blocks are searched side by side and judged in order.
func Read(r io.Reader, set *signature.Set) (*Seen, error) {
	return read(r, set, blockSize)
}

func read(r io.Reader, set *signature.Set, size int) (*Seen, error) {
	source := &blocks{size: size, margin: min(margin, size)}
	s := newScan(set)
	k := newKeeper(s)
	for b := range source.scanned(r, s) {
		<-b.done
		k.take(b, source.free)
	}
	if source.err != nil {
		return nil, fmt.Errorf("read log: %w", source.err)
	}
	seen := k.finish()
	seen.Log.Bytes = source.bytes
	seen.tryLoose(set.Loose)
	return seen, nil
}
