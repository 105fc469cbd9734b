package fetch

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
)

const head = "cupel.part/1 aa 100 \"\\\"tag\\\"\"\n"

func TestParseLedger(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		missing  []span // of pieces of 30; nil: no ledger
		have     int64
	}{
		{"nothing yet", head, []span{{0, 30}, {30, 60}, {60, 90}, {90, 100}}, 0},
		{"two pieces that touch, out of order", head + "20 40\n0 20\n", []span{{40, 70}, {70, 100}}, 40},
		{"a hole", head + "0 10\n90 100\n", []span{{10, 40}, {40, 70}, {70, 90}}, 20},
		{"one piece twice", head + "0 10\n0 10\n", []span{{10, 40}, {40, 70}, {70, 100}}, 10},
		{"a torn last line", head + "0 10\n10 2", []span{{10, 40}, {40, 70}, {70, 100}}, 10},
		{"a torn first line", head[:20], nil, 0},
		{"empty", "", nil, 0},
		{"another format", strings.Replace(head, "/1", "/2", 1), nil, 0},
		{"beyond the end", head + "90 101\n", nil, 0},
		{"backwards", head + "20 10\n", nil, 0},
		{"words", head + "a b\n", nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := parseLedger([]byte(tt.in))
			if l == nil {
				if tt.missing != nil {
					t.Errorf("parseLedger(%q) is none", tt.in)
				}
				return
			}
			if got := l.missing(30); !reflect.DeepEqual(got, tt.missing) || l.have() != tt.have {
				t.Errorf("parseLedger(%q): missing %v, have %d; want %v, %d", tt.in, got, l.have(), tt.missing, tt.have)
			}
		})
	}
}

func FuzzLedger(f *testing.F) {
	for _, s := range []string{head, head + "0 10\n", head + "0 100\n", head + "9 9\n", "cupel.part/1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		l := parseLedger(in)
		if l == nil || l.size > 1<<20 {
			return
		}
		sum := l.have()
		for _, s := range l.missing(1000) {
			if s.from < 0 || s.to > l.size || s.len() <= 0 || s.len() > 1000 {
				t.Errorf("parseLedger(%q): the piece %v is missing of %d", in, s, l.size)
			}
			sum += s.len()
		}
		if sum != l.size {
			t.Errorf("parseLedger(%q): %d bytes there or missing, want %d", in, sum, l.size)
		}
	})
}

func TestContentRange(t *testing.T) {
	for _, tt := range []struct {
		in              string
		from, to, total int64
		ok              bool
	}{
		{"bytes 0-99/1000", 0, 100, 1000, true},
		{"bytes 5-5/*", 5, 6, -1, true},
		{"bytes 0-99/99", 0, 0, 0, false},
		{"bytes 9-5/99", 0, 0, 0, false},
		{"bytes -5/99", 0, 0, 0, false},
		{"bytes */99", 0, 0, 0, false},
		{"bytes 0-9/-1", 0, 0, 0, false},
		{"items 0-9/10", 0, 0, 0, false},
		{"", 0, 0, 0, false},
	} {
		from, to, total, ok := contentRange(tt.in)
		if ok != tt.ok || ok && (from != tt.from || to != tt.to || total != tt.total) {
			t.Errorf("contentRange(%q) = %d, %d, %d, %t; want %d, %d, %d, %t", tt.in, from, to, total, ok, tt.from, tt.to, tt.total, tt.ok)
		}
	}
}

func FuzzContentRange(f *testing.F) {
	for _, s := range []string{"bytes 0-99/1000", "bytes 5-5/*", "bytes 1-9223372036854775807/*", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		from, to, total, ok := contentRange(in)
		if ok && (from < 0 || to <= from || total >= 0 && total < to) {
			t.Errorf("contentRange(%q) = %d, %d, %d", in, from, to, total)
		}
	})
}

func TestAddresses(t *testing.T) {
	for _, tt := range []struct{ base, rel, want string }{
		{"https://host/a/", "b/c.json", "https://host/a/b/c.json"},
		{"https://host/a", "b/c.json", "https://host/a/b/c.json"},
		{"https://u:p@host/a?token=1", "b", "https://u:p@host/a/b?token=1"},
		{"file:///srv/mirror", "b/c", "file:///srv/mirror/b/c"},
	} {
		if got := Join(tt.base, tt.rel); got != tt.want {
			t.Errorf("Join(%q, %q) = %q, want %q", tt.base, tt.rel, got, tt.want)
		}
	}
	for _, tt := range []struct {
		in      string
		windows bool
		want    string
	}{
		{"file:///srv/mirror", false, "/srv/mirror"},
		{"file:///C:/mirror%20of/x", true, `C:\mirror of\x`},
		{"file://localhost/C:/m", true, `C:\m`},
		{"file://server/share/m", true, `\\server\share\m`},
	} {
		u, err := url.Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := localPath(u, tt.windows); got != tt.want {
			t.Errorf("localPath(%q, windows %t) = %q, want %q", tt.in, tt.windows, got, tt.want)
		}
	}
	for in, want := range map[string]string{
		"https://u:p@host/a?token=1#x": "https://host/a", "/srv/m": "/srv/m", `C:\m`: `C:\m`, "http://[bad": "the address",
	} {
		if got := Shown(in); got != want {
			t.Errorf("Shown(%q) = %q, want %q", in, got, want)
		}
	}
}
