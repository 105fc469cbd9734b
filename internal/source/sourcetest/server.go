package sourcetest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Fault is what is wrong with a server. The zero value is a good one.
type Fault struct {
	DropEvery  int64         // each answer breaks off after so many bytes
	StallAfter int64         // each answer stands still after so many bytes
	Stalls     int           // how many answers do; 0: all
	NoRange    bool          // whole files only
	NoTag      bool          // neither ETag nor Last-Modified
	NoLength   bool          // the length is not told; implies NoRange
	WrongBytes bool          // a byte in the middle of each file is another one
	Longer     int64         // so many bytes follow that do not belong to the file
	Shorter    int64         // so many bytes are missing at the end, and the length says so
	Status     int           // instead of a file
	Failing    int           // how many answers are Status; 0: all
	Slow       time.Duration // a pause before every 64 KiB
	Gone       string        // a file whose path holds this is 404
	Only       string        // only paths that hold this have the fault; empty: all but manifests (.json)
}

// Loopback serves a folder on 127.0.0.1.
type Loopback struct {
	URL string

	dir      string
	mu       sync.Mutex
	fault    Fault
	stalled  int
	failed   int
	served   atomic.Int64
	requests atomic.Int64
	closed   chan struct{}
	handlers sync.WaitGroup
}

// Server serves a folder, with a fault, until the test ends.
func Server(t testing.TB, dir string, f Fault) *Loopback {
	t.Helper()
	s := &Loopback{dir: dir, fault: f, closed: make(chan struct{})}
	web := httptest.NewServer(s)
	s.URL = web.URL
	t.Cleanup(func() {
		close(s.closed)
		web.CloseClientConnections()
		web.Close()
		s.handlers.Wait() // Windows removes no folder with an open file in it
	})
	return s
}

// Set changes the fault from now on.
func (s *Loopback) Set(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.stalled, s.failed = f, 0, 0
}

// Served is how many bytes of files were sent.
func (s *Loopback) Served() int64 { return s.served.Load() }

// Requests is how many were answered.
func (s *Loopback) Requests() int64 { return s.requests.Load() }

// faultFor is the fault that this answer has.
func (s *Loopback) faultFor(path string) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fault
	if f.Only != "" && !strings.Contains(path, f.Only) || f.Only == "" && strings.HasSuffix(path, ".json") {
		return Fault{Gone: f.Gone}
	}
	if f.Stalls > 0 && f.StallAfter > 0 {
		if s.stalled++; s.stalled > f.Stalls {
			f.StallAfter = 0
		}
	}
	if f.Failing > 0 && f.Status > 0 {
		if s.failed++; s.failed > f.Failing {
			f.Status = 0
		}
	}
	return f
}

func (s *Loopback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.handlers.Add(1)
	defer s.handlers.Done()
	s.requests.Add(1)
	f := s.faultFor(r.URL.Path)
	if f.Status != 0 {
		http.Error(w, "no", f.Status)
		return
	}
	path := filepath.Join(s.dir, filepath.FromSlash(strings.TrimPrefix(r.URL.Path, "/")))
	if f.Gone != "" && strings.Contains(r.URL.Path, f.Gone) {
		http.NotFound(w, r)
		return
	}
	file, err := os.Open(path)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.IsDir() {
		http.NotFound(w, r)
		return
	}
	s.send(w, r, f, file, info)
}

// send answers with the file, as the fault wants it.
func (s *Loopback) send(w http.ResponseWriter, r *http.Request, f Fault, file *os.File, info os.FileInfo) {
	body := &twisted{ReadSeeker: file, size: info.Size(), fault: f}
	modified := info.ModTime()
	if f.NoTag {
		modified = time.Time{}
	} else {
		w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.Size(), modified.UnixNano()))
	}
	if f.NoRange || f.NoLength {
		r.Header.Del("Range")
		w = noRange{w}
	}
	out := &faulty{ResponseWriter: w, server: s, fault: f, ended: r.Context().Done()}
	if f.NoLength {
		if r.Method != http.MethodHead {
			out.WriteHeader(http.StatusOK)
			io.Copy(out, body)
		}
		return
	}
	http.ServeContent(out, r, info.Name(), modified, body)
}
