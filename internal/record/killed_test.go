package record

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"cupel/internal/call"
)

// TestMain: a copy of this program begins a run and waits to be killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("RECORD_TEST_BEGIN"); dir != "" {
		l, err := Store{dir}.New(call.Run{Command: []string{"make"}}, nil)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(l.Run.ID)
		_, _ = os.Stdin.Read(make([]byte, 1))
		_ = l.Finish(call.RunEnd{})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestKilled: a run whose cupel was killed is told as one without an end, not as one that goes on, and can be trimmed.
func TestKilled(t *testing.T) {
	s := store(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "RECORD_TEST_BEGIN="+s.Dir)
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
	var id string
	if _, err := fmt.Fscan(out, &id); err != nil {
		t.Fatal(err)
	}
	if r := found(t, s, id); !r.Live {
		t.Error("it is not told as one that goes on")
	}
	newer := begun(t, s)
	if err := s.Trim(ctx, 0, 0); err != nil {
		t.Error(err)
	}
	found(t, s, id)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if r := found(t, s, id); r.Live || r.Run.End != nil {
		t.Errorf("after the kill: live %t, end %v", r.Live, r.Run.End)
	}
	if err := s.Trim(ctx, 0, 0); err != nil {
		t.Error(err)
	}
	if runs, _, _ := s.Runs(ctx); len(runs) != 1 || runs[0].Run.ID != newer.Run.ID {
		t.Errorf("left are %v", runs)
	}
}
