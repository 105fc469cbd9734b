package cas

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// sums are the counts of tally/sums: a first line, then "= LOG" for each log that is in them and "N EVENT" for each event.
type sums struct {
	counts map[string]int64
	in     map[string]bool
}

const (
	sumsMagic = "cupel-tally 1\n"
	maxSums   = 1 << 20
	maxCount  = 1 << 50 // no sum of them runs over
)

func (s Store) sums() (*sums, error) {
	b, err := readSome(s.tally("sums"), maxSums)
	if err != nil {
		return nil, err
	}
	return parseSums(b), nil
}

// parseSums leaves out what it does not understand: counts help people and decide nothing.
func parseSums(b []byte) *sums {
	s := &sums{counts: map[string]int64{}, in: map[string]bool{}}
	b, ok := bytes.CutPrefix(b, []byte(sumsMagic))
	if !ok {
		return s
	}
	for line := range bytes.SplitSeq(b, []byte("\n")) {
		first, event, ok := bytes.Cut(line, []byte(" "))
		switch n, err := strconv.ParseInt(string(first), 10, 64); {
		case !ok || len(event) == 0 || len(event) > maxEvent:
		case string(first) == "=":
			s.in[string(event)] = true
		case err == nil && n > 0 && n < maxCount:
			s.add(event, n)
		}
	}
	return s
}

func (s *sums) add(event []byte, n int64) {
	if _, ok := s.counts[string(event)]; ok || len(s.counts) < maxEvents {
		s.counts[string(event)] += n
	}
}

// text writes them. A log that is gone needs no name any more.
func (s *sums) text(logs []string) []byte {
	b := []byte(sumsMagic)
	for _, path := range logs {
		if name := filepath.Base(path); s.in[name] {
			b = fmt.Appendf(b, "= %s\n", name)
		}
	}
	events := make([]string, 0, len(s.counts))
	for e := range s.counts {
		events = append(events, e)
	}
	slices.Sort(events)
	for _, e := range events {
		b = fmt.Appendf(b, "%d %s\n", s.counts[e], e)
	}
	return b
}

// readSome reads a file up to a limit; one that is not there is empty.
func readSome(path string, limit int64) ([]byte, error) {
	f, err := open(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
