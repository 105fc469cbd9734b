package relay_test

import (
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/windows"
)

func duplicate(t *testing.T, f *os.File) *os.File {
	t.Helper()
	if windows.NewLazySystemDLL("kernelbase.dll").NewProc("CompareObjectHandles").Find() != nil {
		t.Skip("this Windows does not compare handles")
	}
	p := windows.CurrentProcess()
	var h windows.Handle
	if err := windows.DuplicateHandle(p, windows.Handle(f.Fd()), p, &h, 0, false, syscall.DUPLICATE_SAME_ACCESS); err != nil {
		t.Fatal(err)
	}
	d := os.NewFile(uintptr(h), f.Name())
	t.Cleanup(func() { d.Close() })
	return d
}
