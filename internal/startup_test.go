package internal_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// mostAtInit is how many bytes one package may allocate before main: a few maps. One compiled expression is about 3 KB, and a
// table that was read from embedded data far more.
const mostAtInit = 8 << 10

var initLine = regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes, \d+ allocs$`)

// TestStart: no package of ours works before main runs. What it does there is paid by every command, also by those that never
// use it. Bytes are asserted because they are the same in every run; the time is not.
func TestStart(t *testing.T) {
	for _, name := range []string{"cupel", "cupel-nvcc", "cupel-gpu"} {
		t.Run(name, func(t *testing.T) {
			trace := initOf(t, name)
			for pkg, size := range trace {
				if strings.HasPrefix(pkg, "cupel/") && size > mostAtInit {
					t.Errorf("%s allocates %d bytes when %s starts, want at most %d: make it at the first use (sync.OnceValue, pattern.New)", pkg, size, name, mostAtInit)
				}
			}
			if _, ok := trace["os"]; !ok {
				t.Errorf("the trace of %s is %v: it does not even name package os", name, trace)
			}
		})
	}
}

// initOf is how much each package allocates at the start of one of the programs, as Go's runtime tells.
func initOf(t *testing.T, name string) map[string]int {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, "../cmd/"+name)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var trace bytes.Buffer
	run := exec.Command(program, "--help")
	run.Env, run.Stderr = append(os.Environ(), "GODEBUG=inittrace=1"), &trace
	run.Run() // the packages are set up before the words are looked at
	found := map[string]int{}
	for _, m := range initLine.FindAllStringSubmatch(trace.String(), -1) {
		found[m[1]], _ = strconv.Atoi(m[2])
	}
	return found
}
