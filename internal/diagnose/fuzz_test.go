package diagnose

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupel/internal/logtext"
)

// FuzzRead: any bytes give what the plain way gives, with true line numbers, whatever the size of the blocks.
func FuzzRead(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(chance(rand.New(rand.NewPCG(seed, 7)), 600), 100)
	}
	f.Add([]byte(utf16Bytes), 10)
	f.Add([]byte("\x1b]8;;"+strings.Repeat("x", 200)+"\nerror: broken\r\n\x00\b"), 7)
	set := few(f)
	f.Fuzz(func(t *testing.T, log []byte, size int) {
		text, err := io.ReadAll(logtext.Decode(bytes.NewReader(log)))
		if err != nil {
			t.Fatal(err)
		}
		want, lines := naive(text, set)
		seen, err := Read(bytes.NewReader(log), set)
		if err != nil {
			t.Fatal(err)
		}
		if seen.Log.Lines != lines.Lines || seen.Log.Bytes != int64(len(log)) {
			t.Errorf("%d lines, %d bytes, want %d, %d", seen.Log.Lines, seen.Log.Bytes, lines.Lines, len(log))
		}
		if long := slices.ContainsFunc(bytes.Split(text, []byte{'\n'}), func(l []byte) bool { return len(l) >= logtext.Long }); long {
			return
		}
		if got, want := listed(seen.Matches), listed(bounded(want)); !slices.Equal(got, want) {
			t.Errorf("matches\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if got, want := texts(&seen.Log), texts(&lines); !slices.Equal(got, want) {
			t.Errorf("kept\n%q\nwant\n%q", got, want)
		}
		parts, err := read(bytes.NewReader(log), set, 1+max(0, size%4096))
		// A backspace at the start of a block cannot take back the end of the one before: a last line that erases itself
		// then counts.
		torn := !bytes.HasSuffix(text, []byte("\n")) && bytes.ContainsRune(text, '\b') && parts.Log.Lines == lines.Lines+1
		if err != nil || parts.Log.Lines != lines.Lines && !torn {
			t.Errorf("in blocks of %d: %d lines, want %d, %v", size, parts.Log.Lines, lines.Lines, err)
		}
	})
}

const utf16Bytes = "\xff\xfee\x00r\x00r\x00o\x00r\x00:\x00 \x00x\x00\r\x00\n\x00"
