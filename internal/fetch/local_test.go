package fetch_test

import (
	"bytes"
	"context"
	"errors"
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

// TestFolder: a path and a file address are places to fetch from too.
func TestFolder(t *testing.T) {
	dir, content := folder(t, 1<<20)
	slashed := filepath.ToSlash(dir)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive
	}
	for _, base := range []string{dir, "file://" + slashed, "file://" + slashed + "/"} {
		t.Run(base[:4], func(t *testing.T) {
			to := filepath.Join(t.TempDir(), "out")
			if err := quick.Get(t.Context(), fetch.Request{URL: fetch.Join(base, "a.bin"), To: to, Size: 1 << 20}); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(to); !bytes.Equal(got, content) {
				t.Error("the copy differs")
			}
			only(t, filepath.Dir(to), "out")
			err := quick.Get(t.Context(), fetch.Request{URL: fetch.Join(base, "a.bin"), To: to + "2", Size: 5})
			if size := (fetch.WrongSize{}); !errors.As(err, &size) {
				t.Errorf("a file that is longer than promised: %v, want WrongSize", err)
			}
		})
	}
}

// TestThere: a file whose checksum fits is not fetched again; one whose checksum does not fit is.
func TestThere(t *testing.T) {
	dir, content := folder(t, 1<<20)
	web := sourcetest.Server(t, dir, sourcetest.Fault{})
	to := filepath.Join(t.TempDir(), "out")
	r := fetch.Request{URL: web.URL + "/a.bin", To: to, Size: 1 << 20, SHA256: sum(content)}
	for _, tt := range []struct {
		name    string
		there   []byte
		fetched bool
	}{
		{"nothing there", nil, true},
		{"the file there", content, false},
		{"another file there", content[1:], true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			os.Remove(to)
			if tt.there != nil {
				put(t, to, tt.there)
			}
			before := web.Served()
			if err := quick.Get(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if got := web.Served() - before; got > 0 != tt.fetched {
				t.Errorf("%d bytes were served, want some: %t", got, tt.fetched)
			}
			if got, _ := os.ReadFile(to); !bytes.Equal(got, content) {
				t.Error("the file is not the right one")
			}
		})
	}
}

// TestLeftOver: a file of an earlier time is not there while the right one cannot be had.
func TestLeftOver(t *testing.T) {
	dir, content := folder(t, 1000)
	web := sourcetest.Server(t, dir, sourcetest.Fault{Status: 404})
	for _, url := range []string{web.URL + "/a.bin", filepath.Join(dir, "nowhere")} {
		to := filepath.Join(t.TempDir(), "out")
		put(t, to, content[1:])
		if err := quick.Get(t.Context(), fetch.Request{URL: url, To: to, SHA256: sum(content)}); err == nil {
			t.Fatal("no error")
		}
		only(t, filepath.Dir(to))
	}
}

// TestReports: numbers grow to the whole, and no event is empty.
func TestReports(t *testing.T) {
	dir, _ := folder(t, 1<<20)
	for _, fault := range []sourcetest.Fault{{}, {NoRange: true}, {NoLength: true}} {
		web := sourcetest.Server(t, dir, fault)
		var events []progress.Event
		var mu sync.Mutex
		r := fetch.Request{URL: web.URL + "/a.bin", To: filepath.Join(t.TempDir(), "out"), Item: "a", Report: func(e progress.Event) {
			mu.Lock()
			defer mu.Unlock()
			events = append(events, e)
		}}
		if err := quick.Get(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		last := events[len(events)-1]
		if last.Done != 1<<20 || last.Total != 1<<20 || last.Item != "a" || last.Phase != progress.Fetch {
			t.Errorf("with %+v the last event is %+v, want the whole file", fault, last)
		}
		for _, e := range events {
			if e.Done == 0 && e.Total == 0 {
				t.Errorf("with %+v there is an event without numbers: %+v", fault, e)
			}
		}
	}
}

// TestReadAndHead: small documents.
func TestReadAndHead(t *testing.T) {
	dir, content := folder(t, 1000)
	web := sourcetest.Server(t, dir, sourcetest.Fault{Status: 502, Failing: 2})
	for _, base := range []string{web.URL, dir} {
		address := fetch.Join(base, "a.bin")
		if got, err := quick.Read(t.Context(), address, 1000); err != nil || !bytes.Equal(got, content) {
			t.Errorf("Read: %d bytes, %v; want 1000", len(got), err)
		}
		if _, err := quick.Read(t.Context(), address, 999); err == nil {
			t.Error("Read of more than the limit: no error")
		}
		if err := quick.Head(t.Context(), address); err != nil {
			t.Errorf("Head: %v", err)
		}
		for name, err := range map[string]error{"Head": quick.Head(t.Context(), fetch.Join(base, "b")), "Read": second(quick.Read(t.Context(), fetch.Join(base, "b"), 9))} {
			if !fetch.Missing(err) {
				t.Errorf("%s of what is not there: %v, want one that is Missing", name, err)
			}
		}
	}
}

func second(_ []byte, err error) error { return err }

// TestRedirects: a few steps, and none down from https.
func TestRedirects(t *testing.T) {
	dir, content := folder(t, 1000)
	good := sourcetest.Server(t, dir, sourcetest.Fault{})
	round := httptest.NewServer(nil)
	defer round.Close()
	steps := 0
	round.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if steps++; r.URL.Path == "/once" {
			http.Redirect(w, r, good.URL+"/a.bin", http.StatusFound)
			return
		}
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	if got, err := quick.Read(t.Context(), round.URL+"/once", 1000); err != nil || !bytes.Equal(got, content) {
		t.Errorf("one redirect: %d bytes, %v", len(got), err)
	}
	steps = 0
	if _, err := quick.Read(t.Context(), round.URL+"/again", 1000); err == nil || !strings.Contains(err.Error(), "redirects more than 5 times") {
		t.Errorf("redirects without end: %v", err)
	}
	if steps != 6 {
		t.Errorf("%d requests, want 6: it is of no use to try again", steps)
	}
}

// TestImpatient: the caller's own limit counts, also while nobody answers.
func TestImpatient(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := (fetch.Client{}).Head(ctx, silent.URL+"/x"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Head: %v, want the context's error", err)
	}
}

// TestAgent: servers see who asks.
func TestAgent(t *testing.T) {
	var got string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = r.UserAgent() }))
	defer web.Close()
	if _, err := (fetch.Client{Agent: "cupel/1.2"}).Read(t.Context(), web.URL, 9); err != nil || got != "cupel/1.2" {
		t.Errorf("User-Agent is %q (%v), want cupel/1.2", got, err)
	}
}
