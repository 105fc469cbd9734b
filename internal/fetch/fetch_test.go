package fetch_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cupel/internal/fetch"
	"cupel/internal/progress"
	"cupel/internal/source/sourcetest"
)

// quick is a client for tests: small pieces, few tries, no pauses.
var quick = fetch.Client{Stall: time.Minute, Tries: 4, Pause: time.Millisecond, Chunk: 256 << 10, Parts: 3}

// hasty leaves a connection that stands still at once; a busy machine makes one stand still too, so it tries often.
var hasty = fetch.Client{Stall: 300 * time.Millisecond, Tries: 50, Pause: time.Millisecond, Chunk: 256 << 10, Parts: 3}

// clientFor is the one that suits a fault.
func clientFor(f sourcetest.Fault) fetch.Client {
	if f.StallAfter == 0 {
		return quick
	}
	c := hasty
	if f.Stalls == 0 {
		c.Tries = 3 // it will not get better
	}
	return c
}

// folder holds one file of random bytes.
func folder(t *testing.T, size int) (dir string, content []byte) {
	t.Helper()
	dir, content = t.TempDir(), random(size)
	put(t, filepath.Join(dir, "a.bin"), content)
	return dir, content
}

func random(size int) []byte {
	b := make([]byte, size)
	r := rand.NewChaCha8([32]byte{byte(size)})
	r.Read(b)
	return b
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// only says that a folder holds these files and no others.
func only(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
}

// TestFaults: what a network does to a download, and that the file is right in the end.
func TestFaults(t *testing.T) {
	const size = 3<<20 + 123
	for _, tt := range []struct {
		name    string
		fault   sourcetest.Fault
		noSize  bool
		atLeast int64 // requests
	}{
		{name: "a good server", fault: sourcetest.Fault{}, atLeast: 13},
		{name: "a good server that is asked for no size", fault: sourcetest.Fault{}, noSize: true, atLeast: 13},
		{name: "dropped at every 64 KiB", fault: sourcetest.Fault{DropEvery: 64 << 10}, atLeast: size >> 16},
		{name: "stalled three times", fault: sourcetest.Fault{StallAfter: 100 << 10, Stalls: 3}, atLeast: 16},
		{name: "no ranges", fault: sourcetest.Fault{NoRange: true}, atLeast: 1},
		{name: "no ranges and no length", fault: sourcetest.Fault{NoLength: true}, atLeast: 1},
		{name: "no ranges, no length, no size", fault: sourcetest.Fault{NoLength: true}, noSize: true, atLeast: 1},
		{name: "no tag", fault: sourcetest.Fault{NoTag: true}, atLeast: 13},
		{name: "busy at first", fault: sourcetest.Fault{Status: 503, Failing: 3}, atLeast: 16},
		{name: "slow", fault: sourcetest.Fault{Slow: 2 * time.Millisecond}, atLeast: 13},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, content := folder(t, size)
			web := sourcetest.Server(t, dir, tt.fault)
			to := filepath.Join(t.TempDir(), "out")
			r := fetch.Request{URL: web.URL + "/a.bin", To: to, Size: size}
			if tt.noSize {
				r.Size = 0
			}
			if err := clientFor(tt.fault).Get(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(to)
			if err != nil || !bytes.Equal(got, content) {
				t.Errorf("got %d bytes (%v), want the %d of the file", len(got), err, size)
			}
			only(t, filepath.Dir(to), "out")
			if web.Requests() < tt.atLeast {
				t.Errorf("%d requests, want %d at least", web.Requests(), tt.atLeast)
			}
		})
	}
}

// TestEmptyFile has no first byte to ask for.
func TestEmptyFile(t *testing.T) {
	dir, _ := folder(t, 0)
	web := sourcetest.Server(t, dir, sourcetest.Fault{})
	to := filepath.Join(t.TempDir(), "out")
	if err := quick.Get(t.Context(), fetch.Request{URL: web.URL + "/a.bin", To: to}); err != nil {
		t.Fatal(err)
	}
	only(t, filepath.Dir(to), "out")
}

// TestRefused: what cannot be had is said, in words that carry no secret, and nothing that looks like the file is left.
func TestRefused(t *testing.T) {
	const size = 1 << 20
	dir, _ := folder(t, size)
	nobody := nobodyListens(t)
	stranger := httptest.NewUnstartedServer(http.NotFoundHandler())
	stranger.Config.ErrorLog = log.New(io.Discard, "", 0)
	stranger.StartTLS()
	defer stranger.Close()
	for _, tt := range []struct {
		name   string
		fault  sourcetest.Fault
		url    string // instead of the server's
		status int
		says   string
	}{
		{name: "not there", fault: sourcetest.Fault{Status: 404}, status: 404, says: "404 Not Found: it does not have the file"},
		{name: "forbidden", fault: sourcetest.Fault{Status: 403}, status: 403, says: "403 Forbidden"},
		{name: "always busy", fault: sourcetest.Fault{Status: 503}, status: 503, says: "503 Service Unavailable"},
		{name: "nothing but a stall", fault: sourcetest.Fault{StallAfter: 1, NoRange: true}, says: "no byte came for 300ms"},
		{name: "dropped for ever, no ranges", fault: sourcetest.Fault{DropEvery: 64 << 10, NoRange: true}, says: "the connection was dropped"},
		{name: "longer than promised", fault: sourcetest.Fault{Longer: 10}, says: "it has 1048586 bytes, want 1048576"},
		{name: "longer, without ranges", fault: sourcetest.Fault{Longer: 10, NoRange: true}, says: "it has 1048586 bytes, want 1048576"},
		{name: "longer, without a length", fault: sourcetest.Fault{Longer: 10, NoLength: true}, says: "it has at least 1048577 bytes, want 1048576"},
		{name: "truncated", fault: sourcetest.Fault{Shorter: 10}, says: "it has 1048566 bytes, want 1048576"},
		{name: "truncated, without a length", fault: sourcetest.Fault{Shorter: 10, NoLength: true}, says: "the connection was dropped"},
		{name: "nobody listens", url: "http://user:secret@" + nobody + "/a.bin?token=secret", says: nobody + " refuses the connection"},
		{name: "no such name", url: "http://cupel.invalid/a.bin", says: "the name cupel.invalid cannot be looked up"},
		{name: "a stranger's certificate", url: stranger.URL + "/a.bin", says: "the server cannot be trusted"},
		{name: "another kind of address", url: "ftp://127.0.0.1/a.bin", says: "cupel fetches from http, https and file addresses"},
		{name: "no file there", url: filepath.Join(dir, "b.bin"), says: "there is no such file"},
		{name: "a folder", url: dir, says: "it is not a file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			web := sourcetest.Server(t, dir, tt.fault)
			if tt.url == "" {
				tt.url = strings.Replace(web.URL, "http://", "http://user:secret@", 1) + "/a.bin?token=secret"
			}
			to := filepath.Join(t.TempDir(), "out")
			err := clientFor(tt.fault).Get(t.Context(), fetch.Request{URL: tt.url, To: to, Size: size})
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("error is %v, want one that says %q", err, tt.says)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("error tells the password or the query: %v", err)
			}
			if f := (fetch.Failed{}); tt.status != 0 && (!errors.As(err, &f) || f.Status != tt.status) {
				t.Errorf("error is %#v, want the status %d", err, tt.status)
			}
			only(t, filepath.Dir(to))
		})
	}
}

// nobodyListens is an address whose port was free a moment ago.
func nobodyListens(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestGoesOn: a download that was stopped goes on where it stood; with less than twice the file served in all.
func TestGoesOn(t *testing.T) {
	const size = 8 << 20
	for _, tt := range []struct {
		name  string
		fault sourcetest.Fault
		sha   bool
		less  bool // than twice the file is served
	}{
		{"with a tag", sourcetest.Fault{}, false, true},
		{"with a checksum and no tag", sourcetest.Fault{NoTag: true}, true, true},
		{"with neither", sourcetest.Fault{NoTag: true}, false, false},
		{"the server has forgotten ranges", sourcetest.Fault{NoRange: true}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, content := folder(t, size)
			before := sourcetest.Fault{Slow: 3 * time.Millisecond, NoTag: tt.fault.NoTag}
			web := sourcetest.Server(t, dir, before)
			to := filepath.Join(t.TempDir(), "out")
			r := fetch.Request{URL: web.URL + "/a.bin", To: to, Size: size}
			if tt.sha {
				r.SHA256 = sum(content)
			}
			stopAt(t, r, size/2)
			if _, err := os.Stat(to); err == nil {
				t.Fatal("the file is there before it is whole")
			}
			served := web.Served()
			web.Set(tt.fault)
			var first int64 = -1
			var mu sync.Mutex
			r.Report = func(e progress.Event) {
				mu.Lock()
				defer mu.Unlock()
				if first < 0 {
					first = e.Done
				}
			}
			if err := quick.Get(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			got, _ := os.ReadFile(to)
			if !bytes.Equal(got, content) {
				t.Error("the file is not the right one")
			}
			only(t, filepath.Dir(to), "out")
			t.Logf("%d bytes of the file, %d served before the stop, %d in all", size, served, web.Served())
			if tt.less && (web.Served() >= 2*size || first == 0) {
				t.Errorf("%d bytes served for %d, and the second try began at %d", web.Served(), size, first)
			}
		})
	}
}

// stopAt cancels a download when so much of it is there.
func stopAt(t *testing.T, r fetch.Request, at int64) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r.Report = func(e progress.Event) {
		if e.Done >= at {
			stop()
		}
	}
	if err := quick.Get(ctx, r); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped download: %v, want the context's error", err)
	}
}

// TestChanged: halves of two files are not put together.
func TestChanged(t *testing.T) {
	const size = 4 << 20
	t.Run("between two calls", func(t *testing.T) {
		dir, _ := folder(t, size)
		web := sourcetest.Server(t, dir, sourcetest.Fault{Slow: 3 * time.Millisecond})
		to := filepath.Join(t.TempDir(), "out")
		r := fetch.Request{URL: web.URL + "/a.bin", To: to, Size: size}
		stopAt(t, r, size/2)
		other := random(size - 1)
		other = append(other, 7)
		put(t, filepath.Join(dir, "a.bin"), other)
		if err := os.Chtimes(filepath.Join(dir, "a.bin"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		web.Set(sourcetest.Fault{})
		if err := quick.Get(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(to); !bytes.Equal(got, other) {
			t.Error("the file is not the one that the server has now")
		}
	})
	t.Run("while it is fetched", func(t *testing.T) {
		dir, _ := folder(t, size)
		other := random(size - 1)
		other = append(other, 9)
		web := sourcetest.Server(t, dir, sourcetest.Fault{Slow: 3 * time.Millisecond})
		to := filepath.Join(t.TempDir(), "out")
		var once sync.Once
		r := fetch.Request{URL: web.URL + "/a.bin", To: to, Size: size, Report: func(e progress.Event) {
			if e.Done < size/3 {
				return
			}
			once.Do(func() {
				next := filepath.Join(dir, "b.bin")
				put(t, next, other)
				os.Chtimes(next, time.Time{}, time.Now().Add(time.Hour))
				// On Windows an open file cannot be replaced: the server has it open. Then it stays as it was.
				os.Rename(next, filepath.Join(dir, "a.bin"))
			})
		}}
		if err := quick.Get(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		want, _ := os.ReadFile(filepath.Join(dir, "a.bin"))
		if got, _ := os.ReadFile(to); !bytes.Equal(got, want) {
			t.Error("the file is not the one that the server has now")
		}
	})
}
