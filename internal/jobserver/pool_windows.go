package jobserver

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32             = windows.NewLazySystemDLL("kernel32.dll")
	procOpenSemaphore    = kernel32.NewProc("OpenSemaphoreW")
	procReleaseSemaphore = kernel32.NewProc("ReleaseSemaphore")
)

// semaphoreModifyState is SEMAPHORE_MODIFY_STATE of winnt.h: the right to release.
const semaphoreModifyState = 0x0002

// semaphore counts the free slots; its tokens are all the same.
type semaphore struct {
	handle windows.Handle
	wake   windows.Handle // an event that calls off a wait
}

func open(server string) (pool, error) {
	name, err := windows.UTF16PtrFromString(server)
	if err != nil {
		return nil, err
	}
	h, _, err := procOpenSemaphore.Call(windows.SYNCHRONIZE|semaphoreModifyState, 0, uintptr(unsafe.Pointer(name)))
	if h == 0 {
		return nil, fmt.Errorf("open the semaphore: %w", err)
	}
	wake, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return nil, errors.Join(err, windows.CloseHandle(windows.Handle(h)))
	}
	return semaphore{windows.Handle(h), wake}, nil
}

func (s semaphore) wait(ctx context.Context) (byte, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := windows.ResetEvent(s.wake); err != nil {
		return 0, err
	}
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = windows.SetEvent(s.wake)
		close(woken)
	})
	// The semaphore stands second: when both are there, the cancelled wait takes no token.
	got, err := windows.WaitForMultipleObjects([]windows.Handle{s.wake, s.handle}, false, windows.INFINITE)
	if !stop() {
		<-woken // or it would call off the next one's wait
	}
	switch {
	case err != nil:
		return 0, err
	case got == windows.WAIT_OBJECT_0:
		return 0, ctx.Err()
	}
	return 0, nil
}

func (s semaphore) try() (byte, bool) {
	got, err := windows.WaitForSingleObject(s.handle, 0)
	return 0, err == nil && got == windows.WAIT_OBJECT_0
}

func (s semaphore) give(byte) error {
	ok, _, err := procReleaseSemaphore.Call(uintptr(s.handle), 1, 0)
	if ok == 0 {
		return fmt.Errorf("release the semaphore: %w", err)
	}
	return nil
}

func (s semaphore) close() error {
	return errors.Join(windows.CloseHandle(s.wake), windows.CloseHandle(s.handle))
}
