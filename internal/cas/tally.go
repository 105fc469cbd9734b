package cas

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cupel/internal/filelock"
)

// The tally is tally/log, to which every event is appended in one write, and tally/sums, into which full logs are counted
// under a lock. A full log is renamed first and counted only when nobody has written to it for a while: who opened it under
// its old name may still be about to. The sums name the logs that are in them, so that none counts twice after a kill.
const (
	maxEvent  = 100
	maxEvents = 2_000   // different ones
	fullLog   = 1 << 20 // bytes
	quietLog  = time.Minute
	maxLog    = 64 << 20
)

func (s Store) tally(name string) string { return filepath.Join(s.Dir, "tally", name) }

// Count adds one to each event: hit, miss new, refused unknown-option. It never fails and never waits.
func (s Store) Count(events ...string) {
	var lines strings.Builder
	for _, e := range events {
		lines.WriteString("\n" + cleanEvent(e) + ";") // it begins with its newline: a torn one before it does not run into it
	}
	path := s.tally("log")
	f, err := open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, noteMode)
	if errors.Is(err, fs.ErrNotExist) && os.MkdirAll(filepath.Dir(path), dirMode) == nil {
		f, err = open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, noteMode)
	}
	if err != nil {
		return
	}
	_, _ = f.WriteString(lines.String())
	_ = f.Close()
}

func cleanEvent(event string) string {
	event = strings.Map(func(r rune) rune {
		if r < ' ' || r == ';' {
			return '-'
		}
		return r
	}, event)
	return event[:min(len(event), maxEvent)]
}

// Tally is how often each event was counted.
func (s Store) Tally() (map[string]int64, error) {
	if err := s.compact(); err != nil {
		return nil, fmt.Errorf("read the tally: %w", err)
	}
	sums, err := s.sums()
	if err != nil {
		return nil, fmt.Errorf("read the tally: %w", err)
	}
	logs, err := s.logs()
	if err != nil {
		return nil, fmt.Errorf("read the tally: %w", err)
	}
	for _, path := range logs {
		if err := sums.addLog(path); err != nil {
			return nil, fmt.Errorf("read the tally: %w", err)
		}
	}
	return sums.counts, nil
}

// logs are the one that is written and those that are full.
func (s Store) logs() ([]string, error) {
	entries, err := readDir(s.tally(""))
	if err != nil {
		return nil, err
	}
	var logs []string
	for _, e := range entries {
		if name := e.Name(); name == "log" || strings.HasPrefix(name, "log-") {
			logs = append(logs, s.tally(name))
		}
	}
	return logs, nil
}

// compact counts full logs into the sums. Who does not get the lock leaves it to who has it.
func (s Store) compact() error {
	logs, err := s.logs()
	if err != nil || len(logs) == 0 || len(logs) == 1 && size(logs[0]) <= fullLog {
		return err
	}
	release, err := filelock.Try(s.tally(".lock"), noteMode)
	if err != nil {
		return nil // held, or a disk without locks or without rights: the logs can be read as they are
	}
	defer release()
	sums, err := s.sums()
	if err != nil {
		return err
	}
	done := s.fold(sums, logs)
	if len(done) == 0 {
		return nil
	}
	if err := Replace(s.tally("sums"), sums.text(logs), noteMode); err != nil {
		return err
	}
	for _, path := range done {
		_ = os.Remove(path)
	}
	return nil
}

// fold sets the log aside when it is full, and adds those that are quiet. It gives those that can go once the sums are
// written.
func (s Store) fold(sums *sums, logs []string) (done []string) {
	for _, path := range logs {
		info, err := os.Stat(path)
		switch name := filepath.Base(path); {
		case err != nil:
		case name == "log":
			if info.Size() > fullLog {
				_ = rename(path, s.tally(fmt.Sprintf("log-%016x", rand.Uint64())))
			}
		case sums.in[name]:
			done = append(done, path)
		case time.Since(info.ModTime()) > quietLog && sums.addLog(path) == nil:
			sums.in[name] = true
			done = append(done, path)
		}
	}
	return done
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// addLog adds a log that is not among the sums yet. Lines that are not whole are left out.
func (s *sums) addLog(path string) error {
	if s.in[filepath.Base(path)] {
		return nil
	}
	b, err := readSome(path, maxLog)
	if err != nil {
		return err
	}
	for line := range bytes.SplitSeq(b, []byte("\n")) {
		event, rest, whole := bytes.Cut(line, []byte(";"))
		if whole && len(rest) == 0 && len(event) > 0 && len(event) <= maxEvent {
			s.add(event, 1)
		}
	}
	return nil
}
