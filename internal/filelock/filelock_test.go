package filelock_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cupel/internal/filelock"
)

// TestMain: a copy of this program takes a lock and waits to be killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("FILELOCK_TEST_TAKE"); path != "" {
		_, err := filelock.Try(path, 0o600)
		fmt.Println(err == nil)
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func entries(t *testing.T, dir string) int {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestTry(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".lock")
	if filelock.Held(path) || entries(t, dir) != 0 {
		t.Error("a lock that nobody took: it is held, or looking made it")
	}
	release, err := filelock.Try(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filelock.Try(path, 0o600); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("taken twice: %v, want %v", err, filelock.ErrHeld)
	}
	if !filelock.Held(path) || !filelock.Held(path) {
		t.Error("it is taken and not told as held")
	}
	release()
	if filelock.Held(path) || entries(t, dir) != 0 {
		t.Error("let go, it is still held or still there")
	}
	again, err := filelock.Try(path, 0o600)
	if err != nil {
		t.Fatalf("after it was let go: %v", err)
	}
	again()
}

// TestTrouble: what is no lock is told with the file's name, and is not taken for one that is held.
func TestTrouble(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gone", ".lock")
	_, err := filelock.Try(path, 0o600)
	var at *fs.PathError
	if !errors.As(err, &at) || at.Path != path || !errors.Is(err, fs.ErrNotExist) || errors.Is(err, filelock.ErrHeld) {
		t.Errorf("in a folder that is not there: %v, want an error that names %s", err, path)
	}
	if filelock.Held(path) {
		t.Error("a lock in a folder that is not there is told as held")
	}
}

// TestLeftFile: a file that a killed process left is no lock.
func TestLeftFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".lock")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if filelock.Held(path) {
		t.Error("a file alone is told as held")
	}
	release, err := filelock.Try(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("let go, the file is still there: %v", err)
	}
}

// TestOneByOne: the holder removes the file, and still no two have it at once.
func TestOneByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".lock")
	var all sync.WaitGroup
	var inside, done atomic.Int32
	for range 8 {
		all.Go(func() {
			for range 20 {
				release, err := filelock.Try(path, 0o600)
				for errors.Is(err, filelock.ErrHeld) {
					time.Sleep(time.Millisecond)
					release, err = filelock.Try(path, 0o600)
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d have it at once", n)
				}
				inside.Add(-1)
				done.Add(1)
				release()
			}
		})
	}
	all.Wait()
	if done.Load() != 160 {
		t.Errorf("it was taken %d times, want 160", done.Load())
	}
}

// TestKilled: the kernel lets go for a process that is killed.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".lock")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "FILELOCK_TEST_TAKE="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil { // it waits for what never comes
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var took bool
	if _, err := fmt.Fscan(out, &took); err != nil || !took {
		t.Fatalf("the other process took it: %t, %v", took, err)
	}
	if _, err := filelock.Try(path, 0o600); !errors.Is(err, filelock.ErrHeld) || !filelock.Held(path) {
		t.Errorf("while another process has it: %v, want %v", err, filelock.ErrHeld)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if filelock.Held(path) {
		t.Error("after the kill it is still held")
	}
	release, err := filelock.Try(path, 0o600)
	if err != nil {
		t.Fatalf("after the kill: %v", err)
	}
	release()
}
