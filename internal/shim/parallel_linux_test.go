package shim_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/testbed"
)

// TestKilledInParallel: of many calls at once some are killed at random moments, the shim or the tool. Every record can be
// read; those that were left alone are right; nothing runs on.
func TestKilledInParallel(t *testing.T) {
	b := newBench(t)
	b.script(t, `i=0; while [ $i -lt 20 ]; do echo "out $(($1 % 3)) $i"; echo "err $(($1 % 3)) $i" >&2; sleep 0.02; i=$((i+1)); done; exit $(($1 % 3))`)
	killSome(t, b, time.Second, func(i int) []string { return []string{strconv.Itoa(i)} })
}

// TestKilledCompilers: the same with NVIDIA's compiler.
func TestKilledCompilers(t *testing.T) {
	testbed.Long(t)
	b := newBench(t)
	b.pointTo(t, filepath.Join(testbed.Toolkit(t, "cuda-13.0"), "bin", "nvcc"))
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), "#warning a warning\n"+kernel)
	write(t, filepath.Join(dir, "bad.cu"), "__global__ void k( { int x = ; }\n")
	killSome(t, b, 20*time.Second, func(i int) []string {
		source := []string{"k.cu", "k.cu", "bad.cu"}[i%3]
		return []string{"-ccbin", "g++-12", "-ptx", filepath.Join(dir, source), "-o", filepath.Join(dir, fmt.Sprintf("%d.ptx", i))}
	})
}

// one is one of the calls.
type one struct {
	args []string
	out  outcome
	pid  int
}

// killSome makes 64 calls, which say three different things in turn, and kills 20 of them within a time.
func killSome(t *testing.T, b *bench, within time.Duration, args func(i int) []string) {
	t.Helper()
	const calls, kills = 64, 20
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	mark := fmt.Sprintf("KILL_TEST=%d", seed)
	all := make([]one, calls)
	var wg sync.WaitGroup
	for i := range all {
		all[i].args = args(i)
		cmd := b.command(t, b.shim, "", all[i].args...)
		cmd.Env = append(cmd.Env, mark)
		var after time.Duration = -1
		if i < kills {
			after = time.Duration(rnd.Int64N(int64(within)))
		}
		tool := rnd.IntN(2) == 0
		wg.Go(func() { all[i].go1(t, cmd, after, tool) })
	}
	wg.Wait()
	nothingLeft(t, mark)
	records := map[int]call.Call{}
	for _, c := range b.calls(t) {
		records[c.Begin.PID] = c
	}
	ended := 0
	want := make([]outcome, 3)
	for i := range want {
		want[i] = ways["two pipes"](t, b.command(t, b.real, "", args(i)...))
	}
	for i := range all {
		ended += all[i].check(t, records, want[i%3], i < kills)
	}
	t.Logf("%d calls, %d ended by themselves, %d records", calls, ended, len(records))
}

// go1 makes the call. after < 0: nobody kills it.
func (o *one) go1(t *testing.T, cmd *exec.Cmd, after time.Duration, tool bool) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return
	}
	o.pid = cmd.Process.Pid
	ended := make(chan struct{})
	var wg sync.WaitGroup
	if after >= 0 {
		wg.Go(func() {
			select {
			case <-ended:
				return
			case <-time.After(after):
			}
			victim := o.pid
			if child := childOf(o.pid); tool && child != 0 {
				victim = child
			}
			_ = syscall.Kill(victim, syscall.SIGKILL)
		})
	}
	_ = cmd.Wait()
	close(ended)
	wg.Wait()
	o.out = outcome{out.String(), errs.String(), cmd.ProcessState.String()}
}

// check: 1 when the call ended by itself.
func (o *one) check(t *testing.T, records map[int]call.Call, want outcome, mayDie bool) int {
	t.Helper()
	c, there := records[o.pid]
	if mayDie && o.out.state == "signal: killed" {
		// Killed in its first moments it has a record without a word, or none.
		if there && c.Begin.Tool != "nvcc" && (c.Begin.Tool != "" || len(c.Output) > 0 || c.End != nil) {
			t.Errorf("%q was killed, and its record cannot be read: %+v", o.args, c)
		}
		if there && c.End != nil && c.End.Signal != "SIGKILL" && c.End.Code != codeOf(want.state) {
			t.Errorf("%q was killed, and recorded as %+v", o.args, c.End)
		}
		return 0
	}
	if o.out != want {
		t.Errorf("%q: through the shim %+v\ndirect %+v", o.args, o.out, want)
	}
	if !there || c.Torn != "" || c.End == nil || c.End.Code != codeOf(want.state) || string(c.Of(call.Stdout)) != want.out || string(c.Of(call.Stderr)) != want.err {
		t.Errorf("%q: recorded %+v\nwant %+v", o.args, c, want)
	}
	return 1
}

func codeOf(state string) int64 {
	n, _ := strconv.ParseInt(strings.TrimPrefix(state, "exit status "), 10, 64)
	return n
}

// childOf is a process that pid started, or 0.
func childOf(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	var child int
	_, _ = fmt.Sscan(string(text), &child)
	return child
}

// nothingLeft waits until no process has the mark in its environment: what nvcc itself started ends by itself when nvcc is
// killed, as it does without the shim.
func nothingLeft(t *testing.T, mark string) {
	t.Helper()
	var left []string
	for range 600 {
		left = nil
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && bytes.Contains(text, []byte(mark)) {
				cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
				left = append(left, string(bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '})))
			}
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("still running: %q", left)
}
