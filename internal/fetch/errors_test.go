package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDialTimeout: a server that is away is told in our words, although its error looks like the context's own.
func TestDialTimeout(t *testing.T) {
	c := Client{Tries: 2, Pause: time.Millisecond}
	c.web = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: context.DeadlineExceeded}
	}}}
	address := "http://name:word@mirror.example/t/to-ken/x.json?key=word"
	_, reading := c.Read(t.Context(), address, 10)
	for name, err := range map[string]error{
		"read": reading, "head": c.Head(t.Context(), address),
		"get": c.Get(t.Context(), Request{URL: address, To: filepath.Join(t.TempDir(), "x")}),
	} {
		var failed Failed
		want := "get http://mirror.example/t/***/x.json: it did not answer in time"
		if !errors.As(err, &failed) || err.Error() != want || strings.Contains(err.Error(), "word") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestOwnEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Client{}).Read(ctx, "http://mirror.example/x", 10); !errors.Is(err, context.Canceled) {
		t.Errorf("Read = %v, want %v", err, context.Canceled)
	}
}

// TestNotRenamed: what was brought stays for the next call when the file cannot get its name.
func TestNotRenamed(t *testing.T) {
	to := filepath.Join(t.TempDir(), "x")
	if err := errors.Join(os.MkdirAll(filepath.Join(to, "in the way"), 0o755),
		os.WriteFile(to+".part", []byte("whole"), 0o644), os.WriteFile(to+".state", nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := finish(Request{To: to}); err == nil {
		t.Fatal("finish puts a file over a folder")
	}
	for _, ending := range []string{".part", ".state"} {
		if _, err := os.Stat(to + ending); err != nil {
			t.Errorf("after a rename that did not work: %v", err)
		}
	}
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if err := finish(Request{To: to}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(to + ".*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
