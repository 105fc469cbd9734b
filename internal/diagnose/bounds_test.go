package diagnose

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"

	"cupel/internal/logtext"
	"cupel/internal/signature"
	"cupel/internal/testbed"
)

// endless gives a text again and again, n bytes in all, then last.
func endless(text string, n int, last string) io.Reader {
	return io.MultiReader(io.LimitReader(&loop{text: text}, int64(n/len(text)*len(text))), strings.NewReader(last))
}

type loop struct {
	text string
	at   int
}

func (l *loop) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		k := copy(p[n:], l.text[l.at:])
		l.at = (l.at + k) % len(l.text)
		n += k
	}
	return len(p), nil
}

const message = "nvcc fatal   : Unsupported gpu architecture 'compute_52'"

// TestKept: of a long log the head, the tail and what stands around matches is kept, with true numbers.
func TestKept(t *testing.T) {
	var log bytes.Buffer
	const lines, at = 400_000, 200_000
	for i := 1; i <= lines; i++ {
		if i == at {
			fmt.Fprintln(&log, message)
			continue
		}
		fmt.Fprintln(&log, "this is line", i)
	}
	seen, err := Read(&log, few(t))
	if err != nil {
		t.Fatal(err)
	}
	if seen.Log.Lines != lines || !seen.Log.Cut || len(seen.Matches) != 1 || seen.Matches[0].Line != at {
		t.Fatalf("%d lines, cut %v, matches %v", seen.Log.Lines, seen.Log.Cut, seen.Matches)
	}
	size := 0
	seen.Log.Each(func(line int, text string) bool {
		size += len(text) + lineCost
		if want := fmt.Sprint("this is line ", line); text != want && line != at {
			t.Errorf("line %d is kept as %q", line, text)
		}
		return true
	})
	if most := headSize + tailSize + aroundSize + 1000; size > most {
		t.Errorf("%d bytes are kept, at most %d are allowed", size, most)
	}
	for _, line := range []int{1, at - aboveLines, at, at + nearLines, lines} {
		if _, text := seen.Log.Around(line, 0, 0, 0); len(text) != 1 {
			t.Errorf("line %d is not kept", line)
		}
	}
	if _, text := seen.Log.Around(at, 0, aboveLines, nearLines); len(text) != aboveLines+1+nearLines {
		t.Errorf("%d lines around the match are kept", len(text))
	}
}

// TestManyMatches: a million equal errors are counted to a bound, different ones are kept to a bound.
func TestManyMatches(t *testing.T) {
	seen, err := Read(endless(message+"\n", 20<<20, "collect2: error: ld\n"), few(t))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, m := range seen.Matches {
		counts[m.Signature.ID] += m.Count
	}
	if len(seen.Matches) > 8 || counts["arch"] != mostCounted || counts["either"] != 1 {
		t.Errorf("%d matches, counts %v", len(seen.Matches), counts)
	}
	var log bytes.Buffer
	for i := range 500 {
		fmt.Fprintf(&log, "Unsupported gpu architecture 'sm_%d'\n", i)
	}
	if seen, err = Read(&log, few(t)); err != nil || len(seen.Matches) != mostKept {
		t.Errorf("%d matches are kept, want %d, %v", len(seen.Matches), mostKept, err)
	}
}

// TestLongLines: a message is found in a line that never ends, wherever it stands.
func TestLongLines(t *testing.T) {
	for _, at := range []int{0, 5, 8000, blockSize - 20, blockSize, 3*blockSize - 7, 1 << 20} {
		log := strings.Repeat("x ", at/2) + message + strings.Repeat(" y", 1<<19)
		seen, err := Read(strings.NewReader(log), few(t))
		if err != nil {
			t.Fatal(err)
		}
		if len(seen.Matches) == 0 || !strings.Contains(seen.Matches[0].Text, message) || seen.Matches[0].Captures["arch"] != "compute_52" {
			t.Errorf("message at %d: %d matches", at, len(seen.Matches))
		}
		for _, m := range seen.Matches {
			if m.Line != 1 || len(m.Text) > logtext.Long {
				t.Errorf("message at %d: line %d, %d bytes of text", at, m.Line, len(m.Text))
			}
		}
		if seen.Log.Lines != 1 || !seen.Log.Cut {
			t.Errorf("message at %d: %d lines, cut %v", at, seen.Log.Lines, seen.Log.Cut)
		}
	}
}

func TestReadError(t *testing.T) {
	bad := errors.New("disk on fire")
	if _, err := Read(io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(bad)), few(t)); !errors.Is(err, bad) {
		t.Errorf("got %v, want %v", err, bad)
	}
}

func TestEmpty(t *testing.T) {
	for _, log := range []string{"", "\n", "\x1b[0m", "\x00", "\r"} {
		seen, err := Read(strings.NewReader(log), few(t))
		if err != nil || len(seen.Matches) != 0 || seen.Log.Lines > 1 {
			t.Errorf("%q: %+v, %v", log, seen, err)
		}
	}
}

// TestBoundedMemory: a hundred megabytes of any kind of log leave the heap small, which may take less than half of them.
func TestBoundedMemory(t *testing.T) {
	testbed.Long(t)
	set := whole(t)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(48 << 20))
	everything := allExamples(" ")
	for name, text := range map[string]string{
		"one line of everything":    everything,
		"pieces of everything":      allExamples("\r"),
		"padded lines":              allExamples(strings.Repeat(" x", 3500) + "\n"),
		"long lines of everything":  everything + "\n",
		"a literal again and again": "cudaMalloc error: undefined reference to ",
		"progress and a message":    strings.Repeat(" 10%|####|\r", 50) + message + "\r",
		"lines":                     "g++ -O2 -c a.cpp -o a.o\n",
		"empty lines":               "\n",
		"no line ends":              "x",
		"errors":                    message + "\n",
		"colour":                    "\x1b[31merror\x1b[0m: no\n",
		"progress":                  " 10%\r",
		"zeros":                     "\x00",
		"escapes":                   "\x1b",
		"half a sequence":           "\x1b]8;;",
	} {
		t.Run(name, func(t *testing.T) {
			size := 100 << 20
			if len(text) > 1000 || runtime.GOOS == "windows" {
				size = 16 << 20 // all of it is work; and wine has nothing to say about the heap
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			seen, err := Read(endless(text, size, "\n"+message+"\n"), set)
			if err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if more := int64(after.HeapSys) - int64(before.HeapSys); more > 48<<20 {
				t.Errorf("the heap grew by %d MB", more>>20)
			}
			if len(seen.Matches) == 0 {
				t.Error("the message at the end is not seen")
			}
			Judge(seen, Options{})
		})
	}
}

// allExamples are the texts of all signatures, with an end behind each line.
func allExamples(end string) string {
	var all strings.Builder
	for _, s := range signature.All() {
		for _, e := range s.Examples {
			for line := range strings.SplitSeq(strings.Trim(e.Text, "\n"), "\n") {
				all.WriteString(line + end)
			}
		}
	}
	return all.String()
}

// TestReturns: a message behind many carriage returns is kept with what stands next to it, and found by its piece.
func TestReturns(t *testing.T) {
	for _, n := range []int{3, 1000, 20_000, 300_000} {
		log := strings.Repeat("10%|####|\r", n) + "before\r" + message + "\rbehind\r" + strings.Repeat("20%|####|\r", n) + "the end\r"
		seen, err := Read(strings.NewReader(log), few(t))
		if err != nil {
			t.Fatal(err)
		}
		if len(seen.Matches) != 1 || seen.Matches[0].Line != 1 || seen.Matches[0].Piece != n+1 {
			t.Fatalf("%d returns: matches %+v", n, seen.Matches)
		}
		m := seen.Matches[0]
		if _, got := seen.Log.Around(m.Line, m.Piece, 1, 1); strings.Join(got, ",") != "before,"+message+",behind" {
			t.Errorf("%d returns: around the match %q", n, got)
		}
		if _, got := seen.Log.Around(1, logtext.Last, 0, 0); strings.Join(got, ",") != "the end" {
			t.Errorf("%d returns: the last words are %q", n, got)
		}
		if a := Judge(seen, Options{}); seen.Log.Lines != 1 || len(a.Findings) > 0 && len(a.Findings[0].Excerpt) > 2*excerptLines+1 {
			t.Errorf("%d returns: %d lines, findings %+v", n, seen.Log.Lines, a.Findings)
		}
	}
}

// TestLast: what is only counted still says where it stood last.
func TestLast(t *testing.T) {
	for _, n := range []int{1, 3, 10, 5000, 200_000} {
		log := strings.Repeat(message+"\n", n) + strings.Repeat("x\n", 1000)
		seen, err := Read(strings.NewReader(log), few(t))
		if err != nil {
			t.Fatal(err)
		}
		if last := seen.Matches[len(seen.Matches)-1].Last; last != n {
			t.Errorf("%d messages: the last is on line %d", n, last)
		}
	}
}

// TestKeptAtHeadsEnd: what stands around each match is kept also where the head of the log ends.
func TestKeptAtHeadsEnd(t *testing.T) {
	var log bytes.Buffer
	for i := 1; log.Len() < 2<<20; i++ {
		if i%3000 == 0 {
			fmt.Fprintf(&log, "Unsupported gpu architecture 'sm_%d'\n", i)
			continue
		}
		fmt.Fprintln(&log, "this is line", i)
	}
	seen, err := Read(&log, few(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range seen.Matches {
		if _, near := seen.Log.Around(m.Line, m.Piece, aboveLines, nearLines); len(near) != aboveLines+1+nearLines {
			t.Errorf("%d lines around line %d are kept", len(near), m.Line)
		}
	}
}
