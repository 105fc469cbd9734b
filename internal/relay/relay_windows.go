package relay

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// end is a handle that is written without the os package: that takes what goes to a console for UTF-8, and compilers write
// in the console's own code page.
type end windows.Handle

const none = end(windows.InvalidHandle)

func endOf(f *os.File) end {
	if f == nil {
		return none
	}
	return end(f.Fd())
}

func (e end) there() bool { return e != none && e != 0 }

func (e end) close() { _ = windows.CloseHandle(windows.Handle(e)) }

var (
	kernelbase  = windows.NewLazySystemDLL("kernelbase.dll")
	procCompare = kernelbase.NewProc("CompareObjectHandles") // since Windows 10
	kernel32    = windows.NewLazySystemDLL("kernel32.dll")
	procPeek    = kernel32.NewProc("PeekNamedPipe")
)

// ready: a read would give something at once. A pipe whose other side is closed is not ready.
func (e end) ready() bool {
	var n uint32
	r, _, _ := procPeek.Call(uintptr(e), 0, 0, 0, uintptr(unsafe.Pointer(&n)), 0)
	return r != 0 && n > 0
}

// same: both handles are one object, as 2>&1 makes them.
func same(a, b end) bool {
	if !a.there() || !b.there() {
		return false
	}
	if a == b {
		return true
	}
	if procCompare.Find() != nil {
		return false
	}
	r, _, _ := procCompare.Call(uintptr(a), uintptr(b))
	return r != 0
}

// open makes a pipe, also where the stream is a console: neither nvcc nor cl.exe write anything else there.
func open(end) (*os.File, end, error) {
	var r, w windows.Handle
	if err := windows.CreatePipe(&r, &w, nil, piece); err != nil {
		return nil, none, os.NewSyscallError("CreatePipe", err)
	}
	return os.NewFile(uintptr(w), "|"), end(r), nil
}

// run passes on until the child's side is closed, or ours takes no more.
func (p *pump) run() {
	defer p.end() // the child meets now what it would have met without us: ERROR_NO_DATA
	buf := make([]byte, piece)
	for {
		var n uint32
		err := windows.ReadFile(windows.Handle(p.from), buf, &n, nil)
		if n == 0 {
			if err == nil {
				continue // somebody wrote nothing
			}
			return
		}
		p.busy.Store(true)
		more := p.deliver(buf[:n])
		p.busy.Store(false)
		if !more {
			return
		}
	}
}

// gone: the reader of our stream went away.
func gone(err error) bool {
	return errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE)
}

// write writes all of b. A pipe that does not block takes nothing when it is full.
func (e end) write(b []byte) error {
	for len(b) > 0 {
		var n uint32
		if err := windows.WriteFile(windows.Handle(e), b, &n, nil); err != nil {
			return err
		}
		if n == 0 {
			windows.SleepEx(1, false)
		}
		b = b[n:]
	}
	return nil
}
