package cas_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cupel/internal/cas"
	"cupel/internal/digest"
)

// content is a text that tells whether it is whole: its first line says what it must be.
func content(seed, size int) []byte {
	head := fmt.Sprintf("%d %d\n", seed, size)
	return append([]byte(head), bytes.Repeat([]byte{byte('a' + seed%26)}, size)...)
}

func whole(b []byte) bool {
	var seed, size int
	if _, err := fmt.Sscanf(string(b[:min(len(b), 40)]), "%d %d\n", &seed, &size); err != nil {
		return false
	}
	return bytes.Equal(b, content(seed, size))
}

// writer is what the killed processes do: keep, note, place and count without a pause.
func writer(dir string) {
	s := cas.Store{Dir: filepath.Join(dir, "store"), Hard: os.Getenv("CAS_TEST_HARD") != ""}
	fmt.Println("writing")
	for {
		seed := rand.IntN(50)
		text := content(seed, seed*6_000)
		d, err := s.Put(text)
		if err != nil {
			continue // Windows: another process reads it
		}
		_ = s.SetNote("manifest", digest.Of([]byte{byte(seed)}), text)
		_ = s.Place(d, filepath.Join(dir, "out", fmt.Sprint(rand.IntN(8))), 0o644)
		s.Count("hit")
		if seed == 0 {
			_, _ = s.Trim(ctx, 2_000_000)
		}
	}
}

func start(t *testing.T, dir string, hard string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "CAS_TEST_WRITER="+dir, "CAS_TEST_HARD="+hard)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // should the test end early: it would write for ever, into a folder that is to be deleted
		if cmd.ProcessState == nil {
			end(t, cmd)
		}
	})
	_, _ = out.Read(make([]byte, 1)) // it is at work
	return cmd
}

func end(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait()
}

// TestKilled: four processes on one store, killed at random moments. Afterwards every file is whole or not there.
func TestKilled(t *testing.T) {
	kills := 200
	switch {
	case testing.Short() && runtime.GOOS == "windows":
		kills = 4 // under wine a process takes half a second to start
	case testing.Short():
		kills = 20
	}
	for _, hard := range []string{"", "1"} {
		t.Run("hard="+hard, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "out"), 0o755); err != nil {
				t.Fatal(err)
			}
			var running [4]*exec.Cmd
			for i := range running {
				running[i] = start(t, dir, hard)
			}
			for range kills / 2 {
				time.Sleep(time.Duration(rand.IntN(15_000)) * time.Microsecond)
				i := rand.IntN(len(running))
				end(t, running[i])
				running[i] = start(t, dir, hard)
			}
			for _, cmd := range running {
				end(t, cmd)
			}
			wholeStore(t, cas.Store{Dir: filepath.Join(dir, "store")})
			wholeOutputs(t, filepath.Join(dir, "out"), kills+len(running))
		})
	}
}

func wholeStore(t *testing.T, s cas.Store) {
	t.Helper()
	bad, err := s.Check(ctx, func(int, int) {})
	if err != nil || len(bad) > 0 {
		t.Errorf("the store has %v, %v", bad, err)
	}
	u, err := s.Usage()
	if err != nil || u.Blobs == 0 || u.Notes == 0 {
		t.Errorf("the store has %+v, %v: nothing was proved", u, err)
	}
	for _, b := range s.Notes("manifest") {
		if !whole(b) {
			t.Errorf("a note is %.40q…", b)
		}
	}
	counted, err := s.Tally()
	if err != nil || len(counted) != 1 || counted["hit"] == 0 {
		t.Errorf("the tally is %v, %v", counted, err)
	}
	tmp := filepath.Join(s.Dir, "tmp")
	entries, _ := os.ReadDir(tmp)
	for _, e := range entries {
		aged(t, filepath.Join(tmp, e.Name()), 1)
	}
	if got, err := s.Trim(ctx, 0); err != nil || got.Held {
		t.Errorf("Trim: %+v, %v: a killed process still has the lock", got, err)
	}
	only(t, tmp)
}

func wholeOutputs(t *testing.T, dir string, most int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			left++
			continue
		}
		if b := read(t, filepath.Join(dir, e.Name())); !whole([]byte(b)) {
			t.Errorf("output %s is %.40q…", e.Name(), b)
		}
	}
	if left > most || left == len(entries) {
		t.Errorf("%d of %d files are temporary ones", left, len(entries))
	}
	t.Logf("%d outputs, %d temporary files left", len(entries)-left, left)
}
