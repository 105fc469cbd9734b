package diagnose

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"cupel/internal/literal"
	"cupel/internal/logtext"
	"cupel/internal/signature"
)

// few are signatures of all kinds for tests of reading: short and long literals, several lines, captures.
func few(t testing.TB) *signature.Set {
	t.Helper()
	all := []*signature.Signature{
		{ID: "arch", Patterns: []signature.Pattern{{Regex: `Unsupported gpu architecture '(?P<arch>\w+)'`}}},
		{ID: "any", Role: signature.Plain, Patterns: []signature.Pattern{{Regex: `(?i)\berror: (?P<what>\w+)`, Unless: `harmless`}}},
		{ID: "wrapped", Patterns: []signature.Pattern{{Regex: `Could NOT find CUDAToolkit \(missing: (?P<what>\w+)`, Lines: 3}}},
		{ID: "pair", Patterns: []signature.Pattern{{Regex: `first half.*second half`, Lines: 2}}},
		{ID: "either", Patterns: []signature.Pattern{{Regex: `(cannot|could not) open (file|shared object)`}, {Literal: "collect2: error"}}},
	}
	set, err := signature.Compile(all)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// naive is what read must give, in the plainest way: every pattern with a literal on the line is tried on it.
func naive(log []byte, set *signature.Set) (matches []Match, lines logtext.Log) {
	text := logtext.Strip(nil, log)
	type piece struct {
		number, piece int
		text          []byte
	}
	var pieces []piece
	at, n := 0, 0
	logtext.Pieces(text, func(ends int, p []byte) bool {
		if at == ends+1 {
			n++
		} else {
			at, n = ends+1, 0
		}
		lines.Add(at, n, logtext.Clean(string(p)))
		pieces = append(pieces, piece{at, n, p})
		lines.Lines = at
		return true
	})
	for i, p := range pieces {
		for n, c := range set.Patterns {
			var window []string
			span := max(c.Pattern.Lines, 1)
			for _, q := range pieces[max(0, i-span+1):min(len(pieces), i+span)] {
				text := logtext.Clean(string(q.text))
				if span > 1 {
					text = strings.TrimSpace(text)
				}
				if text != "" || span == 1 {
					window = append(window, text)
				}
			}
			joined := strings.Join(window, " ")
			captures, ok := c.Match(joined)
			if ok && calledFor(set, n, text, cap(text)-cap(p.text), len(p.text)) {
				matches = append(matches, Match{Signature: c.Signature, Line: p.number, Piece: p.piece, Text: joined, Captures: captures, Count: 1, Last: p.number})
			}
		}
	}
	return matches, lines
}

// calledFor: a literal of the pattern is on the line; of one over several lines, its longest word with what can be
// seen of the rest.
func calledFor(set *signature.Set, pattern int, text []byte, at, n int) (called bool) {
	for i, l := range set.Literals {
		if !slices.Contains(set.Wanted[i], pattern) {
			continue
		}
		called = called || strings.Contains(literal.Lower(string(text[at:at+n])), l)
		if set.Patterns[pattern].Pattern.Lines > 1 && !called {
			literal.New([]string{l}, func(int) bool { return true }, nil).Find(text, 0, len(text), func(hit, _ int) {
				called = called || (hit >= at && hit < at+n)
			})
		}
	}
	return called
}

// chance makes a log of parts that matter, in any order.
func chance(r *rand.Rand, n int) []byte {
	parts := []string{
		"nvcc fatal   : Unsupported gpu architecture 'compute_86'", "UNSUPPORTED GPU ARCHITECTURE 'x'", "error: broken", "Error: harmless error: broken",
		"  Could NOT find CUDAToolkit (missing: A)", "  Could NOT find", "CUDAToolkit (missing: B)", "first half", "second half", "first half second half",
		"collect2: error: ld", "cannot open shared object", "could not open file", "\x1b[31merr\x1b[0mor: torn", "2024-01-28T17:37:45.123Z ", "12>", "    ",
		"g++ -O2 -c a.cpp -o a.o", "[ 50%] Building CUDA object a.cu.o", "é", "\xff\xfe\x00", "\x1b]8;;http://x\x07link\x1b]8;;\x07", "a\bb", "x",
	}
	ends := []string{"\n", "\n", "\n", "\r\n", "\r", "\n\n", " ", ""}
	var out bytes.Buffer
	for out.Len() < n {
		out.WriteString(parts[r.IntN(len(parts))])
		out.WriteString(ends[r.IntN(len(ends))])
	}
	return out.Bytes()
}

// TestReadIsNaive: blocks of any size, searched side by side, give what the plain way gives.
func TestReadIsNaive(t *testing.T) {
	set := few(t)
	seeds := uint64(60)
	if !testing.Short() {
		seeds = 600
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 6))
		log := append([]byte("log\n"), chance(r, 1+r.IntN(12000))...)
		want, lines := naive(log, set)
		for _, size := range []int{2048, 3000, blockSize} {
			seen, err := read(iotest.HalfReader(bytes.NewReader(log)), set, size)
			if err != nil {
				t.Fatal(err)
			}
			if seen.Log.Lines != lines.Lines || seen.Log.Bytes != int64(len(log)) {
				t.Fatalf("seed %d size %d: %d lines, %d bytes, want %d, %d", seed, size, seen.Log.Lines, seen.Log.Bytes, lines.Lines, len(log))
			}
			if got, want := texts(&seen.Log), texts(&lines); !slices.Equal(got, want) {
				t.Fatalf("seed %d size %d: kept\n%q\nwant\n%q", seed, size, got, want)
			}
			if got, want := listed(seen.Matches), listed(bounded(want)); !slices.Equal(got, want) {
				t.Fatalf("seed %d size %d: matches\n%s\nwant\n%s\nlog %q", seed, size, strings.Join(got, "\n"), strings.Join(want, "\n"), log)
			}
		}
	}
}

func texts(log *logtext.Log) (out []string) {
	log.Each(func(line int, text string) bool {
		out = append(out, fmt.Sprint(line, " ", text))
		return true
	})
	return out
}

func listed(matches []Match) (out []string) {
	for _, m := range matches {
		out = append(out, fmt.Sprint(m.Line, ".", m.Piece, " ", m.Signature.ID, " ", m.Count, " to ", m.Last, " ", m.Text, " ", m.Captures))
	}
	return out
}

// bounded folds matches as the keeper does.
func bounded(matches []Match) (out []Match) {
	last, equal, kept := map[string]int{}, map[string]int{}, map[string]int{}
	for _, m := range matches {
		id := m.Signature.ID
		if kept[id] >= mostKept || equal[id+m.Text] >= mostEqual {
			out[last[id]].Count++
			out[last[id]].Last = m.Line
			continue
		}
		kept[id]++
		equal[id+m.Text]++
		last[id] = len(out)
		out = append(out, m)
	}
	return out
}

// TestReadRealLogs: the examples of all signatures in one log are seen whatever the size of the blocks.
func TestReadRealLogs(t *testing.T) {
	set := whole(t)
	var all bytes.Buffer
	for _, s := range signature.All() {
		for _, e := range s.Examples {
			fmt.Fprintf(&all, "%s\n%s", strings.TrimSuffix(strings.TrimPrefix(e.Text, "\n"), "\n"), strings.Repeat("\n", 5))
		}
	}
	want, err := Read(bytes.NewReader(all.Bytes()), set)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1000, 8192} {
		seen, err := read(bytes.NewReader(all.Bytes()), set, size)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(listed(seen.Matches), listed(want.Matches)) {
			t.Errorf("blocks of %d bytes give other matches than one block", size)
		}
	}
}
