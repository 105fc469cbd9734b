package fetch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// span is the bytes from, from+1 … to-1 of a file.
type span struct{ from, to int64 }

func (s span) len() int64 { return s.to - s.from }

// ledger is NAME.state: which bytes of NAME.part are there. It is only ever added to, a line for each finished piece and
// after the piece itself, so that a killed process leaves at worst a torn last line.
//
//	cupel.part/1 DIGEST SIZE "TAG"
//	0 1048576
type ledger struct {
	mu   sync.Mutex
	path string
	file *os.File
	of   string // digest of the address and the checksum: what the bytes belong to
	size int64
	tag  string // how the server names this version of the file; "" when it does not
	done []span
}

const ledgerFormat = "cupel.part/1"

// of is what halves are kept for. The address is not written down: it may hold a password.
func of(r Request) string {
	sum := sha256.Sum256([]byte(r.URL + "\n" + strings.ToLower(r.SHA256)))
	return hex.EncodeToString(sum[:])
}

// readLedger reads what an earlier call left; nil when there is nothing that fits.
func readLedger(r Request) *ledger {
	text, err := os.ReadFile(r.To + ".state")
	if err != nil || len(text) > 64<<20 {
		return nil
	}
	l := parseLedger(text)
	info, err := os.Stat(r.To + ".part")
	switch {
	case l == nil || err != nil || l.of != of(r) || info.Size() != l.size || r.Size > 0 && r.Size != l.size:
		return nil
	case l.tag == "" && r.SHA256 == "": // nobody could tell a changed file
		return nil
	}
	l.path = r.To + ".state"
	return l
}

// parseLedger reads the lines; a torn last one is not there. nil: it is none.
func parseLedger(text []byte) *ledger {
	lines := bufio.NewScanner(bytes.NewReader(text))
	l := &ledger{}
	if !lines.Scan() {
		return nil
	}
	if n, err := fmt.Sscanf(lines.Text(), ledgerFormat+" %64s %d %q", &l.of, &l.size, &l.tag); err != nil || n != 3 || l.size <= 0 {
		return nil
	}
	rest := text[bytes.IndexByte(text, '\n')+1:]
	rest = rest[:bytes.LastIndexByte(rest, '\n')+1]
	for line := range strings.Lines(string(rest)) {
		var s span
		if n, err := fmt.Sscanf(line, "%d %d\n", &s.from, &s.to); err != nil || n != 2 || s.from < 0 || s.to <= s.from || s.to > l.size {
			return nil
		}
		l.done = append(l.done, s)
	}
	l.done = merged(l.done)
	return l
}

// begin writes the ledger anew, with what is there already, and keeps it open for more.
func (l *ledger) begin() error {
	f, err := os.Create(l.path)
	if err != nil {
		return err
	}
	l.file = f
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s %d %q\n", ledgerFormat, l.of, l.size, l.tag)
	for _, s := range l.done {
		fmt.Fprintf(&b, "%d %d\n", s.from, s.to)
	}
	_, err = f.Write(b.Bytes())
	return err
}

// add says that bytes are in the file.
func (l *ledger) add(s span) error {
	if s.len() <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = append(l.done, s)
	_, err := fmt.Fprintf(l.file, "%d %d\n", s.from, s.to)
	return err
}

func (l *ledger) close() {
	if l.file != nil {
		l.file.Close()
	}
}

// have is how many bytes are there.
func (l *ledger) have() int64 {
	var n int64
	for _, s := range merged(l.done) {
		n += s.len()
	}
	return n
}

// missing are the pieces that are not there, none larger than chunk.
func (l *ledger) missing(chunk int64) []span {
	var out []span
	at := int64(0)
	gap := func(to int64) {
		for at < to {
			end := min(at+chunk, to)
			out = append(out, span{at, end})
			at = end
		}
	}
	for _, s := range merged(l.done) {
		gap(s.from)
		at = s.to
	}
	gap(l.size)
	return out
}

// merged sorts spans and joins those that touch.
func merged(spans []span) []span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b span) int { return int(min(1, max(-1, a.from-b.from))) })
	var out []span
	for _, s := range sorted {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}
