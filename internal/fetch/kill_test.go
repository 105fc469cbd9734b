package fetch_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"cupel/internal/fetch"
	"cupel/internal/source/sourcetest"
)

// TestMain lets the test's own program be the process that is killed.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "fetch-child" {
		if err := quick.Get(context.Background(), fetch.Request{URL: os.Args[2], To: os.Args[3]}); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		os.Unsetenv(name) // Go reads them once, and the tests' servers are on loopback
	}
	os.Exit(m.Run())
}

// TestProxy: the proxy that the environment names is asked for a name that nobody else knows.
func TestProxy(t *testing.T) {
	dir, content := folder(t, 1<<20)
	web := sourcetest.Server(t, dir, sourcetest.Fault{})
	to := filepath.Join(t.TempDir(), "out")
	child := exec.Command(os.Args[0], "fetch-child", "http://cupel.invalid/a.bin", to)
	child.Env = append(os.Environ(), "HTTP_PROXY="+web.URL, "http_proxy="+web.URL, "NO_PROXY=", "no_proxy=")
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("through the proxy: %v\n%s", err, out)
	}
	if got, _ := os.ReadFile(to); !bytes.Equal(got, content) || web.Requests() == 0 {
		t.Errorf("%d bytes came with %d requests to the proxy, want %d", len(got), web.Requests(), len(content))
	}
}

// TestKilled: processes that are killed at random moments; each goes on where the last one was, and the sum of what they
// fetch stays below twice the file.
func TestKilled(t *testing.T) {
	const size, kills = 24 << 20, 8
	dir, content := folder(t, size)
	web := sourcetest.Server(t, dir, sourcetest.Fault{Slow: 2 * time.Millisecond})
	to := filepath.Join(t.TempDir(), "out")
	killed := 0
	for range kills {
		child := exec.Command(os.Args[0], "fetch-child", web.URL+"/a.bin", to)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { defer close(ended); child.Wait() }()
		for more := web.Served() + rand.Int64N(size/kills); web.Served() < more; {
			select {
			case <-ended:
				more = 0
			case <-time.After(time.Millisecond):
			}
		}
		child.Process.Kill()
		<-ended
		if !child.ProcessState.Success() {
			killed++
		}
	}
	web.Set(sourcetest.Fault{})
	if err := quick.Get(t.Context(), fetch.Request{URL: web.URL + "/a.bin", To: to}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(to); !bytes.Equal(got, content) {
		t.Error("the file is not the right one")
	}
	only(t, filepath.Dir(to), "out")
	t.Logf("%d processes killed; %d bytes served for a file of %d", killed, web.Served(), size)
	if web.Served() >= 2*size {
		t.Errorf("%d bytes were served, want less than twice %d", web.Served(), size)
	}
}
