package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cupel/internal/signature"
)

// mostMemory is what explain may take, whatever the log: 64 MB.
const mostMemory = 64 << 20

// TestExplainMemory measures the program from outside on logs that are made to make it grow.
func TestExplainMemory(t *testing.T) {
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	var known strings.Builder
	for _, s := range signature.All() {
		for _, e := range s.Examples {
			known.WriteString(strings.Join(strings.Fields(e.Text), " ") + "\n")
		}
	}
	lines := strings.Split(strings.TrimSpace(known.String()), "\n")
	padded := func(n int) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "%s %s %d\n", lines[i%len(lines)], strings.Repeat("x", 7000), i)
		}
		return b.Bytes()
	}
	for _, tt := range []struct {
		name string
		log  []byte
	}{
		{"every known message in one line", []byte(strings.ReplaceAll(known.String(), "\n", " "))},
		{"every known message on padded lines", padded(30 << 20)},
		{"nothing but NUL bytes", make([]byte, 60<<20)},
		{"nothing but escapes", bytes.Repeat([]byte{0x1b}, 60<<20)},
		{"one line of carriage returns", bytes.Repeat([]byte("step 12 of 100\r"), 2<<20)},
		{"a million different errors", []byte(strings.Repeat("/a/b.cu(7): error: identifier \"x\" is undefined\n/usr/bin/ld: cannot find -lcudart\n", 1<<18))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(filepath.Join(dir, "cupel"), "explain", "--no-machine")
			var out bytes.Buffer
			cmd.Stdin, cmd.Stdout = bytes.NewReader(tt.log), &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			peak := watch(cmd.Process.Pid)
			err := cmd.Wait()
			if cmd.ProcessState.ExitCode() > 1 || out.Len() == 0 {
				t.Fatalf("it did not answer: %v", err)
			}
			got := <-peak
			t.Logf("%d MB at its peak for a log of %d MB", got>>20, len(tt.log)>>20)
			if got == 0 || got > mostMemory {
				t.Errorf("%d MB at its peak, want at most %d", got>>20, mostMemory>>20)
			}
		})
	}
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// watch reads a process's own peak until it is gone. The rusage of a child would not do: it begins with what the
// parent had when it forked.
func watch(pid int) <-chan int {
	peak := make(chan int, 1)
	go func() {
		top := 0
		for {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			m := highWater.FindSubmatch(text)
			if err != nil || m == nil { // gone, or ended and not waited for
				break
			}
			kb, _ := strconv.Atoi(string(m[1]))
			top = max(top, kb<<10)
			time.Sleep(time.Millisecond)
		}
		peak <- top
	}()
	return peak
}
