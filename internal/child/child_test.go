package child_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cupel/internal/child"
)

// TestMain: the test program is its own child, so the tests run wherever Go does.
func TestMain(m *testing.M) {
	switch os.Getenv("CHILD_DOES") {
	case "":
		os.Exit(m.Run())
	case "talk":
		os.Stdout.WriteString("one\r\ntwo\n")
		os.Stderr.WriteString("three")
		os.Exit(0)
	case "fail":
		os.Stderr.WriteString("E: no such package\n")
		os.Exit(7)
	case "flood":
		for range 5000 {
			os.Stdout.WriteString(strings.Repeat("x", 1023) + "\n")
		}
		os.Stdout.WriteString("the end\n")
	case "sleep":
		fmt.Println(os.Getpid())
		time.Sleep(time.Hour)
	case "wait":
		c := self("sleep")
		c.Lines = func(pid string) { fmt.Println(pid) }
		_, _ = child.Run(context.Background(), c)
	case "gap":
		gap()
	case "compute":
		for until := time.Now().Add(300 * time.Millisecond); time.Now().Before(until); {
		}
	case "let compute":
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "CHILD_DOES=compute")
		_ = c.Run()
	}
}

func self(does string) child.Command {
	return child.Command{Path: os.Args[0], Env: append(os.Environ(), "CHILD_DOES="+does)}
}

func TestRun(t *testing.T) {
	c := self("talk")
	var lines []string
	c.Lines = func(l string) { lines = append(lines, l) }
	r, err := child.Run(t.Context(), c)
	if err != nil || r.Code != 0 || r.Stdout != "one\r\ntwo\n" || r.Stderr != "three" {
		t.Errorf("Run = %+v, %v", r, err)
	}
	slices.Sort(lines)
	if !slices.Equal(lines, []string{"one", "three", "two"}) {
		t.Errorf("lines = %q", lines)
	}
}

// TestComputed: what children of the child compute counts.
func TestComputed(t *testing.T) {
	r, err := child.Run(t.Context(), self("let compute"))
	if err != nil {
		t.Fatal(err)
	}
	// On a busy machine it gets less of the 300 ms. wine does not count what a job computes.
	if r.Computed < 20*time.Millisecond && runtime.GOOS != "windows" {
		t.Errorf("computed %v of 300 ms", r.Computed)
	}
}

func TestFailed(t *testing.T) {
	_, err := child.Run(t.Context(), self("fail"))
	var failed child.Failed
	if !errors.As(err, &failed) || failed.Result.Code != 7 || !strings.Contains(err.Error(), "E: no such package") {
		t.Errorf("Run = %v", err)
	}
}

// TestFlood: what is kept is bounded, and it is the end.
func TestFlood(t *testing.T) {
	r, err := child.Run(t.Context(), self("flood"))
	if err != nil || len(r.Stdout) > 2<<20 || !strings.HasSuffix(r.Stdout, "the end\n") {
		t.Errorf("Run kept %d bytes, error %v", len(r.Stdout), err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	if _, err := child.Run(ctx, self("sleep")); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want %v", err, context.Canceled)
	}
}

func TestNotThere(t *testing.T) {
	if _, err := child.Run(t.Context(), child.Command{Path: "/no/such/program"}); err == nil {
		t.Error("Run of a program that is not there gives no error on " + runtime.GOOS)
	}
}
