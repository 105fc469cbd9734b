package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// quick measures what takes milliseconds, once files are made at their usual speed again: filling caches deletes thousands of files,
// and while those are among the recently deleted ext4 makes a new one in 0.1 to 0.7 ms instead of 0.02 (see away). That was seen to
// give a warm build of a hundred kernels five times its time.
func quick(t testing.TB, n int, variants []variant) []row {
	t.Helper()
	const usual, patience = 40 * time.Microsecond, 7 * time.Minute
	dir := t.TempDir()
	for began := time.Now(); ; time.Sleep(5 * time.Second) {
		took := making(t, dir)
		if took < usual {
			break
		}
		if time.Since(began) > patience {
			fmt.Printf("a new file takes %v, for %v now: these times are too large\n", took, patience)
			break
		}
	}
	return measure(t, n, variants)
}

// making is what a new file takes.
func making(t testing.TB, dir string) time.Duration {
	t.Helper()
	const files = 100
	dir, err := os.MkdirTemp(dir, "")
	began := time.Now()
	for i := 0; i < files && err == nil; i++ {
		err = os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return time.Since(began) / files
}
