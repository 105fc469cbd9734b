package jobserver

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// newServer makes a semaphore as GNU make does on Windows.
func newServer(t *testing.T, n int) (value string, free func() int) {
	t.Helper()
	name := fmt.Sprintf("cupel_test_semaphore_%d_%s", os.Getpid(), t.Name())
	wide, err := windows.UTF16PtrFromString(name)
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := kernel32.NewProc("CreateSemaphoreW").Call(0, uintptr(n), uintptr(n), uintptr(unsafe.Pointer(wide)))
	if h == 0 {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = windows.CloseHandle(windows.Handle(h)) })
	return "--jobserver-auth=" + name, func() int {
		got := 0
		for s := (semaphore{handle: windows.Handle(h)}); ; got++ {
			if _, ok := s.try(); !ok {
				for range got {
					if err := s.give(0); err != nil {
						t.Error(err)
					}
				}
				return got
			}
		}
	}
}

func TestNoSemaphore(t *testing.T) {
	c, why := Found([]string{"MAKEFLAGS= -j3 --jobserver-auth=gmake_semaphore_0"})
	if c != nil || !strings.HasPrefix(why, "MAKEFLAGS names the job server gmake_semaphore_0: open the semaphore: ") {
		t.Errorf("client %v, why %q", c, why)
	}
}
