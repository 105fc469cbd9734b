package toolkit

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"cupel/internal/child"
	"cupel/internal/progress"
	"cupel/internal/resolve"
)

// clientVariable has installForTest use a client that calls a test at this address.
const clientVariable = "CUPEL_TEST_CLIENT"

// caller is a shop whose files a client brings, as pip's and apt's are.
type caller struct {
	*shop
	address string
}

func (c *caller) Fetch(ctx context.Context, _ resolve.Plan, p resolve.Parcel, dir string, _ progress.Report) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, p.File)
	_, err = child.Run(ctx, child.Command{Path: exe, Args: []string{"client-for-test", c.address, path}})
	return path, err
}

// clientForTest writes the beginning of a file and calls; it ends by itself only with the test. Its call ends when it does.
func clientForTest(address, path string) {
	call, err := net.Dial("tcp", address)
	if err == nil {
		err = os.WriteFile(path, []byte("the beginning"), 0o644)
	}
	if err == nil {
		_, err = call.Write([]byte("x"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = call.Read(make([]byte, 1)) // nobody answers
}

// TestKilledWithClient ends an install with kill -9 while clients bring its parcels: they end too, and the next run
// succeeds with what they left in its way.
func TestKilledWithClient(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		t.Skip("only Linux and Windows end a child with its parent")
	}
	i, s := newInstaller(t), newShop(t, here)
	// wine 8 was seen once, with many programs at work, to let one process of a closed job run on. So another try counts
	// there, and there alone.
	tries := map[string]int{"linux": 1, "windows": 3}[runtime.GOOS]
	for try := 1; ; try++ {
		alive := killWithClients(t, i, s)
		if len(alive) == 0 {
			break
		}
		if try == tries {
			t.Fatalf("clients run on after their installer was killed: %v", alive)
		}
		t.Logf("try %d: clients run on after their installer was killed: %v", try, alive)
	}
	if got := visible(t, i); len(got) > 0 {
		t.Errorf("visible: %q", got)
	}
	if _, err := i.Install(ctx, s, s.plan(t, here)); err != nil {
		t.Errorf("the next run: %v", err)
	}
	if got, hidden := visible(t, i), left(t, i); len(got) != 1 || len(hidden) > 0 {
		t.Errorf("visible %q, left %q", got, hidden)
	}
}

// killWithClients kills an install whose clients are at work. It returns what of them runs on.
func killWithClients(t *testing.T, i Installer, s *shop) (alive []error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	line, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	cmd := exec.Command(exe, "install-for-test", i.Depot.Home, i.Depot.Cache, s.dir)
	cmd.Env, cmd.Stderr = append(os.Environ(), clientVariable+"="+line.Addr().String()), os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	calls := answer(t, line, defaultJobs)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for n, c := range calls {
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			alive = append(alive, fmt.Errorf("client %d: %w", n, err))
		}
		_ = c.Close() // one that runs on ends now
	}
	return alive
}

// answer takes the calls of clients that are at work.
func answer(t *testing.T, line net.Listener, want int) []net.Conn {
	t.Helper()
	var calls []net.Conn
	for range want {
		_ = line.(*net.TCPListener).SetDeadline(time.Now().Add(time.Minute))
		c, err := line.Accept()
		if err != nil {
			t.Fatalf("after %d of %d clients called: %v", len(calls), want, err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	return calls
}

// TestTwoProcesses: the same installs at once in processes of their own, which have nothing in common but the folders.
func TestTwoProcesses(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	i, s := newInstaller(t), newShop(t, here)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if out, err := exec.Command(exe, "install-for-test", i.Depot.Home, i.Depot.Cache, s.dir).CombinedOutput(); err != nil {
				t.Errorf("install: %v\n%s", err, out)
			}
		})
	}
	all.Wait()
	if got, hidden := visible(t, i), left(t, i); len(got) != 1 || len(hidden) > 0 {
		t.Errorf("visible %q, left %q; want one and none", got, hidden)
	}
	out, err := i.Install(ctx, s, s.plan(t, here, "nvtx"))
	if err != nil || !out.Already {
		t.Errorf("afterwards: %+v, %v, want everything there", out, err)
	}
}
