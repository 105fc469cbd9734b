package logtext

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

type appender interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func TestDecode(t *testing.T) {
	const text = "Zeile eins: Größe 4 µm\r\nerror 😀 zwei\n"
	little, big := appender(binary.LittleEndian), appender(binary.BigEndian)
	wide := func(s string, order appender, mark bool) []byte {
		if mark {
			s = "\ufeff" + s
		}
		var out []byte
		for _, u := range utf16.Encode([]rune(s)) {
			out = order.AppendUint16(out, u)
		}
		return out
	}
	for _, tt := range []struct {
		name string
		in   []byte
		want string
	}{
		{"UTF-8", []byte(text), text},
		{"UTF-8 with a mark", []byte("\ufeff" + text), text},
		{"UTF-16 LE with a mark", wide(text, little, true), text},
		{"UTF-16 BE with a mark", wide(text, big, true), text},
		{"UTF-16 LE", wide(text, little, false), text},
		{"UTF-16 BE", wide(text, big, false), text},
		{"half a pair", append(wide("ab", little, true), 0x3d, 0xd8), "ab\ufffd"},
		{"second half alone", append(wide("ab", little, true), 0x00, 0xde, 'c', 0), "ab\ufffdc"},
		{"half a pair and a letter", append(wide("ab", little, true), 0x3d, 0xd8, 'c', 0), "ab\ufffdc"},
		{"an odd byte", append(wide("ab", little, true), 'c'), "ab\ufffd"},
		{"zeros that are no UTF-16", []byte("a\x00\x00\x00b"), "a\x00\x00\x00b"},
		{"one byte", []byte("a"), "a"},
		{"nothing", nil, ""},
		{"long", wide(strings.Repeat(text, 3000), little, true), strings.Repeat(text, 3000)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{"whole": bytes.NewReader(tt.in), "bytewise": iotest.OneByteReader(bytes.NewReader(tt.in))} {
				got, err := io.ReadAll(Decode(r))
				if err != nil || string(got) != tt.want {
					t.Errorf("%s: %.80q, %v, want %.80q", name, got, err, tt.want)
				}
			}
		})
	}
	if _, err := io.ReadAll(Decode(iotest.ErrReader(io.ErrUnexpectedEOF))); err != io.ErrUnexpectedEOF {
		t.Errorf("an error of the reader becomes %v", err)
	}
}

func TestPieces(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"one line", "a\n", "0:a"},
		{"no end", "a\nb", "0:a 1:b"},
		{"an empty line", "a\n\nb\n", "0:a 1: 2:b"},
		{"Windows", "a\r\nb\r\n", "0:a 1:b"},
		{"progress", "10%\r20%\rerror\nb\n", "0:10% 0:20% 0:error 1:b"},
		{"progress at the end", "10%\r20%\r", "0:10% 0:20%"},
		{"two returns", "a\r\r\nb", "0:a 0: 1:b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			Pieces([]byte(tt.in), func(ends int, p []byte) bool {
				got = append(got, fmt.Sprintf("%d:%s", ends, p))
				return true
			})
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("Pieces(%q) = %s, want %s", tt.in, s, tt.want)
			}
		})
	}
}

// TestWalk: from any place, the pieces before and after are those of Pieces.
func TestWalk(t *testing.T) {
	text := []byte("a\r\nbb\rccc\n\ndddd\r\r\ne")
	var all []string
	Pieces(text, func(_ int, p []byte) bool { all = append(all, string(p)); return true })
	from, to := Around(text, bytes.IndexByte(text, 'c')+1, Long)
	got := []string{string(text[from:to])}
	for s, e, ok := Before(text, from); ok; s, e, ok = Before(text, s) {
		got = slices.Insert(got, 0, string(text[s:e]))
	}
	for s, e, ok := After(text, to); ok; s, e, ok = After(text, e) {
		got = append(got, string(text[s:e]))
	}
	if !slices.Equal(got, all) {
		t.Errorf("walked over %q, want %q", got, all)
	}
	long := bytes.Repeat([]byte("x"), 5*Longest)
	if from, to := Around(long, 2*Longest, Longest); from != Longest || to != 3*Longest {
		t.Errorf("Around in a line without an end: %d, %d", from, to)
	}
}

func TestAround(t *testing.T) {
	var log Log
	for _, l := range []struct {
		line, piece int
		text        string
	}{{1, 0, "one"}, {2, 0, "two"}, {2, 1, "two again"}, {3, 0, "three"}, {10, 0, "ten"}, {11, 0, "eleven"}, {12, 0, "a"}, {12, 1, "b"}, {12, 7, "h"}, {12, 8, "i"}, {13, 0, "end"}} {
		log.Add(l.line, l.piece, l.text)
	}
	for _, tt := range []struct {
		line, piece, before, after, first int
		want                              string
	}{
		{1, 0, 0, 0, 1, "one"},
		{2, 0, 0, 0, 2, "two"},
		{2, 1, 0, 0, 2, "two again"},
		{2, Last, 0, 0, 2, "two again"},
		{2, 2, 0, 0, 2, ""},
		{2, 1, 1, 1, 2, "two,two again,three"},
		{3, 0, 9, 9, 1, "one,two,two again,three"},
		{10, 0, 1, 5, 10, "ten,eleven,a,b"},
		{12, 7, 3, 0, 12, "h"},
		{12, 8, 3, 3, 12, "h,i,end"},
		{12, 4, 3, 3, 12, ""},
		{12, Last, 0, 0, 12, "i"},
		{5, 0, 9, 9, 5, ""},
	} {
		first, got := log.Around(tt.line, tt.piece, tt.before, tt.after)
		if first != tt.first || strings.Join(got, ",") != tt.want {
			t.Errorf("Around(%d, %d, %d, %d) = %d, %q, want %d, %q", tt.line, tt.piece, tt.before, tt.after, first, got, tt.first, tt.want)
		}
	}
	var got []string
	log.EachPiece(func(line, piece int, _ string) bool {
		got = append(got, fmt.Sprint(line, ".", piece))
		return line < 13
	})
	if want := "1.0 2.0 2.1 3.0 10.0 11.0 12.0 12.1 12.7 12.8 13.0"; strings.Join(got, " ") != want {
		t.Errorf("EachPiece gives %v, want %s", got, want)
	}
}
