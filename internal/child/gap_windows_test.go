package child_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/windows"

	"cupel/internal/child"
)

// gap does the first half of StartIn: the child is there, suspended, and not yet in its own job. It ends with its input.
func gap() {
	if _, err := child.NewJob(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CHILD_DOES=sleep")
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(cmd.Process.Pid)
	_, _ = os.Stdin.Read(make([]byte, 1))
	os.Exit(5)
}

// TestGap ends the parent while its child is suspended and in no job of its own: the child ends with it, and the parent
// with its own code.
func TestGap(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(*exec.Cmd, io.Closer) error
		code int
	}{
		{"killed", func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Kill() }, 1},
		{"by itself", func(_ *exec.Cmd, in io.Closer) error { return in.Close() }, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "CHILD_DOES=gap")
			in, inErr := cmd.StdinPipe()
			out, outErr := cmd.StdoutPipe()
			if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
				t.Fatal(err)
			}
			line, _ := bufio.NewReader(out).ReadString('\n')
			pid, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				t.Fatalf("the parent says %q: %v", line, err)
			}
			p, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_TERMINATE, false, uint32(pid))
			if err != nil {
				t.Fatalf("open the child %d: %v", pid, err)
			}
			defer windows.CloseHandle(p)
			if err := tt.end(cmd, in); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != tt.code {
				t.Errorf("the parent ended with %d, want %d", got, tt.code)
			}
			if got, err := windows.WaitForSingleObject(p, 10_000); got != windows.WAIT_OBJECT_0 {
				_ = windows.TerminateProcess(p, 1)
				t.Errorf("the child %d is there long after its parent: %d, %v", pid, got, err)
			}
		})
	}
}
