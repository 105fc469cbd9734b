package shim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestLongCommandLine: one that fits with the shim's name and not with the real tool's goes through a response file.
func TestLongCommandLine(t *testing.T) {
	b := newBench(t)
	real := install(t, filepath.Join(t.TempDir(), strings.Repeat("long", 25), "nvcc.exe"))
	b.pointTo(t, real)
	quote := `-DX="a"` // no response file can say it
	args := []string{"-c", quote, strings.Repeat("x", 32766-len(b.shim)-len(quote)-13)}
	out, err := b.command(t, b.shim, "args", args...).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "0 \"-c\"\n1 \"-DX=\\\"a\\\"\"\n2 \"--options-file\"\n3 ") {
		t.Errorf("%v: %.200s", err, out)
	}
	if c := b.only(t); len(c.Begin.Args) != 3 || c.Begin.Args[2] != args[2] {
		t.Errorf("recorded %.100q", c.Begin.Args)
	}
}

// TestKilledShim: the tool ends with the shim.
func TestKilledShim(t *testing.T) {
	b := newBench(t)
	cmd := b.command(t, b.shim, "sleep")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var pid uint32
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	tool, err := windows.OpenProcess(windows.SYNCHRONIZE, false, pid)
	if err != nil {
		t.Fatal(err)
	}
	defer windows.CloseHandle(tool)
	_ = cmd.Process.Kill()
	if event, err := windows.WaitForSingleObject(tool, 10000); event != windows.WAIT_OBJECT_0 {
		t.Errorf("the tool goes on without the shim: %#x %v", event, err)
	}
	_ = cmd.Wait()
}

// TestHelperStays: what the tool left behind goes on when the shim has ended, as without it.
func TestHelperStays(t *testing.T) {
	b := newBench(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := b.command(t, b.shim, "leave")
	cmd.Stdout = w
	_ = cmd.Run()
	w.Close()
	var pid int
	if _, err := fmt.Fscan(r, &pid); err != nil {
		t.Fatal(err)
	}
	p, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		t.Fatalf("the process left behind is gone: %v", err)
	}
	defer windows.CloseHandle(p)
	time.Sleep(time.Second)
	if event, _ := windows.WaitForSingleObject(p, 0); event != uint32(windows.WAIT_TIMEOUT) {
		t.Errorf("the process left behind has ended: %#x", event)
	}
	_ = windows.TerminateProcess(p, 1)
}
